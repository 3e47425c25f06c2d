#pragma once

#include "llvm/Support/Allocator.h"

#include <sys/mman.h>

namespace tine {

/// Where an Arena's slabs come from. Slabs of 2 MB and more are asked for in huge pages, so that a
/// graph of 100,000 nodes takes a dozen page faults, not ten thousand.
class SlabAllocator : public llvm::AllocatorBase<SlabAllocator> {
public:
  void Reset() {}
  using AllocatorBase<SlabAllocator>::Allocate;
  using AllocatorBase<SlabAllocator>::Deallocate;

  void* Allocate(std::size_t size, std::size_t alignment) {
    if (size < kHugePage) return llvm::allocate_buffer(size, alignment);
    void* slab = llvm::allocate_buffer(size, kHugePage);
    madvise(slab, size, MADV_HUGEPAGE); // a kernel without them says no, which is fine
    return slab;
  }
  void Deallocate(const void* slab, std::size_t size, std::size_t alignment) {
    llvm::deallocate_buffer(const_cast<void*>(slab), size,
                            size < kHugePage ? alignment : kHugePage);
  }

private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
};

/// Memory that is given back all at once. Slabs start at 4 KB and double after every fourth.
using Arena = llvm::BumpPtrAllocatorImpl<SlabAllocator, 4096, 4096, 4>;

} // namespace tine
