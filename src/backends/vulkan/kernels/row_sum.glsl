// Sums and maxima over the threads of a row, in an order that never changes. The kernel defines ROW_THREADS, a power of
// two that divides WORKGROUP_SIZE: as many consecutive threads share a row. All threads of the workgroup call these
// together.

shared float of_thread[WORKGROUP_SIZE];

float RowSum(float v) {
  const uint thread = gl_LocalInvocationIndex, lane = thread % ROW_THREADS;
  of_thread[thread] = v;
  barrier();
  for (uint half_size = ROW_THREADS / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) of_thread[thread] += of_thread[thread + half_size];
    barrier();
  }
  const float sum = of_thread[thread - lane];
  barrier();
  return sum;
}

float RowMax(float v) {
  const uint thread = gl_LocalInvocationIndex, lane = thread % ROW_THREADS;
  of_thread[thread] = v;
  barrier();
  for (uint half_size = ROW_THREADS / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) of_thread[thread] = max(of_thread[thread], of_thread[thread + half_size]);
    barrier();
  }
  const float largest = of_thread[thread - lane];
  barrier();
  return largest;
}
