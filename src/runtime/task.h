// One run of a network, as callers of Model describe it.
#ifndef INKREAD_RUNTIME_TASK_H_
#define INKREAD_RUNTIME_TASK_H_

#include <span>
#include <variant>

#include "base/aligned_buffer.h"
#include "base/cancellation.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "planner/plan_cache.h"
#include "runtime/source_image.h"

namespace inkread {

// What a task reads:
//   const float*                 values [n, h, w, c], dense, with kInputSlackBytes readable after them
//   std::span<const ImageInput>  parts made of images; together they give every float once
using TaskInput = std::variant<const float*, std::span<const ImageInput>>;

struct Task {
  PlanKey shape;
  TaskInput input{};
  void* output = nullptr;  // as Head says
  const Cancellation* cancellation = nullptr;
};

// Replaces the image parts of these tasks by values wherever the host makes an image's inputs. Tasks whose images a
// device reads stay as they are. Model::Run takes either.
//
// buffer  receives the values of all tasks; must outlive their runs
// Errors  kOutOfMemory
Status MakeInputs(std::span<Task> tasks, ThreadPool& pool, AlignedBuffer& buffer);

}  // namespace inkread

#endif  // INKREAD_RUNTIME_TASK_H_
