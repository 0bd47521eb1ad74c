// The matrices of matrix_units.glsl in plain arithmetic, so that its tiles, its stages and its edges are tested on any
// device. It needs no subgroups either: 32 consecutive threads stand for one. A loaded matrix is only the place that it
// was loaded from, whose content must stay until it has been multiplied; a sum is spread over the threads.

struct MatrixX {
  uint at;
};
struct MatrixW {
  uint at;
};
struct MatrixSum {
  float of[8];  // of row, column (i * 32 + lane) / 16, % 16
};

float F16At(uvec4 v8, uint i) { return unpackHalf2x16(v8[i / 2])[i % 2]; }

uint SubgroupIndex() { return gl_LocalInvocationIndex / 32; }
uint SubgroupLane() { return gl_LocalInvocationIndex % 32; }
void MeetSubgroup() { barrier(); }

void MultiplyAdd(inout MatrixSum sum, MatrixX x, MatrixW w) {
  for (uint i = 0; i < 8; ++i) {
    const uint row = (i * 32 + SubgroupLane()) / 16, column = (i * 32 + SubgroupLane()) % 16;
    float v = sum.of[i];
    for (uint k = 0; k < 16; ++k) {
      v = fma(F16At(staging[x.at + row * kXStride + k / 8], k % 8),
              F16At(staging[w.at + k * kWStride + column / 8], column % 8), v);
    }
    sum.of[i] = v;
  }
}

void ClearSum(inout MatrixSum sum) {
  for (uint i = 0; i < 8; ++i) sum.of[i] = 0.0;
}

void StoreSum(MatrixSum sum, uint at) {
  for (uint i = 0; i < 8; ++i) {
    const uint row = (i * 32 + SubgroupLane()) / 16, column = (i * 32 + SubgroupLane()) % 16;
    staging[at + row * kLaidOutStride + column / 4][column % 4] = floatBitsToUint(sum.of[i]);
  }
}

#define CLEAR_SUM(sum) ClearSum(sum)
#define LOAD_X(matrix, from) matrix.at = from
#define LOAD_W(matrix, from) matrix.at = from
#define MULTIPLY_ADD(sum, x, w) MultiplyAdd(sum, x, w)
#define STORE_SUM(sum, to) StoreSum(sum, to)
