#include "interpreter/fiber_room.h"

#include "interpreter/fiber_stack.h"

#include <boost/context/fiber.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <utility>

namespace tine {

constinit thread_local const StackPool* fiberStacks = nullptr;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kFactor = 4; // calls take several times as much of a stack
#else
constexpr std::size_t kFactor = 1;
#endif
constexpr std::size_t kRoom = 32 * 1024 * kFactor;
constexpr std::size_t kSize = 256 * 1024 * kFactor;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMost = 16; // stacks of a thread: errors take long to leave many levels

/// Addresses of a stack, without its guard.
struct Bounds {
  std::uintptr_t low = 0, high = 0;
  bool holds(std::uintptr_t address) const { return low <= address && address < high; }
};

Bounds boundsOfThread() {
  Bounds bounds;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return bounds;
  void* low = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &low, &size) == 0) {
    bounds.low = reinterpret_cast<std::uintptr_t>(low);
    bounds.high = bounds.low + size;
  }
  ::pthread_attr_destroy(&attributes);
  return bounds;
}

class Extra;

/// The stacks of one thread, but for its fibers'.
struct Stacks {
  Bounds thread;
  Extra* newest = nullptr;
  std::size_t count = 0;
  void* spare = nullptr; ///< not in use: who is at the edge comes and goes
  ~Stacks() {
    if (spare) ::munmap(spare, kSize);
  }
};
thread_local Stacks stacks;

/// A stack that is in use, in the list of its thread's. Fibers may end theirs in any order.
class Extra {
public:
  Extra() : memory_(std::exchange(stacks.spare, nullptr)) {
    if (!memory_) {
      memory_ = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (memory_ == MAP_FAILED) throw std::bad_alloc();
      ::mprotect(memory_, kPage, PROT_NONE); // best effort
    }
    following_ = stacks.newest;
    if (following_) following_->previous_ = this;
    stacks.newest = this;
    ++stacks.count;
  }
  ~Extra() {
    (previous_ ? previous_->following_ : stacks.newest) = following_;
    if (following_) following_->previous_ = previous_;
    --stacks.count;
    if (stacks.spare)
      ::munmap(memory_, kSize);
    else
      stacks.spare = memory_;
  }
  Extra(const Extra&) = delete;

  Bounds bounds() const {
    const auto low = reinterpret_cast<std::uintptr_t>(memory_);
    return {low + kPage, low + kSize};
  }
  const Extra* following() const { return following_; }

  /// As Boost wants it: by value.
  struct Allocator {
    void* memory;
    boost::context::stack_context allocate() const {
      boost::context::stack_context stack;
      stack.size = kSize;
      stack.sp = static_cast<char*>(memory) + kSize;
      return stack;
    }
    void deallocate(boost::context::stack_context&) const {}
  };
  Allocator allocator() const { return {memory_}; }

private:
  void* memory_;
  Extra *previous_ = nullptr, *following_ = nullptr;
};

} // namespace

std::size_t stackLeft(std::size_t unknown) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (const Extra* extra = stacks.newest; extra; extra = extra->following())
    if (const Bounds bounds = extra->bounds(); bounds.holds(here)) return here - bounds.low;
  if (fiberStacks && fiberStacks->owns(here)) return fiberStacks->left();
  if (stacks.thread.high == 0) stacks.thread = boundsOfThread();
  return stacks.thread.holds(here) ? here - stacks.thread.low : unknown;
}

bool hasRoom() { return stackLeft(kRoom) >= kRoom; }

bool callWithRoom(llvm::function_ref<void()> f) {
  if (stacks.count == kMost) return false;
  std::exception_ptr thrown;
  const Extra extra;
  boost::context::fiber fiber(std::allocator_arg, extra.allocator(),
                              [&](boost::context::fiber&& caller) {
                                try {
                                  f();
                                } catch (...) {
                                  thrown = std::current_exception();
                                }
                                return std::move(caller);
                              });
  static_cast<void>(std::move(fiber).resume());
  if (thrown) std::rethrow_exception(std::move(thrown));
  return true;
}

} // namespace tine
