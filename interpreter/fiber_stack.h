#pragma once

#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine {

/// Stacks of one worker's fibers, which begin and end on its thread. A stack is aligned to its
/// size, so that how much of it is left can be read off the stack pointer; its lowest page is a
/// guard, but for the many thousandth, since the system limits the number of mappings. What was
/// used last is used next, being warm. \thread its worker's
class StackPool {
public:
  /// \units bytes; rounded up to a power of two of at least 16 KiB, 64 under sanitizers
  explicit StackPool(std::size_t size);
  ~StackPool();
  StackPool(const StackPool&) = delete;

  std::size_t size() const { return size_; }
  /// Bytes between here and the guard, on a fiber with a stack of this pool.
  std::size_t left() const;
  bool owns(std::uintptr_t address) const; ///< is it in one of its stacks?

  boost::context::stack_context allocate();
  void deallocate(boost::context::stack_context& stack);

private:
  std::size_t size_;
  std::size_t made_ = 0;
  std::vector<void*> free_;
  std::vector<std::pair<void*, std::size_t>> mappings_; ///< by address
};

/// As Boost wants it: by value.
struct StackAllocator {
  StackPool* pool;
  boost::context::stack_context allocate() { return pool->allocate(); }
  void deallocate(boost::context::stack_context& stack) { pool->deallocate(stack); }
};

} // namespace tine
