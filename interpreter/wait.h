#pragma once

#include "interpreter/visit.h"
#include "tensor/future.h"

#include <cstdint>

namespace tine {

class Pool;
struct Frame;
struct Worker;

/// Somebody who waits for a future that is being computed. In the future's list of waiters from
/// `addWaiter` until it fires, and in its worker's list of waits until it goes on. Whoever changes
/// `state` from Waiting decides how it goes on.
struct Wait : Waiter {
  enum class Who : std::uint8_t { Frames, Fiber, Thread };

  Wait(Worker& home, FutureState& future, Who who, Frame* frame, void* blocked);

  WaitStateOf<Threads> state;
  const Who who;
  Pool* const pool;
  Worker* const home;
  Wait *previous = nullptr, *following = nullptr; ///< in home's list
  std::uint64_t number = 0;                       ///< among all that were ever in that list
  FutureState* const future;
  Frame* const frame;  ///< Frames: the top one, at its Wait. Fiber: that of the operator, or null
  void* const blocked; ///< Fiber, Thread: what to tell
  std::shared_ptr<const Error> error; ///< go on by raising this
};

/// A wait of C++ code that goes on by itself when the future is done, for it has others run on its
/// stack meanwhile, or polls. In its worker's list until it is over.
struct StandingWait {
  StandingWait(Worker& home, FutureState& future, Frame* frame);
  ~StandingWait();
  StandingWait(const StandingWait&) = delete;

  Worker& home;
  FutureState* const future;
  Frame* const frame; ///< that of the operator; null outside of tasks
  StandingWait *previous = nullptr, *following = nullptr;
};

} // namespace tine
