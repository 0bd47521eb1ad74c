#include "runtime/task.h"

#include <algorithm>
#include <vector>

#include "base/round.h"

namespace inkread {
namespace {

using ImageParts = std::span<const ImageInput>;

bool IsMadeOnHost(ImageParts parts) {
  return std::any_of(parts.begin(), parts.end(), [](const ImageInput& part) { return part.image->is_made_on_host(); });
}

size_t NumFloats(ImageParts parts) {
  size_t num_floats = 0;
  for (const ImageInput& part : parts) num_floats += size_t{3} * part.rule.height * part.rule.row_width;
  return num_floats;
}

}  // namespace

Status MakeInputs(std::span<Task> tasks, ThreadPool& pool, AlignedBuffer& buffer) {
  struct Made {
    const ImageInput* part;
    size_t first_float;  // of the buffer
  };
  std::vector<Made> made;
  size_t num_floats = 0;
  constexpr size_t kSlackFloats = kInputSlackBytes / sizeof(float);
  std::vector<std::pair<Task*, size_t>> inputs;
  for (Task& task : tasks) {
    const auto* parts = std::get_if<ImageParts>(&task.input);
    if (parts == nullptr || !IsMadeOnHost(*parts)) continue;
    inputs.emplace_back(&task, num_floats);
    for (const ImageInput& part : *parts) made.push_back({&part, num_floats + part.first_float});
    num_floats += NumFloats(*parts);
  }
  if (inputs.empty()) return Status();
  INKREAD_RETURN_IF_ERROR(buffer.Reserve((num_floats + kSlackFloats) * sizeof(float)));
  auto* const floats = reinterpret_cast<float*>(buffer.data());
  pool.ParallelFor(made.size(), [&](size_t i) {
    const ImageInput& part = *made[i].part;
    part.image->Fill(part.rule, pool, floats + made[i].first_float);
  });
  for (const auto& [task, first_float] : inputs) task->input = floats + first_float;
  return Status();
}

}  // namespace inkread
