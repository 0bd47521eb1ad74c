// What a step does to each result before it stores it; read by C++, GLSL and MSL.
//
//   v = sum;  v += bias[c];  v = activation(v);  v *= gate[n, c];  v += residual[n, h, w, c];  store v
//
// in this order, each part only where its has_ field is 1 or an activation is named. A kernel of a kind that has an
// epilogue implements every part.
#ifndef INKREAD_SCHEDULE_STEPS_EPILOGUE_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_EPILOGUE_PARAMS_H_

#define INKREAD_ACTIVATION_NONE 0
#define INKREAD_ACTIVATION_RELU 1          // max(v, 0)
#define INKREAD_ACTIVATION_GELU 2          // v * 0.5 * (1 + erf(v / sqrt 2))
#define INKREAD_ACTIVATION_HARD_SIGMOID 3  // clamp(alpha * v + beta, 0, 1)
#define INKREAD_ACTIVATION_HARD_SWISH 4    // v * clamp(alpha * v + beta, 0, 1) * scale + offset
#define INKREAD_ACTIVATION_SIGMOID 5       // 1 / (1 + exp(-v))
#define INKREAD_ACTIVATION_SWISH 6         // v * sigmoid(v)
#define INKREAD_ACTIVATION_CLIP 7          // clamp(v, alpha, beta)
#define INKREAD_ACTIVATION_AFFINE 8        // v * scale + offset
#define INKREAD_NUM_ACTIVATIONS 9

struct EpilogueParams {
  uint has_bias;
  uint activation;
  float alpha;
  float beta;
  uint has_gate;
  uint has_residual;
  uint residual_ld;
  float scale;
  float offset;
};

#endif  // INKREAD_SCHEDULE_STEPS_EPILOGUE_PARAMS_H_
