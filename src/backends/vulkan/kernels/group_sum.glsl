// Sums and maxima over all threads of a group, in an order that never changes.

shared float of_thread[GROUP_SIZE];

// All threads call it together, and all receive the sum.
float GroupSum(float v) {
  const uint thread = gl_LocalInvocationIndex;
  of_thread[thread] = v;
  barrier();
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    if (thread < half_size) of_thread[thread] += of_thread[thread + half_size];
    barrier();
  }
  const float sum = of_thread[0];
  barrier();
  return sum;
}

float GroupMax(float v) {
  const uint thread = gl_LocalInvocationIndex;
  of_thread[thread] = v;
  barrier();
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    if (thread < half_size) of_thread[thread] = max(of_thread[thread], of_thread[thread + half_size]);
    barrier();
  }
  const float largest = of_thread[0];
  barrier();
  return largest;
}
