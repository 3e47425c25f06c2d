#include "interpreter/worker.h"

#include "interpreter/control.h"
#include "interpreter/core.h"
#include "interpreter/profile.h"

namespace tine {

constinit thread_local Worker* currentWorker = nullptr;

namespace {
constexpr std::int64_t kReserve = std::int64_t(1) << 32;

/// A wait fires on whatever thread completes the future.
void fireWait(Waiter* waiter, FutureState&) {
  auto* wait = static_cast<Wait*>(waiter);
  Pool* const pool = wait->pool;
  const bool visits = !currentWorker || &currentWorker->pool != pool;
  if (visits && pool->isElsewhere()) return; // who waits is in another process
  const auto tell = [wait] {
    SchedulerCore& core = wait->home->core;
    if (core.config.profile) [[unlikely]] {
      if (currentWorker && &currentWorker->core == &core)
        currentWorker->lane->mark(Profile::Event::Kind::Fired, wait);
      else
        core.config.profile->fired(wait);
    }
    core.ready(wait);
  };
  const auto drop = [wait, pool] { // this was the last pointer to it
    wait->~Wait();
    pool->free(Pool::classOf(sizeof(Wait)), wait);
  };
  fire(wait->state, pool->visitors(), visits, tell, drop);
}
} // namespace

void dropAbandoned(FutureState& future) {
  Waiter* removed = future.removeWaiters([](const Waiter& waiter) {
    return waiter.fire == fireWait && static_cast<const Wait&>(waiter).state.isAbandoned();
  });
  while (removed) {
    auto* wait = static_cast<Wait*>(removed);
    removed = removed->next;
    Pool* pool = wait->pool;
    wait->~Wait();
    pool->free(Pool::classOf(sizeof(Wait)), wait);
  }
}

Wait::Wait(Worker& h, FutureState& awaited, Who w, Frame* f, void* b)
    : who(w), pool(&h.pool), home(&h), future(&awaited), frame(f), blocked(b) {
  fire = fireWait;
}

StandingWait::StandingWait(Worker& h, FutureState& awaited, Frame* f)
    : home(h), future(&awaited), frame(f) {
  std::lock_guard lock(home.waitsMutex);
  following = home.standing;
  if (following) following->previous = this;
  home.standing = this;
}

StandingWait::~StandingWait() {
  std::lock_guard lock(home.waitsMutex);
  (previous ? previous->following : home.standing) = following;
  if (following) following->previous = previous;
}

Worker::Worker(SchedulerCore& c, Pool& p, std::uint32_t depth)
    : core(c), idlers(c), pool(p), kind(p.kind()), maxDepth(std::max(depth, 1u)), cache(p),
      lane(c.config.profile ? &c.config.profile->addLane("worker") : nullptr),
      attention_(maxDepth) {}

void Worker::use(Run* r) {
  if (run) run->release(reserve);
  run = r;
  reserve = r ? kReserve : 0;
  if (r) r->references.fetch_add(kReserve, std::memory_order_relaxed);
}

void Worker::settle() {
  use(nullptr);
  const auto report = [](Live what, std::int64_t& more, std::int64_t& reported) {
    if (more == 0) return;
    countLive(what, more);
    reported += std::exchange(more, 0);
  };
  report(Live::Future, liveTasks, reportedTasks_);
  report(Live::Frame, liveFrames, reportedFrames_);
}

/// \pre there are several
void Worker::takeArguments(FutureState& task, IValue* registers) {
  if (hasPlaceForTwo(siteOf(task))) {
    new (registers) IValue(std::move(task.argument()));
    new (registers + 1) IValue(takeSecond(task));
    return;
  }
  const std::uint32_t n = siteOf(task).target->numInputs;
  const bool splits = siteOf(task).splits;
  auto* arguments = static_cast<IValue*>(task.payload[2]);
  for (std::uint32_t i = 0; i < n; ++i) new (registers + i) IValue(std::move(arguments[i]));
  if (splits) [[unlikely]]
    setStream(task, RandomStream::resume(static_cast<std::uint64_t>(arguments[n].toInt())));
  freeBlock(arguments, (n + splits) * sizeof(IValue));
}

RandomStream splitStream(FutureState& task) {
  if (!siteOf(task).splits) return RandomStream(0);
  RandomStream stream = streamOf(task);
  const RandomStream other = stream.split();
  setStream(task, stream);
  return other;
}

RandomStream Worker::random() {
  if (!calling || !siteOf(*calling->task).splits)
    raise(error_kind::Runtime,
          "an operator draws random numbers, and its effects say that it is deterministic");
  return splitStream(*calling->task);
}

TaskContext Worker::context() const {
  if (!calling) return {};
  const Run& r = *calling->run;
  TaskContext context = r.control ? r.control->context() : TaskContext();
  context.seed = r.seed;
  return context;
}

namespace {
bool isStale(Deque::Entry entry) { return !isWait(entry) && !taskOf(entry).isNew(); }
} // namespace

// Entries of tasks that were claimed out of order must be skipped some day, and would pile up:
// below the newest, or, when tasks are waited for in the order in which they were forked, at the
// other end.

bool Worker::claimFromTheMiddle(FutureState& task) {
  if (!task.claim()) return false;
  if (++stale % 32 == 0)
    stale -= std::min(stale, static_cast<std::uint32_t>(deque.dropOldest(isStale)));
  return true;
}

void Worker::dropNewest() {
  stale -= std::min(stale, static_cast<std::uint32_t>(deque.dropNewest(isStale)));
}

void Worker::makeRoom() {
  deque.makeRoom([](Deque::Entry e) { return isWait(e) || taskOf(e).isNew(); });
  stale = 0;
}

bool Worker::wakeOther() { return core.wake(); }

void Worker::enlist(Wait* wait) {
  std::lock_guard lock(waitsMutex);
  enlistLocked(wait);
}

void Worker::enlistLocked(Wait* wait) {
  wait->number = ++numWaits;
  wait->following = waits;
  if (waits) waits->previous = wait;
  waits = wait;
}

void Worker::delist(Wait* wait) {
  std::lock_guard lock(waitsMutex);
  delistLocked(wait);
}

void Worker::delistLocked(Wait* wait) {
  (wait->previous ? wait->previous->following : waits) = wait->following;
  if (wait->following) wait->following->previous = wait->previous;
}

bool Worker::await(FutureState& future, Wait::Who who, Frame* frame, void* blocked,
                   std::shared_ptr<const Error>* error) {
  auto* wait = new (cache.allocate(Pool::classOf(sizeof(Wait)), true))
      Wait(*this, future, who, frame, blocked);
  {
    // Who is in the list waits already, for others look through it to abandon some.
    std::lock_guard lock(waitsMutex);
    enlistLocked(wait);
    if (frame && core.numStopping.load(std::memory_order_acquire) > 0) *error = core.stopOf(*frame);
    if (lane) [[unlikely]]
      lane->mark(Profile::Event::Kind::Park, wait);
    if (!*error && future.addWaiter(wait)) return true;
    delistLocked(wait);
  }
  if (lane) [[unlikely]]
    lane->mark(Profile::Event::Kind::Wake, wait);
  wait->~Wait();
  cache.free(Pool::classOf(sizeof(Wait)), wait);
  return false;
}

void Worker::dropWait(Wait* wait) {
  wait->home->delist(wait);
  wait->~Wait();
  cache.free(Pool::classOf(sizeof(Wait)), wait);
}

Frame* Worker::resume(Wait* wait, std::shared_ptr<const Error>* error) {
  Frame* frame = wait->frame;
  *error = std::move(wait->error);
  if (lane) [[unlikely]]
    lane->woken = wait;
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
