#pragma once

#include "tensor/future.h"

#include <source_location>

namespace tine {

/// The side of a future that C++ code completes, from any thread.
///
///   Promise promise;
///   std::thread([&] { promise.complete(3); }).detach();
///   scheduler.run(code, "main", {promise.future()});   // wakes when the promise is completed
///
/// Dropped without a value, it fails its future with BrokenPromise, which names where it was made.
/// While it is held, waiting for its future is no deadlock: somebody may still complete it.
/// \thread not safe; the future: any
class Promise {
public:
  explicit Promise(std::source_location where = std::source_location::current());
  Promise(Promise&& other) noexcept
      : state_(std::move(other.state_)), where_(other.where_), completed_(other.completed_) {}
  Promise& operator=(Promise&& other) noexcept;
  ~Promise() { drop(); }

  // All that follow stop the process when the promise was moved from.
  Ref<FutureState> future() const;
  /// \errors AlreadyCompleted
  void complete(IValue value);
  void fail(Error error);
  void fail(std::shared_ptr<const Error> error);

private:
  void drop();
  FutureState& state() const;
  void end(bool completed);

  Ref<FutureState> state_; ///< null after a move
  std::source_location where_;
  bool completed_ = false;
};

} // namespace tine
