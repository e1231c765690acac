// The entry of a kernel, and sums over all indices.

#if defined(__CUDACC__)
#define RG_REPORT_TO(place) (rg::launched().report = place, rg::launched().columns = columns)
#define RG_NOTE_INDEX(k)
#define RG_UNROLL _Pragma("unroll")
#define RG_RESTRICT __restrict__
#define RG_ENTRY(name) extern "C" __global__ void name
#define RG_ENTRY_OF(threads, name) extern "C" __global__ void __launch_bounds__(threads) name
// Of a warp, all threads come along: one beyond the end does what the last one does.
#define RG_EACH_OF_A_WARP(all)                                             \
  const rg::u64 own = (rg::u64)blockIdx.x * blockDim.x + threadIdx.x;      \
  const rg::u64 first = own - own % 32;                                    \
  const rg::u64 at = own < all ? own : all - 1;                            \
  if (first < all)
#define RG_ROOM(name, threads, size)                                       \
  __shared__ rg::u64 whole_##name[threads / 32][(32 * (size) + 7) / 8];    \
  rg::u64* name = whole_##name[threadIdx.x / 32];
#define RG_EACH_INDEX(rows, columns)                                       \
  const rg::u64 column = (rg::u64)blockIdx.x * blockDim.x + threadIdx.x;   \
  const rg::u64 row = (rg::u64)blockIdx.y * blockDim.y + threadIdx.y;
#define RG_EACH_WORKER(workers)                                            \
  const rg::u64 worker = (rg::u64)blockIdx.x * blockDim.x + threadIdx.x;   \
  if (worker < workers)
#else
#define RG_REPORT_TO(place) rg::report = place
#define RG_NOTE_INDEX(k) rg::current_index = k;
#define RG_UNROLL
#define RG_RESTRICT __restrict__
#define RG_ENTRY(name) static void name
#define RG_ENTRY_OF(threads, name) static void name
#define RG_EACH_OF_A_WARP(all) for (rg::u64 at = 0, first = 0; at < all; ++at, ++first)
#define RG_ROOM(name, threads, size) rg::u64* name = nullptr;
#define RG_EACH_INDEX(rows, columns)             \
  for (rg::u64 row = 0; row < rows; ++row)       \
    for (rg::u64 column = 0; column < columns; ++column)
#if defined(RG_CHECKS)
#define RG_CATCH(call) try { call; } catch (rg::Stopped) {}
#else
#define RG_CATCH(call) call;
#endif
#define RG_EACH_WORKER(workers) for (rg::u64 worker = 0; worker < workers; ++worker)
#endif

namespace rg {

// Adds the numbers of all threads of a block to one place, by as few atomic sums as
// there are blocks.
template <class A> RG auto reduce(const A& x, Atomic<A>& to) -> typename Only<is_float<A>>::type {
#if defined(__CUDACC__)
  __shared__ A partial[32];
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned lane = thread % 32, warp = thread / 32;
  A sum = x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  __syncthreads();
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned warps = (blockDim.x * blockDim.y + 31) / 32;
    sum = lane < warps ? partial[lane] : A(0);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0) to += sum;
  }
#else
  to += x;
#endif
}
template <class A> RG auto reduce(const A&, A&) -> typename Only<is_integer<A>>::type {}
template <class T> RG void reduce(const Complex<T>& x, Complex<Shared<T>>& to) {
  reduce(x.re, to.re);
  reduce(x.im, to.im);
}
template <class T, usize N> RG void reduce(const Array<T, N>& x, Array<Shared<T>, N>& to) {
  for (usize i = 0; i < N; ++i) reduce(x.held[i], to.held[i]);
}

// A value that indices add to begins with nothing at each of them, and ends as the sum.
template <class A>
RG auto nothing(const A&) -> typename Only<is_float<Plain<A>> || is_integer<A>, Plain<A>>::type {
  return Plain<A>(0);
}
template <class T> RG Complex<Plain<T>> nothing(const Complex<T>& x) {
  return Complex<Plain<T>>(nothing(x.re), nothing(x.im));
}
template <class T, usize N> RG Array<Plain<T>, N> nothing(const Array<T, N>& x) {
  Array<Plain<T>, N> zeros;
  for (usize i = 0; i < N; ++i) zeros.held[i] = nothing(x.held[i]);
  return zeros;
}
template <class A> RG auto total(const A& x, Atomic<A>& to) -> typename Only<is_float<A>>::type {
  reduce(x, to);
}
template <class A> RG auto total(const A& x, A& to) -> typename Only<is_integer<A>>::type {
#if defined(__CUDACC__)
  // Without a sign, the sum has the same bits.
  if constexpr (sizeof(A) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&to), (unsigned long long)x);
  } else {
    atomicAdd(reinterpret_cast<unsigned*>(&to), (unsigned)x);
  }
#else
  to += x;
#endif
}
template <class T> RG void total(const Complex<T>& x, Complex<Shared<T>>& to) {
  total(x.re, to.re);
  total(x.im, to.im);
}
template <class T, usize N> RG void total(const Array<T, N>& x, Array<Shared<T>, N>& to) {
  for (usize i = 0; i < N; ++i) total(x.held[i], to.held[i]);
}

}  // namespace rg

namespace rg {
RG constexpr usize larger(usize a, usize b) { return a < b ? b : a; }

// Copies what every thread of a warp holds to memory, so that neighbouring threads write
// neighbouring numbers.
template <class T, usize N>
RG void leave(T* to, const Array<T, N>& held, u64 first, u64 all, u64* room) {
#if defined(__CUDACC__)
  using Word = typename If<sizeof(T) % 8 == 0, u64, u32>::type;
  constexpr int count = sizeof(held) / sizeof(Word);
  Word* own = reinterpret_cast<Word*>(room);
  const Word* words = reinterpret_cast<const Word*>(&held);
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < count; ++k) own[lane * count + k] = words[k];
  __syncwarp();
  const int present = all - first < 32 ? (int)(all - first) : 32;
  Word* there = reinterpret_cast<Word*>(to + first * N);
  for (int k = lane; k < count * present; k += 32) there[k] = own[k];
  __syncwarp();
#else
  for (usize k = 0; k < N; ++k) to[first * N + k] = held.held[k];
#endif
}

// A value whose numbers are all zero but one, which is one.
template <class T, class N> RG Lone<T> unit(int component) {
  Lone<T> all;
  N* numbers = reinterpret_cast<N*>(&all.held);
  for (int i = 0; i < (int)(sizeof(T) / sizeof(N)); ++i) numbers[i] = i == component ? N(1) : N(0);
  return all;
}
}  // namespace rg

// The sum of what workers have added to shadows of their own, in an order that is always
// the same: neighbours first.
namespace rg {
template <class T> RG T sum_of(const T* from, u64 step, u64 count) {
  // Sums that wait for an equal one, the largest first.
  T waiting[64];
  int depth = 0;
  for (u64 k = 0; k < count; ++k) {
    T sum = from[k * step];
    for (u64 pairs = k; pairs & 1; pairs >>= 1) sum = waiting[--depth] + sum;
    waiting[depth++] = sum;
  }
  T sum = waiting[--depth];
  while (depth > 0) sum = waiting[--depth] + sum;
  return sum;
}
}  // namespace rg
RG_ENTRY(rg_sum_f32)(rg::f32* to, const rg::f32* from, rg::u64 count, rg::u64 workers) {
  RG_EACH_WORKER(count) { to[worker] += rg::sum_of(from + worker, count, workers); }
}
RG_ENTRY(rg_sum_f64)(rg::f64* to, const rg::f64* from, rg::u64 count, rg::u64 workers) {
  RG_EACH_WORKER(count) { to[worker] += rg::sum_of(from + worker, count, workers); }
}
#if !defined(__CUDACC__)
extern "C" void rg_call_sum_f32(void** a) {
  rg_sum_f32(*(rg::f32**)a[0], *(const rg::f32**)a[1], *(rg::u64*)a[2], *(rg::u64*)a[3]);
}
extern "C" void rg_call_sum_f64(void** a) {
  rg_sum_f64(*(rg::f64**)a[0], *(const rg::f64**)a[1], *(rg::u64*)a[2], *(rg::u64*)a[3]);
}
#endif
