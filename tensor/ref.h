#pragma once

#include "support/atomics.h"

#include <cstdint>
#include <utility>

namespace tine {

/// An intrusive, thread-safe pointer: T has `void retain() const` and `void release() const`.
///   Ref<List> list = makeRef<List>();
template <class T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  /// Takes over a reference that the caller owns.
  static Ref adopt(T* object) {
    Ref r;
    r.object_ = object;
    return r;
  }
  /// Gives up ownership: the caller owns the reference.
  T* leak() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

private:
  T* object_ = nullptr;
};

/// A count that starts at one, for the creator.
template <class P> class RefCountOf {
public:
  void up() const { count_.fetch_add(1, std::memory_order_relaxed); }
  /// True when that was the last reference. A sole owner pays no locked instruction.
  bool down() const {
    if (count_.load(P::kSole) == 1) return true;
    return count_.fetch_sub(1, P::kDown) == 1;
  }
  /// \pre nobody shares it
  void set(std::uint32_t count) { count_.store(count, std::memory_order_relaxed); }
  bool unique() const { return count_.load(P::kSole) == 1; }
  std::uint32_t value() const { return count_.load(P::kSole); }

private:
  mutable typename P::template Atomic<std::uint32_t> count_{1};
};
using RefCount = RefCountOf<Atomics>;

} // namespace tine
