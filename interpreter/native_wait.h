#pragma once

#include "tensor/future.h"

#include <chrono>

namespace tine {

/// Blocks the thread until the future is done. \thread any that is not a scheduler's
void blockThread(FutureState& future);
/// For so long at most. False when it is not done then.
bool blockThread(FutureState& future, std::chrono::nanoseconds limit);

/// The value of a future that is done, or throws its error, which is then known to somebody.
IValue result(FutureState& future);
/// The same, its error into `error`.
IValue result(FutureState& future, std::shared_ptr<const Error>& error);

} // namespace tine
