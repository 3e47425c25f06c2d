#include "interpreter/worker.h"

#include "interpreter/core.h"

namespace tine {

constinit thread_local Worker* currentWorker = nullptr;

namespace {
constexpr std::int64_t kReserve = std::int64_t(1) << 32;

/// A wait fires on whatever thread completes the future.
void fireWait(Waiter* waiter, FutureState&) {
  auto* wait = static_cast<Wait*>(waiter);
  std::uint8_t expected = Wait::Waiting;
  if (wait->state.compare_exchange_strong(expected, Wait::Fired, std::memory_order_acq_rel)) {
    wait->home->core.ready(wait);
    return;
  }
  // It was abandoned, and this was the last pointer to it.
  Pool* pool = wait->pool;
  wait->~Wait();
  pool->free(Pool::classOf(sizeof(Wait)), wait);
}
} // namespace

Wait::Wait(Worker& h, FutureState& awaited, Who w, Frame* f, void* b)
    : who(w), pool(&h.pool), home(&h), future(&awaited), frame(f), blocked(b) {
  fire = fireWait;
}

void Worker::use(Run* r) {
  if (run) run->release(reserve);
  run = r;
  reserve = r ? kReserve : 0;
  if (r) r->references.fetch_add(kReserve, std::memory_order_relaxed);
}

void Worker::settle() {
  use(nullptr);
  if (const std::int64_t n = std::exchange(liveTasks, 0)) countLive(Live::Future, n);
  if (const std::int64_t n = std::exchange(liveFrames, 0)) countLive(Live::Frame, n);
}

Frame* Worker::frameOf(FutureState& task) {
  const FunctionCode* function = siteOf(task).target;
  const std::uint32_t n = function->numInputs;
  Frame* frame = allocateFrame(function, n, true);
  IValue* registers = frame->registers();
  if (n == 1) {
    new (registers) IValue(std::move(task.argument()));
  } else if (n > 1) {
    auto* arguments = static_cast<IValue*>(task.payload[2]);
    for (std::uint32_t i = 0; i < n; ++i) {
      new (registers + i) IValue(std::move(arguments[i]));
      arguments[i].~IValue();
    }
    freeBlock(arguments, n * sizeof(IValue));
  }
  frame->task = &task;
  frame->run = runOf(task);
  frame->caller = nullptr;
  frame->depth = 0;
  return frame;
}

bool Worker::claim(FutureState& task) {
  const Deque::Entry entry = entryOf(task);
  if (!deque.isNewest(entry)) {
    if (!task.claim()) return false;
    ++stale; // its entry, wherever it is, must be skipped some day
    return true;
  }
  const bool won = deque.takeClaiming([&] { return task.claim(); });
  // Entries of tasks that were claimed out of order would pile up below.
  while (stale > 0) {
    const Deque::Entry newest = deque.newest();
    if (!newest || isWait(newest) || taskOf(newest).isNew()) break;
    if (!deque.take()) break;
    --stale;
  }
  return won;
}

void Worker::makeRoom() {
  if (!deque.isFull()) [[likely]]
    return;
  deque.makeRoom([](Deque::Entry e) { return isWait(e) || taskOf(e).isNew(); });
  stale = 0;
}

bool Worker::offer(Deque::Entry entry) {
  makeRoom();
  deque.push(entry);
  if (core.fenced) [[unlikely]]
    std::atomic<int>(0).exchange(1, std::memory_order_seq_cst);
  if (core.sleepers.load(std::memory_order_relaxed) > 0 &&
      core.searching.load(std::memory_order_relaxed) == 0) [[unlikely]]
    return core.wake();
  return false;
}

bool Worker::park(Frame* top, FutureState& future) {
  Wait* wait = makeWait(future, Wait::Who::Frames, top, nullptr);
  ++numParked;
  if (future.addWaiter(wait)) return true; // from here on others may run the frames
  --numParked;
  dropWait(wait);
  return false;
}

void Worker::enlist(Wait* wait) {
  std::lock_guard lock(waitsMutex);
  wait->number = ++numWaits;
  wait->following = waits;
  if (waits) waits->previous = wait;
  waits = wait;
}

void Worker::delist(Wait* wait) {
  std::lock_guard lock(waitsMutex);
  (wait->previous ? wait->previous->following : waits) = wait->following;
  if (wait->following) wait->following->previous = wait->previous;
}

Wait* Worker::makeWait(FutureState& future, Wait::Who who, Frame* frame, void* blocked) {
  auto* wait = new (cache.allocate(Pool::classOf(sizeof(Wait)), true))
      Wait(*this, future, who, frame, blocked);
  enlist(wait);
  return wait;
}

void Worker::dropWait(Wait* wait) {
  wait->home->delist(wait);
  wait->~Wait();
  cache.free(Pool::classOf(sizeof(Wait)), wait);
}

Frame* Worker::resume(Wait* wait, std::shared_ptr<const Error>* error) {
  Frame* frame = wait->frame;
  *error = std::move(wait->error);
  dropWait(wait);
  return frame;
}

void Worker::addTo(Scheduler::Stats& sum) const {
  sum.tasks += numTasks.value();
  sum.inlined += numInline.value();
  sum.taken += numTaken.value();
  sum.stolen += numStolen.value();
  sum.parked += numParked.value();
  sum.suspended += numSuspended.value();
  sum.fibers += numFibers.value();
}

} // namespace tine
