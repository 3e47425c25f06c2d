#include "interpreter/fiber_worker.h"

#include "interpreter/fiber_room.h"
#include "interpreter/native_wait.h"
#include "interpreter/profile.h"
#include "interpreter/worker_job.h"
#include "llvm/ADT/ScopeExit.h"
#include "support/surely.h"

#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>

#include <algorithm>

/// Boost's count of what needs the fibers of a thread; its destructor ends them at zero.
namespace boost::fibers {
struct context_initializer {
  static thread_local std::size_t counter_;
};
} // namespace boost::fibers

namespace tine {
namespace {

constexpr unsigned kNaps = 16;           // before a worker sleeps soundly
constexpr std::size_t kStealAtMost = 16; // tasks at once
// A stolen task that takes less is done faster where it is: both would wait for memory of the
// other.
constexpr std::chrono::nanoseconds kWorthStealing(300);
constexpr std::chrono::microseconds kLeastShy(2), kMostShy(32);
constexpr std::size_t kIdleLoops = 64;      // that are kept
constexpr std::size_t kRedZone = 24 * 1024; // of a stack: no task starts on top of less

using BoostContext = boost::fibers::context;

/// A task may call std::exit, which destroys the thread-locals of the worker under its feet. Boost
/// would wait for all fibers there, and so for the one that exits.
struct KeepFibersAtExit {
  bool running = false;
  ~KeepFibersAtExit() {
    if (running) ++boost::fibers::context_initializer::counter_;
  }
};

} // namespace

// ---- Boost's side
// ---------------------------------------------------------------------------------

void FiberAlgorithm::awakened(BoostContext* fiber) noexcept {
  if (fiber->is_context(boost::fibers::type::dispatcher_context)) {
    dispatcher_ = fiber;
  } else if (worker_.makingSpare_) {
    worker_.idle_.push_back(fiber);
  } else {
    fiber->ready_link(ready_);
    worker_.ask();
  }
}

BoostContext* FiberAlgorithm::pick_next() noexcept {
  // The dispatcher takes in fibers that other threads or timers made ready.
  if (dispatcher_ && (worker_.notified_.load(std::memory_order_relaxed) || ++tick_ % 256 == 0)) {
    worker_.notified_.store(false, std::memory_order_seq_cst);
    return std::exchange(dispatcher_, nullptr);
  }
  if (!ready_.empty()) {
    BoostContext* fiber = &ready_.front();
    ready_.pop_front();
    return fiber;
  }
  if (!worker_.idling_ && !worker_.idle_.empty()) {
    BoostContext* fiber = worker_.idle_.back();
    worker_.idle_.pop_back();
    return fiber;
  }
  return std::exchange(dispatcher_, nullptr); // null when the dispatcher asks
}

void FiberAlgorithm::suspend_until(std::chrono::steady_clock::time_point const& until) noexcept {
  worker_.sleep(until);
}

void FiberAlgorithm::notify() noexcept {
  worker_.notified_.store(true, std::memory_order_seq_cst);
  worker_.ask();
  worker_.signal();
}

// ---- the thread
// -----------------------------------------------------------------------------------

FiberWorker::FiberWorker(FiberScheduler& s, Pool& p, std::uint32_t index)
    : Worker(s, p, s.config.maxDepth), scheduler_(s), index_(index), random_(index + 1),
      stacks_(s.config.stackSize) {
  hasFibers = true;
  idle_.reserve(loops_);
}

FiberWorker::~FiberWorker() {
  if (job_) job_->revoke();
}

void FiberWorker::start() {
  seenTops_.assign(scheduler_.workers_.size(), -1);
  if (!scheduler_.config.executor) {
    thread_ = std::thread([this] { main(); });
    begun_.store(true, std::memory_order_release);
    return;
  }
  job_ = std::make_shared<WorkerJob>(this);
  scheduler_.config.executor(
      [ticket = std::make_shared<WorkerJob::Ticket>(job_)] { ticket->job->run(); });
}

void FiberWorker::join() {
  if (job_)
    job_->revoke();
  else
    thread_.join();
}

void FiberWorker::main() {
  currentWorker = this;
  fiberStacks = &stacks_;
  // Owned by Boost's scheduler of this thread, which ends with the thread.
  algorithm_ = surely([&] { return new FiberAlgorithm(this); });
  BoostContext::active()->get_scheduler()->set_algo(
      boost::fibers::algo::algorithm::ptr_t(algorithm_));
  static thread_local KeepFibersAtExit keep; // goes before Boost's
  keep.running = true;
  loop();
  // The other loops end before the thread does.
  while (loops_ > 1) {
    idle_.insert(idle_.begin(), BoostContext::active());
    idling_ = false;
    BoostContext::active()->suspend();
  }
  settle();
  currentWorker = nullptr;
  fiberStacks = nullptr;
  keep.running = false;
  if (!job_) return;
  // The thread is the executor's, and goes on: it gets Boost's own algorithm back, and its
  // dispatcher frees the fibers that have ended.
  algorithm_->leave();
  BoostContext::active()->get_scheduler()->set_algo(
      boost::fibers::algo::algorithm::ptr_t(new boost::fibers::algo::round_robin()));
  boost::this_fiber::yield();
}

void FiberWorker::loop() {
  const bool isMain = onMainStack();
  for (;;) {
    if (isAsked()) {
      noteAttention();
      if (scheduler_.takeStopRequest()) scheduler_.stopParked(scheduler_.all_);
      wakeFibers();
      if (notified_.load(std::memory_order_relaxed) || algorithm_->has_ready_fibers()) park();
    }
    if (idle_.empty()) {
      try {
        makeSpare();
      } catch (const std::bad_alloc&) {
        // An operator that waits tries again, and fails.
      }
    }
    const bool stops = scheduler_.stopping.load(std::memory_order_relaxed);
    if (const Deque::Entry entry = next()) {
      if (stops && !isWait(entry))
        FiberScheduler::cancel(*this, taskOf(entry), scheduler_.shutdownError);
      else
        scheduler_.execute(*this, entry, numTaken);
      continue;
    }
    settle();
    if (scheduler_.helps_.load(std::memory_order_acquire)) {
      scheduler_.helpOthers();
      continue;
    }
    if (scheduler_.finished_.load(std::memory_order_acquire)) break;
    if (stops) {
      scheduler_.idleInStop(*this);
      if (loops_ != idle_.size() + 1) boost::this_fiber::yield();
      continue;
    }
    if (!isMain && idle_.size() > kIdleLoops) break;
    if (isAsked()) continue;
    idling_ = true;
    park();
  }
  if (!isMain) {
    --loops_;
    idling_ = false; // another one takes over
  }
}

/// Attention was asked for and is paid now; while the scheduler stops it is asked for all the time.
bool FiberWorker::noteAttention() {
  pay();
  if (!scheduler_.stopping.load(std::memory_order_seq_cst)) return false;
  ask();
  return true;
}

/// The loop steps back until it is needed again.
void FiberWorker::park() {
  idle_.push_back(BoostContext::active());
  BoostContext::active()->suspend();
  idling_ = false;
}

void FiberWorker::makeSpare() {
  idle_.reserve(loops_ + 1); // who puts one there cannot fail
  makingSpare_ = true;
  const auto made = llvm::make_scope_exit([&] { makingSpare_ = false; });
  boost::fibers::fiber(boost::fibers::launch::post, std::allocator_arg, StackAllocator{&stacks_},
                       [this] { loop(); })
      .detach();
  ++loops_;
  ++numFibers;
}

// ---- finding work
// ---------------------------------------------------------------------------------

Deque::Entry FiberWorker::next() {
  Deque::Entry entry = 0;
  // Now and then the oldest first, so that nothing stays for ever below what keeps coming.
  if (++tick_ % 64 == 0) {
    bool again = false;
    entry = scheduler_.takeInjected();
    if (!entry) entry = deque.steal(&again);
  }
  if (!entry) entry = deque.take();
  if (!entry) {
    stale = 0;
    entry = scheduler_.takeInjected();
  }
  if (!entry) return search();
  if (searches) endSearch();
  return entry;
}

/// Looks at the others' tasks, for some time if nobody else does. Each look makes the others
/// slower, so they become rarer.
Deque::Entry FiberWorker::search() {
  idleSince_ = Clock::now();
  judgeBatch();
  for (unsigned naps = 0;;) {
    if (!searches) searches = scheduler_.beginSearch();
    for (unsigned rests = 0; rests < patience_;) {
      if (const Deque::Entry entry = lookAround()) {
        patience_ = kPatience;
        endSearch();
        return entry;
      }
      if (isAsked() || !searches) break;
      const bool outside = scheduler_.looking_.load(std::memory_order_relaxed) > 0;
      for (unsigned n = std::min(1 + rests / 8, 8u); n > 0; --n) rest(rests++, outside);
    }
    if (std::exchange(searches, false)) scheduler_.endSearch();
    if (isAsked() || !nap(naps++)) return 0;
  }
}

/// Were the tasks that it stole last worth it? If not, the next ones may be left where they are for
/// some time, which gets longer while they are as small.
void FiberWorker::judgeBatch() {
  if (numBatch_ == 0) return;
  const bool worth = idleSince_ - stoleAt_ >= numBatch_ * kWorthStealing;
  shyness_ =
      worth ? Clock::duration(0) : std::clamp<Clock::duration>(2 * shyness_, kLeastShy, kMostShy);
  shyUntil_ = idleSince_ + shyness_;
  numBatch_ = 0;
}

Deque::Entry FiberWorker::lookAround() {
  if (shyness_.count() > 0 && Clock::now() < shyUntil_) return scheduler_.takeInjected();
  const auto& all = scheduler_.workers_;
  const std::size_t first = all.size() > 1 ? random_() : 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    FiberWorker& victim = *all[(first + i) % all.size()];
    if (&victim == this) continue;
    if (const Deque::Entry entry = stealFrom(victim)) return entry;
  }
  return scheduler_.takeInjected();
}

/// Others work and have nothing to give: who forks and waits at once never has for long, but would
/// wake a sleeper each time, and so would a short run, when another has just ended. So it sleeps a
/// little without their knowing. False when it is to sleep soundly.
bool FiberWorker::nap(unsigned count) {
  // Fibers in something of Boost's may have timers, which `sleep` knows.
  if (count == kNaps || loops_ != idle_.size() + nativeWaits_ + 1) return false;
  naps_.store(true, std::memory_order_seq_cst);
  const int idle = 1 + scheduler_.napping_.fetch_add(1, std::memory_order_seq_cst) +
                   scheduler_.sleepers.load(std::memory_order_seq_cst);
  const bool othersWork = static_cast<std::size_t>(idle) < scheduler_.started_.load();
  if (othersWork && scheduler_.injected_.size() == 0 && !isAsked())
    bell.sleep(std::chrono::microseconds(20 << std::min(count, 3u)));
  scheduler_.napping_.fetch_sub(1, std::memory_order_seq_cst);
  naps_.store(false, std::memory_order_seq_cst);
  bell.clear();
  return othersWork;
}

/// Found something: somebody else may look for the rest.
void FiberWorker::endSearch() {
  if (searches) scheduler_.asleep_.endSearch(*this, true, [this] { return scheduler_.hasWork(); });
}

Deque::Entry FiberWorker::stealFrom(FiberWorker& victim) {
  bool again = false;
  if (victim.deque.size() == 1) {
    // Who forks and waits at once would be kept waiting: only what was there at the last look.
    const std::int64_t top = victim.deque.top();
    if (std::exchange(seenTops_[victim.index_], top) != top) return 0;
  }
  const Deque::Entry entry = victim.deque.steal(&again);
  if (!entry) return 0;
  if (numBatch_++ == 0) stoleAt_ = Clock::now();
  if (!isWait(entry)) ++numStolen;
  // Of many, more than one, so that thieves come less often.
  const std::int64_t left = victim.deque.size();
  if (left <= 8 || shyness_.count() > 0) return entry;
  const std::int64_t count = std::min<std::int64_t>(left / 2, kStealAtMost);
  for (std::int64_t i = 1; i < count; ++i) {
    const Deque::Entry more = victim.deque.steal(&again);
    if (!more) break;
    if (!isWait(more)) ++numStolen;
    ++numBatch_;
    if (deque.isFull()) makeRoom();
    deque.push(more);
  }
  return entry;
}

// ---- sleeping
// -------------------------------------------------------------------------------------

void FiberWorker::sleep(Clock::time_point until) {
  until_ = until;
  const auto mustNot = [&] {
    return scheduler_.hasWork() || notified_.load(std::memory_order_seq_cst) || !woken_.isEmpty() ||
           scheduler_.stopping.load(std::memory_order_seq_cst);
  };
  scheduler_.asleep_.sleep(*this, mustNot, [&] {
    Clock::time_point again = Clock::time_point::max();
    while (!scheduler_.breakDeadlock(&again) && !scheduler_.helps_.load() && !bell.isRung()) {
      const Clock::time_point limit = std::min(until, again);
      const bool timed = limit != Clock::time_point::max();
      bell.sleep(timed ? limit - Clock::now() : Clock::duration::max());
      if (timed && Clock::now() >= until) break;
      again = Clock::time_point::max();
    }
  });
  patience_ = Clock::now() - idleSince_ < kSoon ? kPatience : kPatience / 8;
  if (searches || isAsked() || scheduler_.hasWork() || scheduler_.helps_.load() ||
      scheduler_.stopping.load(std::memory_order_seq_cst))
    idling_ = false;
}

// ---- waits of native code
// -------------------------------------------------------------------------

namespace {
/// A fiber in FiberWorker::wait, on its own stack.
struct SuspendedFiber {
  BoostContext* fiber;
  std::shared_ptr<const Error> error;
  const void* fired = nullptr; ///< the Wait, for the profile
};

/// While the fiber leaves the worker to others, its slices in the profile are over.
class OffLane {
public:
  explicit OffLane(ProfileLane* lane) : lane_(lane) {
    if (lane_) slices_ = lane_->suspend();
  }
  ~OffLane() {
    if (lane_) lane_->resume(slices_);
  }
  OffLane(const OffLane&) = delete;

private:
  ProfileLane* const lane_;
  std::vector<ProfileLane::Slice> slices_;
};
} // namespace

bool FiberWorker::onMainStack() const {
  return BoostContext::active()->is_context(boost::fibers::type::main_context);
}

void FiberWorker::wait(FutureState& future) {
  Frame* const from = calling;
  while (!future.done()) {
    if (future.kind() == kind && future.isNew()) {
      if (stackLeft(0) > kRedZone && claim(future)) {
        ++numInline;
        const StandingWait below(*this, future, from);
        interpret(*this, frameOf(future));
        calling = from;
        continue;
      }
      if (future.isNew()) offer(entryOf(future)); // for a loop with more stack
    }
    SuspendedFiber self{BoostContext::active(), nullptr};
    if (idle_.empty()) makeSpare();
    if (!await(future, Wait::Who::Fiber, from, &self, &self.error)) {
      if (self.error) throw RuntimeError(self.error);
      break;
    }
    ++numSuspended;
    ++nativeWaits_;
    {
      const OffLane offLane(lane);
      BoostContext::active()->suspend();
    }
    if (lane) [[unlikely]]
      lane->mark(Profile::Event::Kind::Wake, self.fired);
    idling_ = false;
    calling = from;
    if (self.error) throw RuntimeError(self.error);
  }
}

void FiberWorker::wakeFiber(Wait* wait) {
  woken_.put(wait);
  ask();
  if (currentWorker != this) signal();
}

void FiberWorker::wakeFibers() {
  Waiter* oldest = woken_.takeAll();
  while (oldest) {
    auto* wait = static_cast<Wait*>(oldest);
    oldest = oldest->next;
    auto* self = static_cast<SuspendedFiber*>(wait->blocked);
    self->error = std::move(wait->error);
    self->fired = wait;
    dropWait(wait);
    --nativeWaits_;
    BoostContext::active()->schedule(self->fiber);
  }
}

void FiberWorker::yieldToFibers() {
  Frame* const from = calling;
  wakeFibers();
  if (notified_.load(std::memory_order_relaxed) || algorithm_->has_ready_fibers()) {
    const OffLane offLane(lane);
    boost::this_fiber::yield();
  }
  calling = from;
}

} // namespace tine
