#pragma once

#include "interpreter/fiber_worker.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace tine {

/// A worker as a job of an executor, which may run it late, at once, twice or never. Shared by
/// both.
struct WorkerJob {
  explicit WorkerJob(FiberWorker* w) : worker(w) {}

  /// What the executor has: the job is lost when that goes and it has not begun.
  struct Ticket {
    explicit Ticket(std::shared_ptr<WorkerJob> j) : job(std::move(j)) {}
    Ticket(const Ticket&) = delete;
    ~Ticket() { job->lose(); }
    const std::shared_ptr<WorkerJob> job;
  };

  /// Runs the worker until the scheduler's end, unless it was revoked or has run.
  void run();
  void lose();
  /// From now on it does not begin; waits for its end if it has begun.
  void revoke();

private:
  std::mutex mutex;
  std::condition_variable changed;
  FiberWorker* worker; ///< until it is over; guarded by mutex
  bool begun = false;  ///< guarded by mutex
};

} // namespace tine
