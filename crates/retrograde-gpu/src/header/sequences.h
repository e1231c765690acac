// What loops run over: each has a length, and an item at every position.

namespace rg {

template <class I> struct Range {
  I first;
  usize count;
  RG usize len() const { return count; }
  RG I at(usize k) const { return I(first + (I)k); }
  RG bool even() const { return true; }
};
template <class A, class B> RG auto range(const A& a, const B& b) {
  // A literal is of the type of the other end.
  using I = Decided<A, B>;
  const I first = (I)a, end = (I)b;
  return Range<I>{first, first < end ? (usize)(end - first) : 0};
}
template <class A, class B> RG auto through(const A& a, const B& b) {
  auto items = range(a, b);
  const auto end = (decltype(items.first))b;
  items.count = items.first <= end ? (usize)(end - items.first) + 1 : 0;
  return items;
}

template <class T> struct Items {
  T* start;
  usize count;
  RG usize len() const { return count; }
  RG T& at(usize k) const { return start[k]; }
  RG bool even() const { return true; }
};
template <class T> RG Items<T> iter(const Slice<T>& x) { return Items<T>{x.start, x.length}; }
template <class T, usize N> RG Items<T> iter(Array<T, N>& x) { return Items<T>{x.held, N}; }
template <class T, usize N> RG Items<const T> iter(const Array<T, N>& x) {
  return Items<const T>{x.held, N};
}
// Sequences are sequences of themselves.
template <class S> RG auto iter(const S& s) -> decltype(s.even(), S(s)) { return s; }

template <class S> struct Reversed {
  S inner;
  RG usize len() const { return inner.len(); }
  RG decltype(auto) at(usize k) const { return inner.at(inner.len() - 1 - k); }
  RG bool even() const { return inner.even(); }
};
template <class S> RG auto rev(const S& s) {
  auto items = iter(s);
  return Reversed<decltype(items)>{items};
}

// Of the lengths of two, the lesser.
template <class A, class B> struct Zipped {
  A left;
  B right;
  RG usize len() const { return left.len() < right.len() ? left.len() : right.len(); }
  RG auto at(usize k) const {
    return Tuple<decltype(left.at(k)), decltype(right.at(k))>{left.at(k), right.at(k)};
  }
  RG bool even() const { return left.len() == right.len() && left.even() && right.even(); }
};
template <class A, class B> RG auto zip(const A& a, const B& b) {
  auto left = iter(a);
  auto right = iter(b);
  return Zipped<decltype(left), decltype(right)>{left, right};
}
template <class A, class B> RG auto zip(A& a, B& b) {
  auto left = iter(a);
  auto right = iter(b);
  return Zipped<decltype(left), decltype(right)>{left, right};
}
template <class A, class B> RG auto zip(const A& a, B& b) {
  auto left = iter(a);
  auto right = iter(b);
  return Zipped<decltype(left), decltype(right)>{left, right};
}

template <class S> struct Enumerated {
  S inner;
  RG usize len() const { return inner.len(); }
  RG auto at(usize k) const { return Tuple<usize, decltype(inner.at(k))>{k, inner.at(k)}; }
  RG bool even() const { return inner.even(); }
};
template <class S> RG auto enumerate(const S& s) {
  auto items = iter(s);
  return Enumerated<decltype(items)>{items};
}

template <class S> struct Stepped {
  S inner;
  usize first, step, count;
  RG usize len() const { return count; }
  RG decltype(auto) at(usize k) const { return inner.at(first + k * step); }
  // Rust has no step of zero.
  RG bool even() const { return inner.even() && step > 0; }
};
template <class S, class I> RG auto step_by(const S& s, I step) {
  auto items = iter(s);
  const usize by = (usize)step, n = items.len();
  return Stepped<decltype(items)>{items, 0, by, by > 0 ? (n + by - 1) / by : 0};
}
template <class S, class I> RG auto skip(const S& s, I count) {
  auto items = iter(s);
  const usize n = items.len(), without = (usize)count < n ? (usize)count : n;
  return Stepped<decltype(items)>{items, without, 1, n - without};
}
template <class S, class I> RG auto take(const S& s, I count) {
  auto items = iter(s);
  const usize n = items.len();
  return Stepped<decltype(items)>{items, 0, 1, (usize)count < n ? (usize)count : n};
}

template <class T> struct Chunks {
  Slice<T> whole;
  usize size, step, count;
  RG usize len() const { return count; }
  RG Slice<T> at(usize k) const { return Slice<T>{whole.start + k * step, size}; }
  // Nor has it chunks and windows of nothing.
  RG bool even() const { return size > 0; }
};
template <class A, class I> RG auto chunks_exact(A&& x, I size) {
  auto whole = all(x);
  const usize n = (usize)size;
  return Chunks<typename Elements<decltype(whole)>::type>{whole, n, n, n > 0 ? whole.length / n : 0};
}
template <class A, class I> RG auto windows(A&& x, I size) {
  auto whole = all(x);
  const usize n = (usize)size;
  const usize count = whole.length < n || n == 0 ? 0 : whole.length - n + 1;
  return Chunks<typename Elements<decltype(whole)>::type>{whole, n, 1, count};
}

}  // namespace rg
