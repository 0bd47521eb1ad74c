// Barriers, functions of the simdgroup, atomics: where threads meet.
//
// `line` is where the call stands; the caller leaves it out. All threads of a group must come to the same line.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_GROUPS_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_GROUPS_H_

#include "tests/metal_emulator/kernels/stdlib/functions.h"
#include "tests/metal_emulator/kernels/stdlib/pointers.h"

namespace metal {

enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
inline mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }

inline void threadgroup_barrier(mem_flags flags, int line = __builtin_LINE()) {
  metal_emulator::MeetGroup((int(flags) & int(mem_flags::mem_threadgroup)) != 0, line);
}
inline void simdgroup_barrier(mem_flags flags, int line = __builtin_LINE()) {
  metal_emulator::MeetSimdgroup((int(flags) & int(mem_flags::mem_threadgroup)) != 0, line);
}

// The values of all lanes of the simdgroup.
template <class T>
class LaneValues {
 public:
  LaneValues(const T& mine, const char* what, int line) {
    slots_ = metal_emulator::ExchangeInSimdgroup(&mine, sizeof(T), what, line, &present_);
  }
  uint present() const { return present_; }
  T operator[](uint lane) const {
    T value;
    std::memcpy(static_cast<void*>(&value), slots_[lane].bytes, sizeof(T));
    return value;
  }

 private:
  static_assert(sizeof(T) <= sizeof(metal_emulator::Slot::bytes), "simdgroup functions take up to 16 bytes");
  const metal_emulator::Slot* slots_;
  uint32_t present_;
};

// Sums pairs 16 lanes apart, then 8, 4, 2 and 1; hardware's order is its own.
template <class T, class Op>
inline T ReduceLanes(const LaneValues<T>& lanes, T none, Op op) {
  T values[metal_emulator::kLanes];
  for (uint i = 0; i < metal_emulator::kLanes; ++i) values[i] = i < lanes.present() ? lanes[i] : none;
  for (uint distance = metal_emulator::kLanes / 2; distance > 0; distance /= 2) {
    for (uint i = 0; i < distance; ++i) values[i] = op(values[i], values[i + distance]);
  }
  return values[0];
}

// A scalar, or a vector as it is.
template <class A>
inline value_t<A> simd_sum(const A& a, int line = __builtin_LINE()) {
  using T = value_t<A>;
  return ReduceLanes(LaneValues<T>(a, "simd_sum", line), T(0), [](const T& x, const T& y) { return T(x + y); });
}
template <class A>
inline value_t<A> simd_max(const A& a, int line = __builtin_LINE()) {
  using T = value_t<A>;
  const T mine = a;
  return ReduceLanes(LaneValues<T>(mine, "simd_max", line), mine,
                     [](const T& x, const T& y) { return T(metal::max(x, y)); });
}
template <class A>
inline value_t<A> simd_min(const A& a, int line = __builtin_LINE()) {
  using T = value_t<A>;
  const T mine = a;
  return ReduceLanes(LaneValues<T>(mine, "simd_min", line), mine,
                     [](const T& x, const T& y) { return T(metal::min(x, y)); });
}
inline bool simd_all(bool a, int line = __builtin_LINE()) {
  return ReduceLanes(LaneValues<bool>(a, "simd_all", line), true, [](bool x, bool y) { return x && y; });
}
inline bool simd_any(bool a, int line = __builtin_LINE()) {
  return ReduceLanes(LaneValues<bool>(a, "simd_any", line), false, [](bool x, bool y) { return x || y; });
}

// Another lane's value; asking a lane that is not there is a fault. The lanes whose source lies past an end keep
// theirs, as on hardware where what they get is not defined.
template <class A>
inline value_t<A> LaneValue(const A& a, uint lane, const char* what, int line) {
  using T = value_t<A>;
  const LaneValues<T> lanes(a, what, line);
  if (lane >= lanes.present()) metal_emulator::StopLane(what, lane, line);
  return lanes[lane];
}
template <class A>
inline value_t<A> simd_shuffle(const A& a, ushort lane, int line = __builtin_LINE()) {
  return LaneValue(a, lane, "simd_shuffle", line);
}
template <class A>
inline value_t<A> simd_broadcast(const A& a, ushort lane, int line = __builtin_LINE()) {
  return LaneValue(a, lane, "simd_broadcast", line);
}
template <class A>
inline value_t<A> simd_broadcast_first(const A& a, int line = __builtin_LINE()) {
  return LaneValue(a, 0, "simd_broadcast_first", line);
}
template <class A>
inline value_t<A> simd_shuffle_xor(const A& a, ushort mask, int line = __builtin_LINE()) {
  return LaneValue(a, metal_emulator::now.lane ^ mask, "simd_shuffle_xor", line);
}
template <class A>
inline value_t<A> simd_shuffle_down(const A& a, ushort delta, int line = __builtin_LINE()) {
  using T = value_t<A>;
  const LaneValues<T> lanes(a, "simd_shuffle_down", line);
  const uint lane = metal_emulator::now.lane + delta;
  return lanes[lane < lanes.present() ? lane : metal_emulator::now.lane];
}
template <class A>
inline value_t<A> simd_shuffle_up(const A& a, ushort delta, int line = __builtin_LINE()) {
  using T = value_t<A>;
  const LaneValues<T> lanes(a, "simd_shuffle_up", line);
  const uint lane = metal_emulator::now.lane;
  return lanes[lane >= delta ? lane - delta : lane];
}

// --- atomics: relaxed, 32 bits --------------------------------------------------------------------------------------

typedef atomic<uint> atomic_uint;
typedef atomic<int> atomic_int;
enum memory_order { memory_order_relaxed };

// Atomics do not race with one another: they are checked for bounds but leave no mark.
template <class T, metal_emulator::Space S>
inline T* AtomicAddress(const ptr<atomic<T>, S>& p) {
  metal_emulator::Memory memory = *p.memory();
  memory.writers = nullptr;
  metal_emulator::NoteAccess<S>(&memory, p.address(), sizeof(T), alignof(T), true);
  return reinterpret_cast<T*>(p.address());
}
template <class T, metal_emulator::Space S>
inline T atomic_load_explicit(const ptr<atomic<T>, S>& p, memory_order) {
  return __atomic_load_n(AtomicAddress(p), __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline void atomic_store_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  __atomic_store_n(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_exchange_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  return __atomic_exchange_n(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_fetch_add_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  return __atomic_fetch_add(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_fetch_sub_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  return __atomic_fetch_sub(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_fetch_or_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  return __atomic_fetch_or(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_fetch_and_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  return __atomic_fetch_and(AtomicAddress(p), value, __ATOMIC_RELAXED);
}
template <class T, metal_emulator::Space S>
inline T atomic_fetch_max_explicit(const ptr<atomic<T>, S>& p, std::common_type_t<T> value, memory_order) {
  T* address = AtomicAddress(p);
  T old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (old < value && !__atomic_compare_exchange_n(address, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

}  // namespace metal

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_GROUPS_H_
