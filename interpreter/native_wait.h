#pragma once

#include "tensor/future.h"

namespace tine {

/// Blocks the thread until the future is done. \thread any that is not a scheduler's
void blockThread(FutureState& future);

/// The value of a future that is done, or throws its error, which is then known to somebody.
IValue result(FutureState& future);

} // namespace tine
