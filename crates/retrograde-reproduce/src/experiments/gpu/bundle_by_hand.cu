// The Jacobian of bundle adjustment, written by hand: a thread for an observation, both rows
// from one evaluation, and rows that leave through shared memory, so that neighbouring threads
// write neighbouring numbers.

#define CAMERA 11
#define BLOCK 128

// Copies what every thread of a warp holds, `count` numbers each, to consecutive memory.
__device__ __forceinline__ void leave(double* to, const double* held, int count, double* room,
                                      unsigned long long first, unsigned long long n) {
  const int lane = threadIdx.x % 32;
  for (int k = 0; k < count; ++k) room[lane * count + k] = held[k];
  __syncwarp();
  const unsigned long long present = n - first < 32 ? n - first : 32;
  for (int k = lane; k < count * (int)present; k += 32) to[first * count + k] = room[k];
  __syncwarp();
}

extern "C" __global__ void __launch_bounds__(BLOCK) rg_kernel(
    double* __restrict__ of_cameras, unsigned long long, double* __restrict__ of_points,
    unsigned long long, double* __restrict__ of_weights, unsigned long long,
    const double* __restrict__ cameras, unsigned long long, const double* __restrict__ points,
    unsigned long long, const double* __restrict__ weights, unsigned long long n,
    const double* __restrict__ seen, unsigned long long, const unsigned* __restrict__ camera_of,
    unsigned long long, const unsigned* __restrict__ point_of, unsigned long long) {
  __shared__ double room[BLOCK / 32][32 * 2 * CAMERA];
  const unsigned long long i = (unsigned long long)blockIdx.x * BLOCK + threadIdx.x;
  const unsigned long long first = i - i % 32;
  if (first >= n) return;
  const unsigned long long own = i < n ? i : n - 1;
  const double* c = cameras + CAMERA * camera_of[own];
  const double* p = points + 3 * point_of[own];
  const double w = weights[own];
  const double r0 = c[0], r1 = c[1], r2 = c[2];
  const double d0 = p[0] - c[3], d1 = p[1] - c[4], d2 = p[2] - c[5];
  const double square = r0 * r0 + r1 * r1 + r2 * r2;
  double a0 = r0, a1 = r1, a2 = r2, by = 1, sin = 1, cos = 1;
  const bool turned = square > 0;
  if (turned) {
    const double angle = sqrt(square);
    by = 1 / angle;
    a0 *= by; a1 *= by; a2 *= by;
    sincos(angle, &sin, &cos);
  }
  const double x0 = a1 * d2 - a2 * d1, x1 = a2 * d0 - a0 * d2, x2 = a0 * d1 - a1 * d0;
  const double along = turned ? a0 * d0 + a1 * d1 + a2 * d2 : 0;
  const double less = 1 - cos;
  const double t = along * less;
  const double q0 = d0 * cos + x0 * sin + a0 * t;
  const double q1 = d1 * cos + x1 * sin + a1 * t;
  const double q2 = d2 * cos + x2 * sin + a2 * t;
  const double over = 1 / q2, x = q0 * over, y = q1 * over;
  const double s = x * x + y * y;
  const double k1 = c[9], k2 = c[10], f = c[6];
  const double bend = 1 + s * (k1 + s * k2), scale = f * bend;
  const double slope = 2 * f * (k1 + 2 * s * k2);
  double rows[2 * CAMERA], to_point[6], to_weight[2];
  #pragma unroll
  for (int e = 0; e < 2; ++e) {
    const double at = e == 0 ? x : y;
    const double gx = w * ((e == 0 ? scale : 0) + at * slope * x);
    const double gy = w * ((e == 1 ? scale : 0) + at * slope * y);
    const double g0 = gx * over, g1 = gy * over, g2 = -(gx * x + gy * y) * over;
    const double ag = a0 * g0 + a1 * g1 + a2 * g2;
    // Through the rotation, to what was turned.
    const double m = less * ag;
    const double b0 = cos * g0 + sin * (g1 * a2 - g2 * a1) + m * a0;
    const double b1 = cos * g1 + sin * (g2 * a0 - g0 * a2) + m * a1;
    const double b2 = cos * g2 + sin * (g0 * a1 - g1 * a0) + m * a2;
    // To the axis and the angle.
    double v0 = sin * (d1 * g2 - d2 * g1) + t * g0 + m * d0;
    double v1 = sin * (d2 * g0 - d0 * g2) + t * g1 + m * d1;
    double v2 = sin * (d0 * g1 - d1 * g0) + t * g2 + m * d2;
    if (turned) {
      const double to_angle = cos * (x0 * g0 + x1 * g1 + x2 * g2) + sin * along * ag
                            - sin * (d0 * g0 + d1 * g1 + d2 * g2);
      const double av = a0 * v0 + a1 * v1 + a2 * v2;
      v0 = (v0 - a0 * av) * by + a0 * to_angle;
      v1 = (v1 - a1 * av) * by + a1 * to_angle;
      v2 = (v2 - a2 * av) * by + a2 * to_angle;
    }
    double* row = rows + e * CAMERA;
    row[0] = v0; row[1] = v1; row[2] = v2;
    row[3] = -b0; row[4] = -b1; row[5] = -b2;
    row[6] = w * bend * at;
    row[7] = e == 0 ? w : 0;
    row[8] = e == 1 ? w : 0;
    row[9] = w * f * s * at;
    row[10] = w * f * s * s * at;
    to_point[3 * e] = b0; to_point[3 * e + 1] = b1; to_point[3 * e + 2] = b2;
    to_weight[e] = scale * at + c[7 + e] - seen[2 * own + e];
  }
  double* mine = room[threadIdx.x / 32];
  leave(of_cameras, rows, 2 * CAMERA, mine, first, n);
  leave(of_points, to_point, 6, mine, first, n);
  leave(of_weights, to_weight, 2, mine, first, n);
}
