// Kernels for language_test.cc: what the translator rewrites and what the headers offer, seen from within.
#include <metal_stdlib>
#include <metal_math>

using namespace metal;

#define LIMIT 4
#define QUARTER 0.25

constant bool kDouble [[function_constant(0)]];
constant uint kShift [[function_constant(LIMIT)]];
constant float kScale [[function_constant(7)]];
constant half kHalfStep [[function_constant(9)]];
constant float kGiven = is_function_constant_defined(kScale) ? kScale : 3.0;
constant uint kTwice = kShift * 2;
constant float kTable[4] = {1.0, 2.5, -3.0, 4e1};
constant constexpr uint kWidth = 8;

struct Numbers {
  uint count;
  float factor;
  int offset;
};

struct Streams {
  device const half* from;
  device float* to;
};

template <typename T>
inline float First(device const T* p) { return float(p[0]); }

template <typename T>
inline void AddTo(thread T& sum, T value) { sum += value; }

inline float Sum(thread const float* values, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) sum += values[i];
  return sum;
}

inline float Scaled(constant Numbers& numbers, float v) { return v * numbers.factor + float(numbers.offset); }

// y[i] = x[i] * factor + offset, for i below count
kernel void scale(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant Numbers& numbers [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < numbers.count) y[i] = Scaled(numbers, x[i]);
}

kernel void literals(device float* y [[buffer(0)]]) {
  y[0] = 1.0 / 3.0;       // of floats: a double would round otherwise
  y[1] = float(0.1h);
  y[2] = QUARTER + 1e-1;
  y[3] = kTable[3] + kTable[1];
  y[4] = .5 * 2.;
  y[5] = float(1.0h / 3.0h);
  y[6] = 0x10 + 7u;
}

kernel void constants(device float* y [[buffer(0)]]) {
  y[0] = kDouble ? 2.0 : 1.0;
  y[1] = float(kTwice + kWidth);
  y[2] = kGiven;
  y[3] = kHalfStep;
  switch (kShift) {
    case 5:
      y[4] = 55.0;
      break;
    default:
      y[4] = -1.0;
  }
}

kernel void one_constant(device float* y [[buffer(0)]]) { y[0] = kDouble ? 2.0f : 1.0f; }

kernel void optional_buffer(device float* y [[buffer(0)]], device const float* bias [[buffer(1), function_constant(kDouble)]]) {
  y[0] = kDouble ? bias[0] + 1.0f : -1.0f;
}

// Pointers: cast, moved, compared, in structs, through templates.
kernel void pointers(device const half* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  const Streams streams = {x + 1, y};
  streams.to[0] = float(streams.from[0]);
  device const half4* fours = (device const half4*)(x + 4);
  const float4 v = float4(fours[0]);
  y[1] = v.x + v.y + v.z + v.w;
  device const uint* words = reinterpret_cast<device const uint*>(x);
  y[2] = float(words[0] & 0xffffu);
  device const half* p = x;
  p += 2;
  ++p;
  y[3] = *p;
  y[4] = float(p - x);
  y[5] = First(x + 6);
  y[6] = First(y);
  device const half* q = &x[3];
  y[7] = p == q ? 1.0f : 0.0f;
  float sum = 1;
  AddTo(sum, 2.0f);
  y[8] = sum;
  float values[3] = {1, 2, 3};
  y[9] = Sum(values, 3);
  y[10] += 0.5f;
  y[10] *= 2.0f;
  *(device float4*)(y + 12) = float4(1, 2, 3, 4);
  device packed_float3* threes = (device packed_float3*)(y + 16);
  threes[0] = float3(5, 6, 7);
  y[19] = float3(threes[0]).z;
}

kernel void vectors(device float* y [[buffer(0)]]) {
  float4 a = float4(1, 2, 3, 4);
  const float4 b = 2.0f;
  y[0] = dot(a, b);
  a.xy = float2(10, 20);
  a.zw = a.xy;
  y[1] = a.z + a.w;
  a *= 2.0f;
  y[2] = a.x + a[3];
  const half4 h = half4(a);
  y[3] = float(h.y) + float(half3(h.xyz).z);
  const uint3 u = uint3(7, 8, 9) % 4u + uint3(1);
  y[4] = float(u.x * 100 + u.y * 10 + u.z);
  y[5] = any(a > float4(39.5f)) && !all(a > float4(39.5f)) ? 1.0f : 0.0f;
  const float4 s = select(float4(1.0f), float4(2.0f), a > float4(30.0f));
  y[6] = s.x + s.y + s.z + s.w;
  const float4 c = clamp(a, 25.0f, 35.0f) + fma(b, b, float4(1.0f)) - max(b, 1.0f);
  y[7] = c.x + c.y;
  const float2 lo = a.lo, hi = float4(float2(1, 2), 3, 4).hi;
  y[8] = lo.y + hi.x;
  y[9] = float4(float3(1, 2, 3), 4).w + (-a).x;
  y[10] = float(half2(0.1f).x);
}

kernel void functions(device float* y [[buffer(0)]]) {
  y[0] = as_type<float>(0x40490fdbu);
  y[1] = fma(1.0f + exp2(-12.0f), 1.0f - exp2(-12.0f), -1.0f);  // exactly -2^-24: a product that rounds gives 0
  y[2] = rint(2.5f) + rint(3.5f);
  y[3] = precise::exp(1.0f);
  y[4] = max(NAN, 1.0f) + min(2.0f, NAN);
  y[5] = select(1.0f, 2.0f, true);
  y[6] = float(clamp(-3, 0, 5) + abs(-4));
  y[7] = saturate(1.5f) + mix(2.0f, 4.0f, 0.25f);
  y[8] = sqrt(16.0f) + rsqrt(0.25f) + floor(-0.5f) + ceil(0.5f);
  y[9] = float(max(0.1h, 0.2h));
  y[10] = float(min(3u, 5u) + popcount(7u) + clz(1u));
  y[11] = float(as_type<ushort>(half(1.0f)));
  y[12] = float(fma(0.1h, 0.1h, 1.0h));
  y[13] = float(mulhi(0x80000001u, 6u));
}

kernel void positions(device uint* y [[buffer(0)]], uint3 in_grid [[thread_position_in_grid]],
                      uint3 group [[threadgroup_position_in_grid]], ushort3 in_group [[thread_position_in_threadgroup]],
                      uint index [[thread_index_in_threadgroup]], uint3 size [[threads_per_threadgroup]],
                      uint3 groups [[threadgroups_per_grid]], uint lane [[thread_index_in_simdgroup]],
                      uint simd [[simdgroup_index_in_threadgroup]], uint simds [[simdgroups_per_threadgroup]],
                      uint3 grid [[threads_per_grid]], uint width [[threads_per_simdgroup]]) {
  device uint* row = y + ((in_grid.z * grid.y + in_grid.y) * grid.x + in_grid.x) * 10;
  row[0] = group.x + 10 * group.y + 100 * group.z;
  row[1] = in_group.x + 10 * in_group.y + 100 * in_group.z;
  row[2] = index;
  row[3] = size.x + 10 * size.y + 100 * size.z;
  row[4] = groups.x + 10 * groups.y + 100 * groups.z;
  row[5] = lane;
  row[6] = simd;
  row[7] = simds;
  row[8] = grid.x;
  row[9] = width;
}

[[max_total_threads_per_threadgroup(64)]] kernel void limited(device uint* y [[buffer(0)]],
                                                              uint i [[thread_position_in_grid]]) {
  y[i] = i;
}

kernel void count(device atomic_uint* counters [[buffer(0)]], device const uint* x [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&counters[x[i]], 1u, memory_order_relaxed);
  atomic_fetch_max_explicit(counters + 4, x[i], memory_order_relaxed);
}
