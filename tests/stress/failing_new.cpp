// Not beside who calls it, where the compiler would see that `new` is malloc.

#include "tests/stress/failing_new.h"

#include <boost/context/fiber.hpp>
#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/scheduler.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> asked{0}, first{0}, end{0}; // nothing fails while `first` is 0

/// What Boost.Fiber makes of a thread that uses it first, in functions that are noexcept.
bool isOfAThread(std::size_t size) {
#ifdef BOOST_USE_UCONTEXT // of the sanitizers
  if (size == sizeof(boost::context::detail::fiber_activation_record)) return true;
#endif
  return size == sizeof(boost::fibers::context) || size == sizeof(boost::fibers::scheduler) ||
         size == sizeof(boost::fibers::algo::round_robin);
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (first.load(std::memory_order_relaxed) != 0 && !isOfAThread(size)) {
    const std::int64_t number = asked.fetch_add(1, std::memory_order_relaxed) + 1;
    if (number >= first && number < end) return nullptr;
  }
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* orThrow(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

} // namespace

void* operator new(std::size_t size) { return orThrow(allocate(size, 1)); }
void* operator new[](std::size_t size) { return orThrow(allocate(size, 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return orThrow(allocate(size, static_cast<std::size_t>(alignment)));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return orThrow(allocate(size, static_cast<std::size_t>(alignment)));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tine::testing {

Failing::Failing(std::int64_t number, std::int64_t count) {
  ::asked = 0;
  ::end = number + count;
  ::first = number;
}
Failing::~Failing() { ::first = 0; }
std::int64_t Failing::asked() const { return ::asked; }

} // namespace tine::testing
