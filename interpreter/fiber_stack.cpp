#include "interpreter/fiber_stack.h"

#include "support/count.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace tine {
namespace {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kSmallest = 64 * 1024; // calls take several times as much of a stack
#else
constexpr std::size_t kSmallest = 16 * 1024;
#endif
constexpr std::size_t kAtOnce = 16;    // stacks per mapping, at most
constexpr std::size_t kGuarded = 4096; // stacks with a guard page, each two mappings
} // namespace

StackPool::StackPool(std::size_t size) : size_(std::bit_ceil(std::max(size, kSmallest))) {}

StackPool::~StackPool() {
  for (auto [memory, bytes] : mappings_) ::munmap(memory, bytes);
}

std::size_t StackPool::left() const {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::size_t page = 4096;
  const std::size_t above = here & (size_ - 1);
  return above > page ? above - page : 0;
}

bool StackPool::owns(std::uintptr_t address) const {
  const std::pair key(reinterpret_cast<void*>(address), std::size_t(-1));
  const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), key);
  if (after == mappings_.begin()) return false;
  const auto [memory, bytes] = *std::prev(after);
  return address < reinterpret_cast<std::uintptr_t>(memory) + bytes;
}

boost::context::stack_context StackPool::allocate() {
  if (free_.empty()) {
    // As many as there are: most workers never need a second, and guards take long to make.
    const std::size_t count = std::clamp<std::size_t>(made_, 1, kAtOnce);
    const std::size_t bytes = size_ * (count + 1);
    mappings_.reserve(mappings_.size() + 1);
    free_.reserve(made_ + count); // `deallocate` must not fail
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    const std::pair mapping(memory, bytes);
    mappings_.insert(std::upper_bound(mappings_.begin(), mappings_.end(), mapping), mapping);
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + size_ - 1) & ~(size_ - 1);
    for (std::size_t i = count; i-- > 0;) {
      auto* stack = reinterpret_cast<void*>(first + i * size_);
      if (made_++ < kGuarded) ::mprotect(stack, 4096, PROT_NONE); // best effort
      free_.push_back(stack);
    }
  }
  boost::context::stack_context stack;
  stack.size = size_;
  stack.sp = static_cast<char*>(free_.back()) + size_;
  free_.pop_back();
  countLive(Live::FiberStack, 1);
  return stack;
}

void StackPool::deallocate(boost::context::stack_context& stack) {
  free_.push_back(static_cast<char*>(stack.sp) - stack.size);
  countLive(Live::FiberStack, -1);
}

} // namespace tine
