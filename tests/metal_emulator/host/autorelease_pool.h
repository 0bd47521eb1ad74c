// NSAutoreleasePool: pools of a thread lie on one another, and a pool's drain drains those above it too.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_AUTORELEASE_POOL_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_AUTORELEASE_POOL_H_

#include <thread>
#include <vector>

#include "tests/metal_emulator/host/objc_runtime.h"

namespace metal_emulator {

class AutoreleasePool : public Object {
 public:
  static const ClassDefinition& Definition();
  // Reports where this thread has no pool; the object then lives for good.
  static void AddToCurrent(Instance* instance);
  ~AutoreleasePool() override;

  Instance* Init();

 private:
  void Drain();
  void Add(Instance* instance) { pending_.push_back(instance); }
  void ReleaseAll();

  std::vector<Instance*> pending_;
  std::thread::id thread_;
};

// A pool for the emulator's own threads, around what they call.
class PoolScope {
 public:
  PoolScope();
  ~PoolScope();
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;

 private:
  AutoreleasePool* pool_;
};

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_AUTORELEASE_POOL_H_
