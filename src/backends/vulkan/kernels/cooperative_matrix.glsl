// The matrices of matrix_units.glsl by the device's own matrix units. A matrix is spread over a subgroup's threads.
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require

#define MatrixX coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MatrixW coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define MatrixSum coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

#define CLEAR_SUM(sum) sum = MatrixSum(0.0)
#define LOAD_X(matrix, at) coopMatLoad(matrix, staging, at, kXStride, gl_CooperativeMatrixLayoutRowMajor)
#define LOAD_W(matrix, at) coopMatLoad(matrix, staging, at, kWStride, gl_CooperativeMatrixLayoutRowMajor)
#define MULTIPLY_ADD(sum, x, w) sum = coopMatMulAdd(x, w, sum)
#define STORE_SUM(sum, at) coopMatStore(sum, staging, at, kLaidOutStride, gl_CooperativeMatrixLayoutRowMajor)

uint SubgroupIndex() { return gl_SubgroupID; }
uint SubgroupLane() { return gl_SubgroupInvocationID; }
// Makes what the subgroup's threads have written to shared memory visible to all of them.
void MeetSubgroup() {
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}
