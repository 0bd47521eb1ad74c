// What matrix_units.glsl multiplies with: the device's own matrix units. A matrix is spread over a subgroup's threads.
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require

#define MatrixX coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MatrixW coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define MatrixSum coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

#define CLEAR_SUM(sum) sum = MatrixSum(0.0)
#define LOAD_X(matrix, at) coopMatLoad(matrix, room, at, kXStride, gl_CooperativeMatrixLayoutRowMajor)
#define LOAD_W(matrix, at) coopMatLoad(matrix, room, at, kWStride, gl_CooperativeMatrixLayoutRowMajor)
#define MULTIPLY_ADD(sum, x, w) sum = coopMatMulAdd(x, w, sum)
#define STORE_SUM(sum, at) coopMatStore(sum, room, at, kLaidOutStride, gl_CooperativeMatrixLayoutRowMajor)

uint SubgroupIndex() { return gl_SubgroupID; }
uint SubgroupLane() { return gl_SubgroupInvocationID; }
// What the subgroup's threads have written to shared memory is seen by all of them.
void MeetSubgroup() {
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}
