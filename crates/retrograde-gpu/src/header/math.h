// Functions of numbers, as Rust defines them.

#if !defined(__CUDACC__)
#include <math.h>
#endif

namespace rg {

// Numbers that may be literals, beside each other.
template <class A, class B>
using Beside = typename If<same<Decided<A, B>, Literal>, f64, Decided<A, B>>::type;

#define RG_UNARY(name, of_f64, of_f32)            \
  RG f64 name(f64 x) { return of_f64(x); }        \
  RG f32 name(f32 x) { return of_f32(x); }
RG_UNARY(sin, ::sin, ::sinf)
RG_UNARY(cos, ::cos, ::cosf)
RG_UNARY(tan, ::tan, ::tanf)
RG_UNARY(asin, ::asin, ::asinf)
RG_UNARY(acos, ::acos, ::acosf)
RG_UNARY(atan, ::atan, ::atanf)
RG_UNARY(sinh, ::sinh, ::sinhf)
RG_UNARY(cosh, ::cosh, ::coshf)
RG_UNARY(tanh, ::tanh, ::tanhf)
RG_UNARY(exp, ::exp, ::expf)
RG_UNARY(exp2, ::exp2, ::exp2f)
RG_UNARY(exp_m1, ::expm1, ::expm1f)
RG_UNARY(ln, ::log, ::logf)
RG_UNARY(ln_1p, ::log1p, ::log1pf)
RG_UNARY(log2, ::log2, ::log2f)
RG_UNARY(log10, ::log10, ::log10f)
RG_UNARY(sqrt, ::sqrt, ::sqrtf)
RG_UNARY(cbrt, ::cbrt, ::cbrtf)
RG_UNARY(floor, ::floor, ::floorf)
RG_UNARY(ceil, ::ceil, ::ceilf)
RG_UNARY(trunc, ::trunc, ::truncf)
RG_UNARY(round, ::round, ::roundf)
RG_UNARY(round_ties_even, ::rint, ::rintf)
RG_UNARY(fast_exp, ::exp, ::expf)
RG_UNARY(fast_tanh, ::tanh, ::tanhf)
#undef RG_UNARY

#define RG_OF_FLOAT template <class T, class = typename Only<is_float<Plain<T>> || same<T, Literal>>::type>
RG f64 abs(f64 x) { return ::fabs(x); }
RG f32 abs(f32 x) { return ::fabsf(x); }
RG i32 abs(i32 x) { return x < 0 ? -x : x; }
RG i64 abs(i64 x) { return x < 0 ? -x : x; }
template <class T> RG T recip(const T& x) { return T(1) / x; }
template <class T> RG auto recip(const Atomic<T>& x) { return T(1) / x.held; }
RG_OF_FLOAT RG Plain<T> signum(const T& x) {
  using F = Plain<T>;
  return x == x ? (F)copysign(F(1), value(x)) : value(x);
}
RG i32 signum(i32 x) { return (x > 0) - (x < 0); }
RG i64 signum(i64 x) { return (x > 0) - (x < 0); }
RG_OF_FLOAT RG Plain<T> fract(const T& x) { return value(x) - trunc(value(x)); }
RG f64 to_degrees(f64 x) { return x * (180.0 / 3.14159265358979323846264338327950288); }
RG f32 to_degrees(f32 x) { return x * 57.2957795130823208767981548141051703f; }
RG f64 to_radians(f64 x) { return x * (3.14159265358979323846264338327950288 / 180.0); }
RG f32 to_radians(f32 x) { return x * 0.017453292519943295769236907684886f; }

// These are Rust's own formulas.
template <class F> RG F asinh_of(F x) {
  const F ax = abs(x), ix = F(1) / ax;
  return ::copysign(ln_1p(ax + (ax / (::hypot(F(1), ix) + ix))), x);
}
RG f64 asinh(f64 x) { return asinh_of(x); }
RG f32 asinh(f32 x) { return asinh_of(x); }
template <class F> RG F acosh_of(F x) {
  if (x < F(1)) return (x - x) / (x - x);
  return ln(x + (sqrt(x - F(1)) * sqrt(x + F(1))));
}
RG f64 acosh(f64 x) { return acosh_of(x); }
RG f32 acosh(f32 x) { return acosh_of(x); }
template <class F> RG F atanh_of(F x) {
  return ::copysign(F(0.5) * ln_1p((F(2) * abs(x)) / (F(1) - abs(x))), x);
}
RG f64 atanh(f64 x) { return atanh_of(x); }
RG f32 atanh(f32 x) { return atanh_of(x); }

#define RG_BINARY(name, of_f64, of_f32)                              \
  RG f64 name##_of(f64 x, f64 y) { return of_f64(x, y); }            \
  RG f32 name##_of(f32 x, f32 y) { return of_f32(x, y); }            \
  template <class A, class B> RG auto name(const A& x, const B& y) { \
    using F = Beside<A, B>;                                          \
    return name##_of(as<F>(x), as<F>(y));                            \
  }
RG_BINARY(atan2, ::atan2, ::atan2f)
RG_BINARY(hypot, ::hypot, ::hypotf)
RG_BINARY(powf, ::pow, ::powf)
RG_BINARY(copysign, ::copysign, ::copysignf)
#undef RG_BINARY
template <class A, class B> RG auto min(const A& x, const B& y) {
  using F = Beside<A, B>;
  const F a = as<F>(x), b = as<F>(y);
  if constexpr (is_float<F>) {
    return (F)(sizeof(F) == 8 ? ::fmin(a, b) : ::fminf(a, b));
  } else {
    return b < a ? b : a;
  }
}
template <class A, class B> RG auto max(const A& x, const B& y) {
  using F = Beside<A, B>;
  const F a = as<F>(x), b = as<F>(y);
  if constexpr (is_float<F>) {
    return (F)(sizeof(F) == 8 ? ::fmax(a, b) : ::fmaxf(a, b));
  } else {
    return b < a ? a : b;
  }
}
template <class A, class L, class H> RG auto clamp(const A& x, const L& low, const H& high) {
  using F = Beside<A, Beside<L, H>>;
  F held = as<F>(x);
  if (held < as<F>(low)) held = as<F>(low);
  if (held > as<F>(high)) held = as<F>(high);
  return held;
}
template <class A, class B, class C> RG auto mul_add(const A& x, const B& y, const C& z) {
  using F = Beside<A, Beside<B, C>>;
  if constexpr (sizeof(F) == 8) {
    return ::fma(as<F>(x), as<F>(y), as<F>(z));
  } else {
    return ::fmaf(as<F>(x), as<F>(y), as<F>(z));
  }
}
template <class A, class B> RG auto log(const A& x, const B& base) {
  using F = Beside<A, B>;
  return ln(as<F>(x)) / ln(as<F>(base));
}

// By squaring, from the lowest bit of the exponent.
template <class F, class I> RG auto powi(const F& x, I exponent) {
  using T = typename If<same<Plain<F>, Literal>, f64, Plain<F>>::type;
  T base = as<T>(x), power = T(1);
  int n = (int)exponent;
  const bool below = n < 0;
  while (true) {
    if (n & 1) power = power * base;
    n /= 2;
    if (n == 0) break;
    base = base * base;
  }
  return below ? T(1) / power : power;
}
template <class A, class I> RG A pow(const A& x, I exponent) {
  A power = A(1), base = x;
  for (u32 n = (u32)exponent; n; n >>= 1) {
    if (n & 1) power = power * base;
    base = base * base;
  }
  return power;
}
// It has no sign.
template <class A, class B> RG auto abs_diff(const A& x, const B& y) {
  using I = Beside<A, B>;
  using U = typename If<sizeof(I) == 4, u32, u64>::type;
  const I a = as<I>(x), b = as<I>(y);
  return a < b ? U(U(b) - U(a)) : U(U(a) - U(b));
}

template <class A, class B> RG auto div_ceil(const A& x, const B& y) {
  using I = Decided<A, B>;
  const I a = as<I>(x), b = as<I>(y), quotient = I(a / b);
  return a % b != I(0) ? I(quotient + I(1)) : quotient;
}

template <class A, class B> RG auto rem(const A& x, const B& y) {
  using F = Beside<A, B>;
  if constexpr (same<F, f64>) {
    return ::fmod(as<F>(x), as<F>(y));
  } else if constexpr (same<F, f32>) {
    return ::fmodf(as<F>(x), as<F>(y));
  } else {
    return x % y;
  }
}
template <class A, class B> RG auto div_euclid(const A& x, const B& y) {
  using F = Beside<A, B>;
  const F a = as<F>(x), b = as<F>(y);
  if constexpr (is_float<F>) {
    const F quotient = trunc(a / b);
    if (rem(a, b) < F(0)) return b > F(0) ? quotient - F(1) : quotient + F(1);
    return quotient;
  } else {
    const F quotient = a / b;
    if (a % b < 0) return b > 0 ? quotient - 1 : quotient + 1;
    return quotient;
  }
}
template <class A, class B> RG auto rem_euclid(const A& x, const B& y) {
  using F = Beside<A, B>;
  const F a = as<F>(x), b = as<F>(y), rest = rem(a, b);
  return rest < F(0) ? F(b < F(0) ? rest - b : rest + b) : rest;
}
template <class A, class B> RG auto div(const A& x, const B& y) { return x / y; }
// As Rust's without checks: of the distance, as many bits count as tell the bits apart.
template <class A, class B> RG A shl(const A& x, const B& y) {
  return A((u64)x << ((u64)y & (8 * sizeof(A) - 1)));
}
template <class A, class B> RG A shr(const A& x, const B& y) {
  const int by = (int)((u64)y & (8 * sizeof(A) - 1));
  if constexpr (same<A, Integer>) {
    return A(x.held >> by);
  } else {
    return A(x >> by);
  }
}
template <class A> RG A scaled(const A& x, f64 factor) { return x * A(factor); }
template <class F> RG Tuple<F, F> sin_cos(const F& x) {
#if defined(__CUDACC__)
  Tuple<F, F> both;
  if constexpr (sizeof(F) == 8) {
    ::sincos(x, &both._0, &both._1);
  } else {
    ::sincosf(x, &both._0, &both._1);
  }
  return both;
#else
  return Tuple<F, F>{sin(x), cos(x)};
#endif
}

// Complex numbers.
template <class T> struct Complex {
  using Parameters = Tuple<T>;
  T re, im;
  Complex() = default;
  RG Complex(T re, T im) : re(re), im(im) {}
  RG explicit Complex(f64 x) : re(T(x)), im(T(0)) {}
  template <class O> RG void operator+=(const Complex<O>& o) { re += value(o.re); im += value(o.im); }
  template <class O> RG void operator-=(const Complex<O>& o) { re -= value(o.re); im -= value(o.im); }
  RG bool operator==(const Complex& o) const { return re == o.re && im == o.im; }
  RG bool operator!=(const Complex& o) const { return !(*this == o); }
};
template <class T> struct Sharing<Complex<T>> { using type = Complex<Shared<T>>; };
template <class T> struct Owning<Complex<T>> { using type = Complex<Plain<T>>; };
template <class A, class B> RG auto complex(const A& re, const B& im) {
  using F = Beside<A, B>;
  return Complex<F>(as<F>(re), as<F>(im));
}
template <class T> RG Complex<T> operator-(const Complex<T>& a) { return Complex<T>(-a.re, -a.im); }
template <class T> RG Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return Complex<T>(a.re + b.re, a.im + b.im);
}
template <class T> RG Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
  return Complex<T>(a.re - b.re, a.im - b.im);
}
template <class T> RG Complex<T> operator*(const Complex<T>& a, const Complex<T>& b) {
  return Complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class T> RG T norm_sqr(const Complex<T>& z) { return z.re * z.re + z.im * z.im; }
template <class T> RG Complex<T> operator/(const Complex<T>& a, const Complex<T>& b) {
  const T length = norm_sqr(b);
  const T re = a.re * b.re + a.im * b.im, im = a.im * b.re - a.re * b.im;
  return Complex<T>(re / length, im / length);
}
template <class T> RG Complex<T> operator+(const Complex<T>& a, T b) { return Complex<T>(a.re + b, a.im); }
template <class T> RG Complex<T> operator-(const Complex<T>& a, T b) { return Complex<T>(a.re - b, a.im); }
template <class T> RG Complex<T> operator*(const Complex<T>& a, T b) { return Complex<T>(a.re * b, a.im * b); }
template <class T> RG Complex<T> operator*(T a, const Complex<T>& b) { return Complex<T>(a * b.re, a * b.im); }
template <class T> RG Complex<T> operator/(const Complex<T>& a, T b) { return Complex<T>(a.re / b, a.im / b); }
template <class T> RG T norm(const Complex<T>& z) { return hypot(z.re, z.im); }
template <class T> RG T arg(const Complex<T>& z) { return atan2(z.im, z.re); }
template <class T> RG Complex<T> conj(const Complex<T>& z) { return Complex<T>(z.re, -z.im); }
RG f64 conj(f64 x) { return x; }
RG f32 conj(f32 x) { return x; }
template <class T> RG Complex<T> recip(const Complex<T>& z) { 
  const T length = norm_sqr(z);
  return Complex<T>(z.re / length, -z.im / length);
}
template <class T> RG Complex<T> scaled(const Complex<T>& z, f64 factor) { return z * T(factor); }
template <class T> RG Complex<T> exp(const Complex<T>& z) {
  const T length = exp(z.re);
  return Complex<T>(length * cos(z.im), length * sin(z.im));
}
template <class T> RG Complex<T> ln(const Complex<T>& z) { return Complex<T>(ln(norm(z)), arg(z)); }

}  // namespace rg
