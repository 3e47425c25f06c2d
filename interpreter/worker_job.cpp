#include "interpreter/worker_job.h"

namespace tine {

void WorkerJob::run() {
  FiberWorker* self;
  {
    std::lock_guard lock(mutex);
    if (!worker || begun) return;
    // A worker's thread is taken, and who makes the scheduler waits for the executor to return.
    if (currentWorker || worker->scheduler_.constructing_.load() == std::this_thread::get_id())
      return;
    begun = true;
    self = worker;
  }
  self->scheduler_.begin(*self);
  self->main();
  std::lock_guard lock(mutex);
  worker = nullptr;
  changed.notify_all();
}

void WorkerJob::lose() {
  std::lock_guard lock(mutex); // the scheduler's end waits for it
  if (!worker || begun) return;
  worker->scheduler_.lose();
  worker = nullptr;
}

void WorkerJob::revoke() {
  std::unique_lock lock(mutex);
  if (begun)
    changed.wait(lock, [&] { return worker == nullptr; });
  else
    worker = nullptr;
}

} // namespace tine
