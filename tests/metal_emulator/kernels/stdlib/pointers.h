// Pointers into device, constant and threadgroup memory, which check and record each access.
//
// translate.py writes `device half*` as metal::device_ptr<half> and so on. Reading an element gives a reference object;
// it turns into a value where one is needed. References to vectors and structs are values read at once.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_POINTERS_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_POINTERS_H_

#include "tests/metal_emulator/kernels/runtime.h"
#include "tests/metal_emulator/kernels/stdlib/scalars.h"

namespace metal {

template <class T, metal_emulator::Space S>
class ptr;

template <class T, metal_emulator::Space S>
inline T ReadElement(const metal_emulator::Memory* memory, const char* address) {
  metal_emulator::NoteElement<S, T>(memory, address, false);
  T value;
  std::memcpy(static_cast<void*>(&value), address, sizeof(T));
  return value;
}
template <class T, metal_emulator::Space S>
inline void WriteElement(const metal_emulator::Memory* memory, char* address, const T& value) {
  metal_emulator::NoteElement<S, T>(memory, address, true);
  std::memcpy(address, static_cast<const void*>(&value), sizeof(T));
}

// An element of a scalar type, read when its value is asked for.
template <class T, metal_emulator::Space S>
class scalar_ref {
 public:
  using value = std::remove_const_t<T>;
  scalar_ref(const metal_emulator::Memory* memory, char* address) : memory_(memory), address_(address) {}
  scalar_ref(const scalar_ref&) = default;

  operator value() const { return ReadElement<value, S>(memory_, address_); }
  // half goes on to float by itself, which takes a step that C++ would not take alone.
  template <class U, class = std::enable_if_t<std::is_same<value, half>::value && std::is_same<U, float>::value>>
  operator U() const {
    return static_cast<float>(ReadElement<value, S>(memory_, address_));
  }
  ptr<T, S> operator&() const { return ptr<T, S>(memory_, address_); }

  const scalar_ref& operator=(const scalar_ref& other) const { return *this = static_cast<value>(other); }
  template <class U>
  const scalar_ref& operator=(const U& other) const {
    static_assert(!std::is_const<T>::value, "this memory is read only");
    WriteElement<value, S>(memory_, address_, static_cast<value>(static_cast<value_t<U>>(other)));
    return *this;
  }
  template <class U>
  const scalar_ref& operator+=(const U& other) const {
    return *this = *this + other;
  }
  template <class U>
  const scalar_ref& operator-=(const U& other) const {
    return *this = *this - other;
  }
  template <class U>
  const scalar_ref& operator*=(const U& other) const {
    return *this = *this * other;
  }
  template <class U>
  const scalar_ref& operator/=(const U& other) const {
    return *this = *this / other;
  }
  const scalar_ref& operator++() const { return *this += value(1); }
  const scalar_ref& operator--() const { return *this -= value(1); }

 private:
  const metal_emulator::Memory* memory_;
  char* address_;
};

// An element of a vector or struct type: the value, read at once, that can be written as a whole.
template <class T, metal_emulator::Space S>
class class_ref : public std::remove_const_t<T> {
 public:
  using value = std::remove_const_t<T>;
  class_ref(const metal_emulator::Memory* memory, char* address)
      : value(ReadElement<value, S>(memory, address)), memory_(memory), address_(address) {}
  class_ref(const class_ref&) = default;

  ptr<T, S> operator&() const { return ptr<T, S>(memory_, address_); }
  const class_ref& operator=(const class_ref& other) const { return *this = static_cast<const value&>(other); }
  const class_ref& operator=(const value& other) const {
    static_assert(!std::is_const<T>::value, "this memory is read only");
    WriteElement<value, S>(memory_, address_, other);
    return *this;
  }
  template <class U>
  const class_ref& operator+=(const U& other) const {
    return *this = static_cast<const value&>(*this) + other;
  }
  template <class U>
  const class_ref& operator-=(const U& other) const {
    return *this = static_cast<const value&>(*this) - other;
  }
  template <class U>
  const class_ref& operator*=(const U& other) const {
    return *this = static_cast<const value&>(*this) * other;
  }
  template <class U>
  const class_ref& operator/=(const U& other) const {
    return *this = static_cast<const value&>(*this) / other;
  }

 private:
  const metal_emulator::Memory* memory_;
  char* address_;
};

template <class T, metal_emulator::Space S>
struct ValueOf<scalar_ref<T, S>> {
  using type = std::remove_const_t<T>;
};
template <class T, metal_emulator::Space S>
struct ValueOf<class_ref<T, S>> {
  using type = std::remove_const_t<T>;
};

// An atomic is only ever pointed at.
template <class T>
struct atomic {
  T value;
};
template <class T, metal_emulator::Space S>
class atomic_ref {
 public:
  atomic_ref(const metal_emulator::Memory* memory, char* address) : memory_(memory), address_(address) {}
  ptr<T, S> operator&() const { return ptr<T, S>(memory_, address_); }

 private:
  const metal_emulator::Memory* memory_;
  char* address_;
};

template <class T>
struct IsAtomic : std::false_type {};
template <class T>
struct IsAtomic<atomic<T>> : std::true_type {};
template <class T, metal_emulator::Space S>
using reference_t =
    std::conditional_t<IsScalar<T>::value, scalar_ref<T, S>,
                       std::conditional_t<IsAtomic<std::remove_const_t<T>>::value, atomic_ref<T, S>, class_ref<T, S>>>;

// A pointer to T const; one to T is one too, so that templates deduce either.
template <class T, metal_emulator::Space S>
class ptr<const T, S> {
 public:
  ptr() = default;
  ptr(decltype(nullptr)) {}
  ptr(const metal_emulator::Memory* memory, char* address) : memory_(memory), address_(address) {}
  template <class U>
  explicit ptr(const ptr<U, S>& other) : memory_(other.memory()), address_(other.address()) {}

  const reference_t<const T, S> operator[](ptrdiff_t i) const { return {memory_, At(i)}; }
  const reference_t<const T, S> operator*() const { return {memory_, address_}; }
  const T* operator->() const {
    metal_emulator::NoteAccess<S>(memory_, address_, sizeof(T), alignof(T), false);
    return reinterpret_cast<const T*>(address_);
  }
  ptr operator+(ptrdiff_t n) const { return {memory_, At(n)}; }
  ptr operator-(ptrdiff_t n) const { return {memory_, At(-n)}; }
  ptrdiff_t operator-(const ptr& other) const { return (address_ - other.address_) / ptrdiff_t(sizeof(T)); }
  ptr& operator+=(ptrdiff_t n) { return *this = *this + n; }
  ptr& operator-=(ptrdiff_t n) { return *this = *this - n; }
  ptr& operator++() { return *this += 1; }
  ptr operator++(int) {
    const ptr old = *this;
    *this += 1;
    return old;
  }
  explicit operator bool() const { return address_ != nullptr; }
  bool operator==(const ptr& other) const { return address_ == other.address_; }
  bool operator!=(const ptr& other) const { return address_ != other.address_; }
  bool operator<(const ptr& other) const { return address_ < other.address_; }

  const metal_emulator::Memory* memory() const { return memory_; }
  char* address() const { return address_; }

 protected:
  // By integers: a pointer may be formed that nothing is read through.
  char* At(ptrdiff_t i) const {
    return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(address_) + uintptr_t(i) * sizeof(T));
  }
  const metal_emulator::Memory* memory_ = &metal_emulator::kNowhere;
  char* address_ = nullptr;
};

template <class T, metal_emulator::Space S>
class ptr : public ptr<const T, S> {
  using Base = ptr<const T, S>;

 public:
  ptr() = default;
  ptr(decltype(nullptr)) {}
  ptr(const metal_emulator::Memory* memory, char* address) : Base(memory, address) {}
  template <class U, class = std::enable_if_t<!std::is_const<U>::value>>
  explicit ptr(const ptr<U, S>& other) : Base(other.memory(), other.address()) {}

  const reference_t<T, S> operator[](ptrdiff_t i) const { return {Base::memory_, Base::At(i)}; }
  const reference_t<T, S> operator*() const { return {Base::memory_, Base::address_}; }
  ptr operator+(ptrdiff_t n) const { return {Base::memory_, Base::At(n)}; }
  ptr operator-(ptrdiff_t n) const { return {Base::memory_, Base::At(-n)}; }
  ptrdiff_t operator-(const Base& other) const { return static_cast<const Base&>(*this) - other; }
  ptr& operator+=(ptrdiff_t n) { return *this = *this + n; }
  ptr& operator-=(ptrdiff_t n) { return *this = *this - n; }
  ptr& operator++() { return *this += 1; }
  ptr operator++(int) {
    const ptr old = *this;
    *this += 1;
    return old;
  }
};

template <class T>
using device_ptr = ptr<T, metal_emulator::Space::kDevice>;
template <class T>
using constant_ptr = ptr<std::add_const_t<T>, metal_emulator::Space::kConstant>;
template <class T>
using threadgroup_ptr = ptr<T, metal_emulator::Space::kThreadgroup>;

// `threadgroup T name[N][M];` in a kernel's body: all threads of the group see the same one.
template <class T, size_t N, size_t... More>
class threadgroup_array;

template <class T, size_t N>
class threadgroup_array<T, N> : public threadgroup_ptr<T> {
 public:
  explicit threadgroup_array(uint variable) : threadgroup_array(metal_emulator::ThreadgroupVariable(variable)) {}
  explicit threadgroup_array(const metal_emulator::Memory* memory) : threadgroup_array(memory, memory->begin) {}
  threadgroup_array(const metal_emulator::Memory* memory, char* address) : threadgroup_ptr<T>(memory, address) {}
  static constexpr size_t kBytes = N * sizeof(T);
};

template <class T, size_t N, size_t M, size_t... More>
class threadgroup_array<T, N, M, More...> {
 public:
  using Row = threadgroup_array<T, M, More...>;
  explicit threadgroup_array(uint variable) : threadgroup_array(metal_emulator::ThreadgroupVariable(variable)) {}
  explicit threadgroup_array(const metal_emulator::Memory* memory) : threadgroup_array(memory, memory->begin) {}
  threadgroup_array(const metal_emulator::Memory* memory, char* address) : memory_(memory), address_(address) {}
  Row operator[](ptrdiff_t i) const { return Row(memory_, address_ + i * ptrdiff_t(Row::kBytes)); }
  static constexpr size_t kBytes = N * Row::kBytes;

 private:
  const metal_emulator::Memory* memory_;
  char* address_;
};

// `threadgroup T name;`
template <class T>
class threadgroup_variable {
 public:
  explicit threadgroup_variable(uint variable)
      : pointer_(metal_emulator::ThreadgroupVariable(variable), metal_emulator::ThreadgroupVariable(variable)->begin) {}
  threadgroup_ptr<T> operator&() const { return pointer_; }
  operator T() const { return static_cast<T>(*pointer_); }
  template <class U>
  const threadgroup_variable& operator=(const U& value) const {
    *pointer_ = value;
    return *this;
  }
  template <class U>
  const threadgroup_variable& operator+=(const U& value) const {
    *pointer_ += value;
    return *this;
  }

 private:
  threadgroup_ptr<T> pointer_;
};
template <class T>
struct ValueOf<threadgroup_variable<T>> {
  using type = T;
};

// reinterpret_cast<device T*>(p)
template <class To, class From, metal_emulator::Space S>
inline To pointer_cast(const ptr<From, S>& from) {
  return To(from);
}

}  // namespace metal

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_POINTERS_H_
