#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace tine {

// How much stack is left, and where to go when it is little: an operator may run a program, or wait
// without workers, and then others run on top of it, whose operators do so too.

class StackPool;

/// Bytes of stack that are left below the caller: of its thread, of a worker's fiber, or of a stack
/// that `callWithRoom` made. `unknown` when it is none of those, as a coroutine of the host's.
std::size_t stackLeft(std::size_t unknown);

/// Enough for what one of them takes, with what an operator needs.
bool hasRoom();
/// Calls it on a stack of its own and returns, or throws, as it does. False, and nothing happens,
/// when this thread has very many such stacks already. \errors bad_alloc
bool callWithRoom(llvm::function_ref<void()> f);

/// Where the fibers of this thread have their stacks; null when it has none.
extern constinit thread_local const StackPool* fiberStacks;

} // namespace tine
