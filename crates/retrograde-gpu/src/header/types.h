// Types: scalars, places that are added to by many threads, arrays, slices, tuples.

#if defined(__CUDACC__)
#define RG __device__ __forceinline__
#else
#define RG inline
#endif

namespace rg {

typedef double f64;
typedef float f32;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef long long isize;

template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;
template <bool, class A, class> struct If { using type = A; };
template <class A, class B> struct If<false, A, B> { using type = B; };
template <bool, class A = void> struct Only {};
template <class A> struct Only<true, A> { using type = A; };
template <class A> struct Bare { using type = A; };
template <class A> struct Bare<A&> { using type = typename Bare<A>::type; };
template <class A> struct Bare<A&&> { using type = typename Bare<A>::type; };
template <class A> struct Bare<const A> { using type = typename Bare<A>::type; };

struct Integer;
struct Literal;

template <class A> constexpr bool is_float = same<A, f64> || same<A, f32>;
template <class A>
constexpr bool is_integer = same<A, i32> || same<A, u32> || same<A, i64> || same<A, u64> ||
                            same<A, long> || same<A, unsigned long> || same<A, bool> || same<A, Integer>;

// A number that other threads add to at the same time.
template <class T> struct Atomic {
  T held;
  RG operator T() const { return held; }
  // What replaces it belongs to one index.
  RG void operator=(T value) { held = value; }
  RG void operator+=(T value) {
#if defined(__CUDACC__)
    // Where a whole warp adds to one place, it adds once.
    const unsigned active = __activemask();
    if (active == 0xffffffffu) {
      const unsigned long long place = reinterpret_cast<unsigned long long>(this);
      if (__all_sync(active, place == __shfl_sync(active, place, 0))) {
        for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(active, value, step);
        if ((threadIdx.x + blockDim.x * threadIdx.y) % 32 == 0) atomicAdd(&held, value);
        return;
      }
    }
    atomicAdd(&held, value);
#else
    held += value;
#endif
  }
  RG void operator-=(T value) { *this += -value; }
};

template <class T, usize N> struct Array;
template <class T> struct Complex;
template <class... P> struct Tuple;
template <class T> struct Slice;

// The form of a type that other threads add to, and the type of such a form.
template <class A> struct Sharing { using type = A; };
template <> struct Sharing<f64> { using type = Atomic<f64>; };
template <> struct Sharing<f32> { using type = Atomic<f32>; };
template <class A> using Shared = typename Sharing<A>::type;
template <class A> struct Owning { using type = A; };
template <class A> struct Owning<Atomic<A>> { using type = A; };
template <class A> using Plain = typename Owning<typename Bare<A>::type>::type;

// A copy, in the type of its own.
template <class A> RG Plain<A> value(const A& x) {
  if constexpr (same<Plain<A>, A>) {
    return x;
  } else {
    return reinterpret_cast<const Plain<A>&>(x);
  }
}

// A float literal, of the type of what it stands beside.
struct Literal {
  f64 held;
  RG explicit operator f64() const { return held; }
};
RG Literal literal(f64 x) { return Literal{x}; }
RG Literal operator-(Literal x) { return Literal{-x.held}; }
RG Literal conj(Literal x) { return x; }
// An integer whose type Rust infers, and which has that of what it stands beside.
struct Integer {
  i64 held;
  Integer() = default;
  template <class I> RG explicit constexpr Integer(I x) : held((i64)x) {}
  RG constexpr operator i64() const { return held; }
  template <class I> RG void operator+=(I x) { held += (i64)x; }
  template <class I> RG void operator-=(I x) { held -= (i64)x; }
  template <class I> RG void operator^=(I x) { held ^= (i64)x; }
};
RG constexpr Integer integer(i64 x) { return Integer(x); }
RG Integer operator-(Integer x) { return Integer(-x.held); }

// Of several types, the first that is not that of a literal; of literals, that of them.
template <class A> constexpr bool is_vague = same<A, Literal> || same<A, Integer>;
template <class...> struct Deciding;
template <class A> struct Deciding<A> { using type = A; };
template <class A, class B, class... R> struct Deciding<A, B, R...> {
  using type = typename If<is_vague<A>, typename Deciding<B, R...>::type, A>::type;
};
template <class... P> using Decided = typename Deciding<Plain<P>...>::type;
template <class A> struct Knowing {
  static_assert(!is_vague<A>, "the type of a literal is not known: write it behind it, as in `0.5_f32`");
  using type = A;
};
template <class... P> using Known = typename Knowing<Decided<P...>>::type;

template <class T, usize N> struct Array;
template <class A, class B> struct Convert {
  RG static A from(const B& x) { return static_cast<A>(value(x)); }
};
template <class A> struct Convert<A, Literal> {
  RG static A from(Literal x) { return A(x.held); }
};
template <> struct Convert<Literal, Literal> {
  RG static Literal from(Literal x) { return x; }
};
template <class T, class U, usize N> struct Convert<Array<T, N>, Array<U, N>> {
  RG static Array<T, N> from(const Array<U, N>& x);
};
template <class T, usize N> struct Convert<Array<T, N>, Array<T, N>> {
  RG static Array<T, N> from(const Array<T, N>& x) { return x; }
};
template <class A, class B> RG A as(const B& x) { return Convert<A, Plain<B>>::from(value(x)); }

// Of two literals nobody knows in which type Rust would combine them.
#define RG_WITH_LITERAL(op)                                                               \
  template <class A> RG auto operator op(const A& x, Literal y) { return value(x) op Plain<A>(y.held); } \
  template <class A> RG auto operator op(Literal x, const A& y) { return Plain<A>(x.held) op value(y); } \
  RG void operator op(Literal x, Literal y) = delete;
RG_WITH_LITERAL(<)
RG_WITH_LITERAL(>)
RG_WITH_LITERAL(<=)
RG_WITH_LITERAL(>=)
RG_WITH_LITERAL(==)
RG_WITH_LITERAL(!=)
RG_WITH_LITERAL(+)
RG_WITH_LITERAL(-)
RG_WITH_LITERAL(*)
RG_WITH_LITERAL(/)
#undef RG_WITH_LITERAL
template <class A> RG A& operator+=(A& x, Literal y) { x += Plain<A>(y.held); return x; }
template <class A> RG A& operator-=(A& x, Literal y) { x -= Plain<A>(y.held); return x; }
#define RG_WITH_INTEGER(op, Both)                                                         \
  template <class A, class = typename Only<is_integer<A> && !same<A, Integer>>::type>     \
  RG constexpr auto operator op(A x, Integer y) { return x op A(y.held); }                \
  template <class A, class = typename Only<is_integer<A> && !same<A, Integer>>::type>     \
  RG constexpr auto operator op(Integer x, A y) { return A(x.held) op y; }                \
  RG constexpr Both operator op(Integer x, Integer y) { return Both(x.held op y.held); }
RG_WITH_INTEGER(<, bool)
RG_WITH_INTEGER(>, bool)
RG_WITH_INTEGER(<=, bool)
RG_WITH_INTEGER(>=, bool)
RG_WITH_INTEGER(==, bool)
RG_WITH_INTEGER(!=, bool)
RG_WITH_INTEGER(+, Integer)
RG_WITH_INTEGER(-, Integer)
RG_WITH_INTEGER(*, Integer)
RG_WITH_INTEGER(/, Integer)
RG_WITH_INTEGER(%, Integer)
RG_WITH_INTEGER(&, Integer)
RG_WITH_INTEGER(|, Integer)
RG_WITH_INTEGER(^, Integer)
#undef RG_WITH_INTEGER

// Of truth values, these are truth values.
#define RG_BITWISE(name, op)                                                              \
  template <class A, class B> RG auto name(const A& x, const B& y) {                      \
    if constexpr (same<A, bool> && same<B, bool>) {                                       \
      return bool(x op y);                                                                \
    } else {                                                                              \
      return x op y;                                                                      \
    }                                                                                     \
  }
RG_BITWISE(bit_and, &)
RG_BITWISE(bit_or, |)
RG_BITWISE(bit_xor, ^)
#undef RG_BITWISE

// What failed first.
struct Report {
  int failed;
  u32 check;
  u64 index;
  u64 position;
  u64 length;
};

#if defined(RG_CHECKS)
#if defined(__CUDACC__)
// What a launch has of its own: several may run at a time.
struct Launched {
  Report* report;
  u64 columns;
};
__device__ __noinline__ Launched& launched() {
  __shared__ Launched own;
  return own;
}
// Of one index, or of two, row by row.
__device__ __forceinline__ u64 own_index() {
  const u64 column = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  const u64 row = (u64)blockIdx.y * blockDim.y + threadIdx.y;
  return row * launched().columns + column;
}
__device__ __noinline__ void fail(u32 check, u64 position = 0, u64 length = 0) {
  Report* report = launched().report;
  if (atomicCAS(&report->failed, 0, 1) == 0) {
    report->check = check;
    report->index = own_index();
    report->position = position;
    report->length = length;
    __threadfence_system();
  }
  asm volatile("exit;");
}
#else
// Several threads may launch at a time.
inline thread_local Report* report;
inline thread_local u64 current_index;
struct Stopped {};
[[noreturn]] inline void fail(u32 check, u64 position = 0, u64 length = 0) {
  *report = Report{1, check, current_index, position, length};
  throw Stopped{};
}
#endif
#define RG_CHECK(condition, number) do { if (!(condition)) rg::fail(number); } while (0)
#define RG_AT(x, i, number) rg::at(x, i, number)
#define RG_PART(x, a, b, number) rg::part(x, a, b, number)
#else
#define RG_CHECK(condition, number) ((void)0)
#define RG_AT(x, i, number) (x)[i]
#define RG_PART(x, a, b, number) rg::part(x, a, b)
#endif

template <class T, usize N> struct Array {
  T held[N];
  template <class I> RG T& operator[](I i) { return held[i]; }
  template <class I> RG const T& operator[](I i) const { return held[i]; }
  RG bool operator==(const Array& other) const {
    for (usize i = 0; i < N; ++i) {
      if (!(held[i] == other.held[i])) return false;
    }
    return true;
  }
  RG bool operator!=(const Array& other) const { return !(*this == other); }
};
template <class T, class U, usize N>
RG Array<T, N> Convert<Array<T, N>, Array<U, N>>::from(const Array<U, N>& x) {
  Array<T, N> all;
  for (usize i = 0; i < N; ++i) all.held[i] = as<T>(x.held[i]);
  return all;
}
template <class T, usize N> struct Sharing<Array<T, N>> { using type = Array<Shared<T>, N>; };
template <class T, usize N> struct Owning<Array<T, N>> { using type = Array<Plain<T>, N>; };

template <class T> struct Slice {
  T* start;
  usize length;
  template <class I> RG T& operator[](I i) const { return start[i]; }
};

// The one element of a slice that an index has to do with, held by its thread.
template <class T> struct Lone {
  T held;
  template <class I> RG T& operator[](I) { return held; }
};
template <class T> RG usize len(const Lone<T>&) { return ~(usize)0; }

// The float that a value is made of, or nothing.
template <class A> struct FloatOf { using type = typename If<is_float<A>, A, void>::type; };
template <class T, usize N> struct FloatOf<Array<T, N>> { using type = typename FloatOf<T>::type; };
template <class T> struct FloatOf<Complex<T>> { using type = typename FloatOf<T>::type; };
template <class F, class A> RG const A& only(const A& x) {
  using G = typename FloatOf<Plain<A>>::type;
  static_assert(same<G, F> || same<G, void>,
                "the floats of this are not those of the arguments: say the type of what it gives, as in `let a: f32 = f(x);`");
  return x;
}

template <class> struct Elements;
template <class T> struct Elements<Lone<T>> { using type = T; };
template <class T, usize N> struct Elements<Array<T, N>> { using type = T; };
template <class T> struct Elements<Slice<T>> { using type = T; };
template <class A> using Element = Plain<typename Elements<typename Bare<A>::type>::type>;
template <class> struct Extent;
template <class T, usize N> struct Extent<Array<T, N>> { static constexpr usize value = N; };
template <class A> constexpr usize extent = Extent<typename Bare<A>::type>::value;

template <class T, usize N> RG usize len(const Array<T, N>&) { return N; }
template <class T> RG usize len(const Slice<T>& x) { return x.length; }
template <class A> RG bool is_empty(const A& x) { return len(x) == 0; }

template <class T> RG Slice<T> all(const Slice<T>& x) { return x; }
template <class T, usize N> RG Slice<T> all(Array<T, N>& x) { return Slice<T>{x.held, N}; }
template <class T, usize N> RG Slice<const T> all(const Array<T, N>& x) {
  return Slice<const T>{x.held, N};
}

#if defined(RG_CHECKS)
template <class A, class I> RG auto& at(A&& x, I i, u32 number) {
  if (!((usize)i < len(x))) fail(number, (u64)i, len(x));
  return x[i];
}
template <class A, class I, class J> RG auto part(A&& x, I a, J b, u32 number) {
  if (!((usize)a <= (usize)b && (usize)b <= len(x))) fail(number, (u64)b, len(x));
  auto whole = all(x);
  whole.start += a;
  whole.length = (usize)b - (usize)a;
  return whole;
}
#endif
template <class A, class I, class J> RG auto part(A&& x, I a, J b) {
  auto whole = all(x);
  whole.start += a;
  whole.length = (usize)b - (usize)a;
  return whole;
}

template <> struct Tuple<> {};
template <class A> struct Tuple<A> { A _0; };
template <class A, class B> struct Tuple<A, B> { A _0; B _1; };
template <class A, class B, class C> struct Tuple<A, B, C> { A _0; B _1; C _2; };
template <class A, class B, class C, class D> struct Tuple<A, B, C, D> { A _0; B _1; C _2; D _3; };
template <class A, class B, class C, class D, class E>
struct Tuple<A, B, C, D, E> { A _0; B _1; C _2; D _3; E _4; };
template <class A, class B, class C, class D, class E, class F>
struct Tuple<A, B, C, D, E, F> { A _0; B _1; C _2; D _3; E _4; F _5; };
template <class> struct Parts;
template <class... P> struct Parts<Tuple<P...>> { static constexpr usize count = sizeof...(P); };

// What a function makes of all parts of a tuple.
template <class T, class F> RG auto on_parts(T& x, F function) {
  constexpr usize count = Parts<typename Bare<T>::type>::count;
  if constexpr (count == 0) return function();
  else if constexpr (count == 1) return function(x._0);
  else if constexpr (count == 2) return function(x._0, x._1);
  else if constexpr (count == 3) return function(x._0, x._1, x._2);
  else if constexpr (count == 4) return function(x._0, x._1, x._2, x._3);
  else if constexpr (count == 5) return function(x._0, x._1, x._2, x._3, x._4);
  else return function(x._0, x._1, x._2, x._3, x._4, x._5);
}
template <class... A, class... B> struct Convert<Tuple<A...>, Tuple<B...>> {
  RG static Tuple<A...> from(const Tuple<B...>& x) {
    return on_parts(x, [](const B&... part) { return Tuple<A...>{as<A>(part)...}; });
  }
};

template <class... A, class... B> RG bool operator==(const Tuple<A...>& x, const Tuple<B...>& y) {
  return on_parts(x, [&](const A&... a) {
    return on_parts(y, [&](const B&... b) { return ((a == b) && ...); });
  });
}
template <class... A, class... B> RG bool operator!=(const Tuple<A...>& x, const Tuple<B...>& y) {
  return !(x == y);
}

template <class... P> RG Tuple<Plain<P>...> tuple(const P&... parts) {
  return Tuple<Plain<P>...>{value(parts)...};
}
template <usize, class> struct Nth;
template <class A, class... R> struct Nth<0, Tuple<A, R...>> { using type = A; };
template <usize I, class A, class... R> struct Nth<I, Tuple<A, R...>> {
  using type = typename Nth<I - 1, Tuple<R...>>::type;
};
template <class A, usize I> using Part = typename Nth<I, typename Bare<A>::type>::type;
template <class A, usize I> using Parameter = typename Nth<I, typename Plain<A>::Parameters>::type;

template <class... P> RG auto array(const P&... parts) {
  using T = Decided<P...>;
  return Array<T, sizeof...(P)>{{as<T>(parts)...}};
}
template <usize N, class A> RG Array<Plain<A>, N> filled(const A& element) {
  Array<Plain<A>, N> all;
  for (usize i = 0; i < N; ++i) all.held[i] = value(element);
  return all;
}

template <class A, class I> RG auto split_at(A&& x, I i) {
  auto left = all(x), right = all(x);
  left.length = i;
  right.start += i;
  right.length -= i;
  return Tuple<decltype(left), decltype(right)>{left, right};
}

template <class T, class F> RG auto choose(bool condition, T then, F otherwise) {
  using R = Decided<decltype(then()), decltype(otherwise())>;
  return condition ? as<R>(then()) : as<R>(otherwise());
}

template <class T, class A> RG T cast(const A& x) {
  auto from = value(x);
  if constexpr (is_integer<T> && is_float<decltype(from)>) {
    // As Rust does: what does not fit is the nearest that does, and no number is zero.
    if (!(from == from)) return T(0);
    constexpr bool is_signed = T(-1) < T(0);
    constexpr int bits = sizeof(T) * 8 - (is_signed ? 1 : 0);
    const f64 wide = (f64)from;
    const f64 limit = bits == 64 ? 18446744073709551616.0
                    : bits == 63 ? 9223372036854775808.0
                    : bits == 32 ? 4294967296.0
                                 : 2147483648.0;
    if (wide >= limit) return is_signed ? (T)(((u64)1 << bits) - 1) : (T) ~(u64)0;
    if (wide < (is_signed ? -limit : 0.0)) return is_signed ? (T)((u64)1 << bits) : T(0);
    return (T)from;
  } else {
    return static_cast<T>(from);
  }
}
template <class A> RG auto inverted(const A& x) {
  if constexpr (same<Plain<A>, bool>) {
    return !x;
  } else {
    return Plain<A>(~x);
  }
}

}  // namespace rg
