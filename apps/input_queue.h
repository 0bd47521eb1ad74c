// The inputs of a run, one after another, without those that an earlier run has finished.
#ifndef INKREAD_APPS_INPUT_QUEUE_H_
#define INKREAD_APPS_INPUT_QUEUE_H_

#include <optional>
#include <utility>
#include <vector>

#include "apps/inputs.h"
#include "apps/journal.h"

namespace inkread {

// For use by one thread at a time.
class InputQueue {
 public:
  // finished  of an earlier run, or null. It must outlive the queue
  explicit InputQueue(InputList inputs, FinishedPages* finished = nullptr)
      : inputs_(std::move(inputs)), finished_(finished) {}

  struct Item {
    Input input;
    std::vector<bool> page_finished;  // by page, from 0
  };
  std::optional<Item> Next() {
    while (next_ < inputs_.size()) {
      Item item{inputs_[next_++], {}};
      if (finished_ == nullptr) return item;
      FinishedPages::Left left = finished_->Take(item.input.path);
      if (left.nothing) {
        ++num_passed_;
        continue;
      }
      item.page_finished = std::move(left.page_finished);
      return item;
    }
    return std::nullopt;
  }

  // Inputs that have been found since.
  void Add(const InputList& inputs) {
    for (const Input& input : inputs) inputs_.Add(input);
  }

  size_t num_inputs() const { return inputs_.size(); }
  size_t num_passed() const { return num_passed_; }  // because they were finished

 private:
  InputList inputs_;
  FinishedPages* finished_;
  size_t next_ = 0;
  size_t num_passed_ = 0;
};

}  // namespace inkread

#endif  // INKREAD_APPS_INPUT_QUEUE_H_
