#pragma once

#include "tensor/future.h"

#include <chrono>
#include <functional>
#include <source_location>
#include <vector>

namespace tine {

class Scheduler;

/// Futures made from futures, for C++; api/future.h gives them types.
///
///   Ref<FutureState> twice = then(*future, [](const IValue& x) { return x.toInt() * 2; });
///   Ref<FutureState> both = collect(Collect::FailFast, {future, twice});
///   IValue list = waitNative(*both, std::chrono::seconds(1));
///
/// They belong to the scheduler given, else to that of the calling task, else to that of the first
/// future that has one. Its destructor fails those that are not done with Shutdown; an error of
/// theirs that nobody looks at goes to its hook. Without any scheduler they are plain futures, and
/// callbacks run on the thread that completes the future, or at once when it is done.
/// \thread any

/// Gets the result; what it returns completes the future that `then` made. A returned future is
/// waited for (once: a future in it stays one). What it throws fails that future.
using FutureCallback = std::function<IValue(const IValue&)>;

/// Calls `f` with the result, as a task of the scheduler, never on the stack of whoever completes
/// the future. Callbacks of one future start in the order of the calls of `then`, on several
/// workers perhaps at the same time. When the future fails, `f` is not called, and the same error
/// fails the future that is returned.
Ref<FutureState> then(FutureState& future, FutureCallback f, Scheduler* scheduler = nullptr,
                      std::source_location where = std::source_location::current());

/// FailFast: the list of the results; fails as soon as one fails, with its error, and cancels those
/// of the others that nobody else has a handle of. Later errors of the others stay theirs. Settle:
/// the list of the futures, once all are done; never fails, and looks at no error. First: the
/// result or error of the one that is done first.
enum class Collect : std::uint8_t { FailFast, Settle, First };

/// \errors ValueError for the First of none; an empty list is done at once otherwise
Ref<FutureState> collect(Collect how, std::vector<Ref<FutureState>> futures,
                         Scheduler* scheduler = nullptr,
                         std::source_location where = std::source_location::current());

/// As waitNative(future), but not for longer. The future, and what computes it, are left alone.
/// \errors Timeout
IValue waitNative(FutureState& future, std::chrono::nanoseconds limit);

} // namespace tine
