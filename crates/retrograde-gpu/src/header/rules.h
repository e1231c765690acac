// Derivatives: the rules that the generated adjoints call, under the names that they
// have in `retrograde::derivative`, and the instructions.

namespace rg {

struct NoShadow {};
// In place of a shadow: what is added to it is lost, as nobody asks for it.
template <class A> RG void operator+=(NoShadow, const A&) {}

// A number whose type Rust made sure of.
template <class A> RG const A& number(const A& x) { return x; }
template <class A> RG const A& constant(const A& x) { return x; }

template <class A, class B> RG Plain<A> like(const A&, const B& x) { return as<Plain<A>>(x); }

template <class T> RG bool is_zero(const T& x) { return x == T(0); }
template <class T> RG bool is_zero(const Complex<T>& z) { return z.re == T(0) && z.im == T(0); }
RG bool is_normal(f64 x) { return ::fabs(x) >= 2.2250738585072014e-308 && ::fabs(x) <= 1.7976931348623157e308; }
RG bool is_normal(f32 x) { return ::fabsf(x) >= 1.17549435e-38f && ::fabsf(x) <= 3.40282347e38f; }
template <class T> RG T recip_or_zero(const T& x) { return is_zero(x) ? T(0) : recip(x); }

// Shadows: sums start from −0, which leaves no trace.
template <class A> RG auto shadow(const A& x) -> typename Only<is_float<Plain<A>>, Plain<A>>::type {
  return -Plain<A>(0);
}
template <class A> RG auto shadow(const A& x) -> typename Only<is_integer<Plain<A>>, Plain<A>>::type {
  return x;
}
template <class T> RG Complex<Plain<T>> shadow(const Complex<T>& x) {
  return Complex<Plain<T>>(shadow(x.re), shadow(x.im));
}
template <class T, usize N> RG Array<Plain<T>, N> shadow(const Array<T, N>& x) {
  Array<Plain<T>, N> zeros;
  for (usize i = 0; i < N; ++i) zeros.held[i] = shadow(x.held[i]);
  return zeros;
}
template <class... P> RG auto shadow(const Tuple<P...>& x) {
  return on_parts(x, [](const P&... part) { return tuple(shadow(part)...); });
}
template <class A> RG auto scratch(const A& x) { return shadow(x); }
// There is no room for that of a slice.
template <class T> RG NoShadow scratch(const Slice<T>&) { return NoShadow{}; }

template <class A, class B>
RG auto add_shadow(A& to, const B& x) -> typename Only<is_float<Plain<A>>>::type { to += as<Plain<A>>(x); }
template <class A, class B>
RG auto retract_shadow(A& to, const B& x) -> typename Only<is_float<Plain<A>>>::type { to -= as<Plain<A>>(x); }
template <class A, class B>
RG auto add_shadow(A&, const B&) -> typename Only<is_integer<Plain<A>>>::type {}
template <class A, class B>
RG auto retract_shadow(A&, const B&) -> typename Only<is_integer<Plain<A>>>::type {}
template <class T, class B> RG void add_shadow(Complex<T>& to, const B& x) { to += x; }
template <class T, class B> RG void retract_shadow(Complex<T>& to, const B& x) { to -= x; }
template <class T, class U, usize N> RG void add_shadow(Array<T, N>& to, const Array<U, N>& x) {
  for (usize i = 0; i < N; ++i) add_shadow(to.held[i], x.held[i]);
}
template <class T, class U, usize N> RG void retract_shadow(Array<T, N>& to, const Array<U, N>& x) {
  for (usize i = 0; i < N; ++i) retract_shadow(to.held[i], x.held[i]);
}
template <class... A, class... B> RG void add_shadow(Tuple<A...>& to, const Tuple<B...>& x) {
  on_parts(to, [&](A&... own) {
    on_parts(x, [&](const B&... more) { (add_shadow(own, more), ...); });
  });
}
template <class... A, class... B> RG void retract_shadow(Tuple<A...>& to, const Tuple<B...>& x) {
  on_parts(to, [&](A&... own) {
    on_parts(x, [&](const B&... less) { (retract_shadow(own, less), ...); });
  });
}
template <class B> RG void add_shadow(NoShadow, const B&) {}
template <class B> RG void retract_shadow(NoShadow, const B&) {}

// The shadow of what is lent twice: one of its own that is added later, as in Rust, but of
// a slice, for which there is no room, the shadow itself. Both are only added to.
template <class A, class D> RG auto stand_in(const A& x, D&&) { return shadow(x); }
template <class T, class D> RG auto stand_in(const Slice<T>&, D&& own) { return all(own); }
template <class D, class A> RG void add_stand_in(D&& to, const A& x) { add_shadow(to, x); }
template <class D, class T> RG void add_stand_in(D&&, const Slice<T>&) {}

template <class A> RG auto negated(const A& x) {
  auto zero = shadow(x);
  retract_shadow(zero, value(x));
  return zero;
}
RG f64 negated(f64 x) { return -x; }
RG f32 negated(f32 x) { return -x; }
template <class A> RG bool is_not_zero(const A& x) {
  if constexpr (is_integer<Plain<A>>) {
    return false;
  } else {
    return !is_zero(value(x));
  }
}
template <class T, usize N> RG Plain<T> sum(const Array<T, N>& x) {
  Plain<T> total = value(x.held[0]);
  for (usize i = 1; i < N; ++i) add_shadow(total, x.held[i]);
  return total;
}
// Of `x as T`: floats carry gradients to each other, integers none.
template <class G, class X> RG Plain<X> cast(const G& g, const X& x) {
  if constexpr (is_float<Plain<X>>) {
    return (Plain<X>)value(g);
  } else {
    return value(x);
  }
}

namespace slope {
#define RG_SLOPE(name, x, formula) \
  template <class T> RG T name(const T& x) { return formula; }
template <class T> RG T ln_2() { return -ln(T(0.5)); }
template <class T> RG T beside_one(const T& x) { return sqrt((T(1) - x) * (T(1) + x)); }
template <class T> RG T hypot_one(const T& x) { return hypot(x, T(1)); }
RG_SLOPE(exp_m1, x, rg::exp(x))
RG_SLOPE(ln, x, recip(x))
RG_SLOPE(ln_1p, x, recip(T(1) + x))
RG_SLOPE(log2, x, recip(x * ln_2<T>()))
RG_SLOPE(log10, x, recip(x * rg::ln(T(10.0))))
RG_SLOPE(sin, x, rg::cos(x))
RG_SLOPE(cos, x, -rg::sin(x))
RG_SLOPE(asin, x, recip_or_zero(beside_one(x)))
RG_SLOPE(acos, x, -recip_or_zero(beside_one(x)))
RG_SLOPE(atan, x, recip(T(1) + x * x))
RG_SLOPE(sinh, x, rg::cosh(x))
RG_SLOPE(cosh, x, rg::sinh(x))
RG_SLOPE(asinh, x, recip(hypot_one(x)))
RG_SLOPE(acosh, x, recip_or_zero(rg::sqrt(x - T(1)) * rg::sqrt(x + T(1))))
RG_SLOPE(atanh, x, recip((T(1) - x) * (T(1) + x)))
RG_SLOPE(sqrt, y, scaled(recip_or_zero(y), 0.5))
RG_SLOPE(cbrt, y, recip_or_zero(T(3.0) * y * y))
RG_SLOPE(exp, y, y)
RG_SLOPE(fast_exp, y, y)
RG_SLOPE(exp2, y, y * ln_2<T>())
RG_SLOPE(tan, y, T(1) + y * y)
RG_SLOPE(tanh, y, (T(1) - y) * (T(1) + y))
RG_SLOPE(fast_tanh, y, tanh(y))
RG_SLOPE(recip, y, -(y * y))
RG_SLOPE(abs, x, is_zero(x) ? T(0) : signum(x))
#undef RG_SLOPE
template <class T, class I> RG T powi(const T& x, I exponent) {
  const int n = (int)exponent;
  if (n == 0 || (n < 0 && is_zero(x))) return T(0);
  return T((f64)n) * rg::powi(x, n - 1);
}
template <class T, class P> RG T powf_left(const T& x, const P& exponent, const T&) {
  const T p = as<T>(exponent), less = p - T(1);
  if (!is_zero(x)) return p * rg::powf(x, less);
  if (!(is_zero(less) || less > T(0))) return T(0);
  const T power = rg::powf(x, less);
  return is_zero(power - power) ? p * power : T(0);
}
template <class T, class P> RG T powf_right(const T& x, const P&, const T& y) {
  return x > T(0) ? y * rg::ln(x) : T(0);
}
template <class T> RG T hypot_left(const T& a, const T&, const T& y) { return is_zero(y) ? T(0) : a / y; }
template <class T> RG T hypot_right(const T& a, const T& b, const T& y) { return hypot_left(b, a, y); }
template <class T> RG T atan2_left(const T& a, const T& b) {
  const T length = hypot(b, a);
  return is_zero(length) ? T(0) : b / length / length;
}
template <class T> RG T atan2_right(const T& a, const T& b) { return -atan2_left(b, a); }
template <class T> RG T share(const T& a, const T& b, bool chosen) {
  return a == b ? T(0.5) : chosen ? T(1) : T(0);
}
template <class T> RG T min_left(const T& a, const T& b) { return share(a, b, a < b || b != b); }
template <class T> RG T min_right(const T& a, const T& b) { return share(a, b, !(a < b || b != b)); }
template <class T> RG T max_left(const T& a, const T& b) { return share(a, b, a > b || b != b); }
template <class T> RG T max_right(const T& a, const T& b) { return share(a, b, !(a > b || b != b)); }
template <class T> RG Tuple<T, T> divided(const T& a, const T& b) {
  const T quotient = rg::trunc(a / b);
  const T rest = mul_add(-quotient, b, a);
  if ((rest < T(0) && a > T(0)) || (rest > T(0) && a < T(0))) {
    const T once = signum(quotient);
    return Tuple<T, T>{quotient - once, mul_add(once, b, rest)};
  }
  return Tuple<T, T>{quotient, rest};
}
template <class T> RG T rem_right(const T& a, const T& b) { return -divided(a, b)._0; }
template <class T> RG T rem_euclid_right(const T& a, const T& b) {
  const auto parts = divided(a, b);
  return parts._1 < T(0) ? signum(b) - parts._0 : -parts._0;
}
template <class T> RG T copysign_left(const T& a, const T& b) { return slope::abs(a) * signum(b); }
}  // namespace slope

namespace pull {
#define RG_PULL(name) \
  template <class G, class X> RG auto name(const G& g, const X& x) { return value(g) * conj(slope::name(value(x))); }
RG_PULL(exp_m1) RG_PULL(ln) RG_PULL(ln_1p) RG_PULL(log2) RG_PULL(log10) RG_PULL(sin) RG_PULL(cos)
RG_PULL(asin) RG_PULL(acos) RG_PULL(atan) RG_PULL(sinh) RG_PULL(cosh) RG_PULL(asinh) RG_PULL(acosh)
RG_PULL(atanh) RG_PULL(sqrt) RG_PULL(cbrt) RG_PULL(exp) RG_PULL(exp2) RG_PULL(tan) RG_PULL(tanh)
RG_PULL(fast_exp) RG_PULL(fast_tanh) RG_PULL(recip) RG_PULL(abs)
#undef RG_PULL
template <class G, class X, class I> RG auto powi(const G& g, const X& x, I n) {
  return value(g) * conj(slope::powi(value(x), n));
}
template <class G, class T> RG auto own_root(const G& g, const T& root) { return value(g) * conj(scaled(root, 1.5)); }
template <class G, class T> RG auto sin_cos(const Tuple<G, G>& g, const Tuple<T, T>& y) {
  return g._0 * conj(y._1) - g._1 * conj(y._0);
}
#define RG_PULL_OF_TWO(name) \
  template <class G, class A, class B> RG auto name(const G& g, const A& a, const B& b) { \
    using F = Beside<A, B>;                                                               \
    return value(g) * slope::name(as<F>(a), as<F>(b));                                    \
  }
RG_PULL_OF_TWO(atan2_left) RG_PULL_OF_TWO(atan2_right) RG_PULL_OF_TWO(copysign_left)
RG_PULL_OF_TWO(rem_euclid_right)
#undef RG_PULL_OF_TWO
#define RG_PULL_OF_THREE(name) \
  template <class G, class A, class B, class Y> RG auto name(const G& g, const A& a, const B& b, const Y& y) { \
    using F = Beside<A, B>;                                                                                    \
    return value(g) * slope::name(as<F>(a), as<F>(b), as<F>(y));                                               \
  }
RG_PULL_OF_THREE(powf_left) RG_PULL_OF_THREE(powf_right) RG_PULL_OF_THREE(hypot_left)
RG_PULL_OF_THREE(hypot_right)
#undef RG_PULL_OF_THREE
// Nothing where nothing was chosen, also of an infinite gradient.
#define RG_PULL_CHOSEN(name) \
  template <class G, class A, class B> RG auto name(const G& g, const A& a, const B& b) { \
    using F = Beside<A, B>;                                                               \
    if constexpr (is_integer<F>) {                                                        \
      return F(0);                                                                        \
    } else {                                                                              \
      const F slope = slope::name(as<F>(a), as<F>(b));                                    \
      return is_zero(slope) ? slope : value(g) * slope;                                   \
    }                                                                                     \
  }
RG_PULL_CHOSEN(min_left) RG_PULL_CHOSEN(min_right) RG_PULL_CHOSEN(max_left) RG_PULL_CHOSEN(max_right)
#undef RG_PULL_CHOSEN
template <class T, class Y> RG Complex<T> norm(const Y& g, const Complex<T>& z, const Y& y) {
  return is_zero(y) ? Complex<T>(T(0), T(0)) : z / y * g;
}
template <class G, class T> RG Complex<T> norm_sqr(const G& g, const Complex<T>& z) { return z * (g + g); }
template <class G, class T> RG Complex<T> arg(const G& g, const Complex<T>& z) {
  const T square = rg::norm_sqr(z);
  if (is_normal(square)) return Complex<T>(g * -(z.im / square), g * (z.re / square));
  // The square is too large or too small for a float.
  const T length = rg::norm(z);
  if (is_zero(length)) return Complex<T>(T(0), T(0));
  const Complex<T> unit = z / length;
  return Complex<T>(g * -(unit.im / length), g * (unit.re / length));
}
template <class G> RG auto conj(const G& g) { return rg::conj(value(g)); }
template <class G> RG Complex<Plain<G>> re(const G& g) { return Complex<Plain<G>>(value(g), Plain<G>(0)); }
template <class G> RG Complex<Plain<G>> im(const G& g) { return Complex<Plain<G>>(Plain<G>(0), value(g)); }
}  // namespace pull

// The operators. A complex number beside a real one gives it the real part.
template <class A, class G> RG auto fit(const A&, const G& g) {
  if constexpr (is_float<Plain<A>> && !is_float<Plain<G>>) {
    return g.re;
  } else {
    return g;
  }
}
template <class G, class A> RG auto real_share(const G& g, const A& x) { return fit(x, value(g)); }
#define RG_RULE(name) template <class G, class A, class B> RG auto name(const G& g, const A& a, const B& b)
namespace PullAdd {
RG_RULE(pull_add_left) { return fit(a, value(g)); }
RG_RULE(pull_add_right) { return fit(b, value(g)); }
}
namespace PullSub {
RG_RULE(pull_sub_left) { return fit(a, value(g)); }
RG_RULE(pull_sub_right) { return fit(b, -value(g)); }
}
namespace PullNeg {
template <class G, class A> RG auto pull_neg(const G& g, const A& x) { return fit(x, -value(g)); }
}
namespace PullMul {
RG_RULE(pull_mul_left) { return fit(a, value(g) * conj(value(b))); }
RG_RULE(pull_mul_right) { return fit(b, value(g) * conj(value(a))); }
}
namespace PullDiv {
RG_RULE(pull_div_left) { return fit(a, value(g) * recip(conj(value(b)))); }
template <class G, class A, class B, class Y>
RG auto pull_div_right(const G& g, const A& a, const B& b, const Y& quotient) {
  return fit(b, -(value(g) * recip(conj(value(b))) * conj(value(quotient))));
}
}
namespace PullRem {
RG_RULE(pull_rem_left) { return value(g); }
RG_RULE(pull_rem_right) { return value(g) * slope::rem_right(value(a), value(b)); }
}
#undef RG_RULE

// Whether two values agree to half of their digits.
template <class A, class B> RG bool close(const A& found, const B& expected) {
  using F = Plain<A>;
  if constexpr (is_float<F>) {
    const f64 a = (f64)value(found), b = (f64)as<F>(expected);
    f64 scale = ::fabs(a) > ::fabs(b) ? ::fabs(a) : ::fabs(b);
    if (scale < 1.0) scale = 1.0;
    const f64 tolerance = sizeof(F) == 8 ? 1.4901161193847656e-8 : 3.4526698300124393e-4;
    return a == b || (a != a && b != b) || ::fabs(a - b) <= tolerance * scale;
  } else {
    return found == (F)expected;
  }
}
template <class T, class U, usize N> RG bool close(const Array<T, N>& a, const Array<U, N>& b) {
  for (usize i = 0; i < N; ++i) {
    if (!close(a.held[i], b.held[i])) return false;
  }
  return true;
}
template <class... A, class... B> RG bool close(const Tuple<A...>& x, const Tuple<B...>& y) {
  return on_parts(x, [&](const A&... a) {
    return on_parts(y, [&](const B&... b) { return (close(a, b) && ...); });
  });
}
template <class T> RG bool close(const Complex<T>& a, const Complex<T>& b) {
  return close(a.re, b.re) && close(a.im, b.im);
}

namespace instructions {
struct swap {
  template <class A, class B> RG static void forward(A&& a, B&& b) {
    auto held = a;
    a = b;
    b = held;
  }
  template <class A, class B> RG static void inverse(A&& a, B&& b) { forward(a, b); }
  template <class A, class DA, class B, class DB> RG static void adjoint(A&& a, DA&& d_a, B&& b, DB&& d_b) {
    forward(a, b);
    forward(d_a, d_b);
  }
  template <class A, class DA, class B, class DB>
  RG static void inverse_adjoint(A&& a, DA&& d_a, B&& b, DB&& d_b) { adjoint(a, d_a, b, d_b); }
  template <class A, class DA, class B, class DB>
  RG static void gradient(A&& a, DA&& d_a, B&& b, DB&& d_b) { adjoint(a, d_a, b, d_b); }
};
struct neg {
  template <class A> RG static void forward(A&& a) { a = -a; }
  template <class A> RG static void inverse(A&& a) { forward(a); }
  template <class A, class D> RG static void adjoint(A&& a, D&& d) { forward(a); forward(d); }
  template <class A, class D> RG static void inverse_adjoint(A&& a, D&& d) { adjoint(a, d); }
  template <class A, class D> RG static void gradient(A&& a, D&& d) { adjoint(a, d); }
};
// `(a, b) ↦ (a cos θ − b sin θ, a sin θ + b cos θ)`
struct rot {
  template <class A, class B, class C, class S> RG static void turn(A&& a, B&& b, C cos, S sin) {
    const auto x = a * cos - b * sin;
    const auto y = a * sin + b * cos;
    a = x;
    b = y;
  }
  template <class A, class B, class T> RG static void forward(A&& a, B&& b, const T& angle) {
    const auto both = sin_cos(value(angle));
    turn(a, b, both._1, both._0);
  }
  template <class A, class B, class T> RG static void inverse(A&& a, B&& b, const T& angle) {
    const auto both = sin_cos(value(angle));
    turn(a, b, both._1, -both._0);
  }
  template <class A, class DA, class B, class DB, class T, class DT>
  RG static void adjoint(A&& a, DA&& d_a, B&& b, DB&& d_b, const T& angle, DT&& d_angle) {
    add_shadow(d_angle, d_b * a - d_a * b);
    const auto both = sin_cos(value(angle));
    turn(d_a, d_b, both._1, -both._0);
    turn(a, b, both._1, -both._0);
  }
  template <class A, class DA, class B, class DB, class T, class DT>
  RG static void inverse_adjoint(A&& a, DA&& d_a, B&& b, DB&& d_b, const T& angle, DT&& d_angle) {
    retract_shadow(d_angle, d_b * a - d_a * b);
    const auto both = sin_cos(value(angle));
    turn(d_a, d_b, both._1, both._0);
    turn(a, b, both._1, both._0);
  }
  template <class A, class DA, class B, class DB, class T, class DT>
  RG static void gradient(A&& a, DA&& d_a, B&& b, DB&& d_b, const T& angle, DT&& d_angle) {
    adjoint(a, d_a, b, d_b, angle, d_angle);
  }
};
struct inc {
  template <class A> RG static void forward(A&& a) { a += 1; }
  template <class A> RG static void inverse(A&& a) { a -= 1; }
  template <class A, class D> RG static void adjoint(A&& a, D&&) { inverse(a); }
  template <class A, class D> RG static void inverse_adjoint(A&& a, D&&) { forward(a); }
  template <class A, class D> RG static void gradient(A&& a, D&&) { inverse(a); }
};
struct dec {
  template <class A> RG static void forward(A&& a) { a -= 1; }
  template <class A> RG static void inverse(A&& a) { a += 1; }
  template <class A, class D> RG static void adjoint(A&& a, D&&) { inverse(a); }
  template <class A, class D> RG static void inverse_adjoint(A&& a, D&&) { forward(a); }
  template <class A, class D> RG static void gradient(A&& a, D&&) { inverse(a); }
};
struct flip {
  RG static void forward(bool& b) { b = !b; }
  RG static void inverse(bool& b) { b = !b; }
  template <class D> RG static void adjoint(bool& b, D&&) { b = !b; }
  template <class D> RG static void inverse_adjoint(bool& b, D&&) { b = !b; }
  template <class D> RG static void gradient(bool& b, D&&) { b = !b; }
};
struct conj {
  template <class A> RG static void forward(A&& a) { a = rg::conj(a); }
  template <class A> RG static void inverse(A&& a) { forward(a); }
  template <class A, class D> RG static void adjoint(A&& a, D&& d) { forward(a); forward(d); }
  template <class A, class D> RG static void inverse_adjoint(A&& a, D&& d) { adjoint(a, d); }
  template <class A, class D> RG static void gradient(A&& a, D&& d) { adjoint(a, d); }
};
}  // namespace instructions

}  // namespace rg
