#include "tests/metal_emulator/host/autorelease_pool.h"

#include <algorithm>

namespace metal_emulator {
namespace {

thread_local std::vector<AutoreleasePool*> pools;

}  // namespace

const ClassDefinition& AutoreleasePool::Definition() {
  static const Method kMethods[] = {Bind<&AutoreleasePool::Init>("init"), Bind<&AutoreleasePool::Drain>("drain"),
                                    Bind<&AutoreleasePool::Add>("addObject:")};
  static const ClassDefinition kDefinition = {
      "NSAutoreleasePool", kMethods, {}, []() -> Object* { return Make<AutoreleasePool>(); }};
  return kDefinition;
}

void AutoreleasePool::AddToCurrent(Instance* instance) {
  if (pools.empty()) {
    ReportMisuse(Misuse::kNoPool,
                 instance->object->Describe() + " was autoreleased on a thread that has no autorelease pool");
    return;
  }
  pools.back()->Add(instance);
}

Instance* AutoreleasePool::Init() {
  thread_ = std::this_thread::get_id();
  pools.push_back(this);
  return instance();
}

void AutoreleasePool::Drain() { Release(this); }

AutoreleasePool::~AutoreleasePool() {
  if (thread_ == std::thread::id()) return;  // never initialised
  if (thread_ != std::this_thread::get_id()) {
    ReportMisuse(Misuse::kWrongOrder, "an autorelease pool was drained on another thread than it was made on");
    return;
  }
  const auto found = std::find(pools.begin(), pools.end(), this);
  if (found != pools.end() - 1)
    ReportMisuse(Misuse::kWrongOrder, "an autorelease pool was drained before one that was made later");
  // Those above stay the caller's objects, but are empty and no longer in use.
  for (auto above = found + 1; above != pools.end(); ++above) {
    (*above)->ReleaseAll();
    (*above)->thread_ = std::thread::id();
  }
  ReleaseAll();  // while this pool is still in place, for what is autoreleased on the way
  pools.erase(std::find(pools.begin(), pools.end(), this), pools.end());
}

void AutoreleasePool::ReleaseAll() {
  while (!pending_.empty()) {
    const std::vector<Instance*> now = std::exchange(pending_, {});
    for (Instance* instance : now) {
      if (instance->released)
        ReportMisuse(Misuse::kOverRelease, "an autorelease pool's drain releases an object that is gone");
      else
        Release(instance->object);
    }
  }
}

PoolScope::PoolScope() : pool_(Make<AutoreleasePool>()) { pool_->Init(); }
PoolScope::~PoolScope() { Release(pool_); }

}  // namespace metal_emulator
