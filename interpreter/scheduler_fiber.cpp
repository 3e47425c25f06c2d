#include "interpreter/fiber_worker.h"
#include "interpreter/native_wait.h"
#include "interpreter/prospects.h"
#include "interpreter/worker_job.h"
#include "support/surely.h"

#include <algorithm>
#include <system_error>

namespace tine {
namespace {

/// A foreign thread in `waitDone`; shared by it and whoever wakes it.
struct BlockedThread {
  std::atomic<int> woken{0};
  std::atomic<int> owners{2};
  Wait* replaced = nullptr; ///< the Wait that fired
  void wait() { woken.wait(0, std::memory_order_acquire); }
  void wake(Wait* fired) {
    replaced = fired;
    woken.store(1, std::memory_order_release);
    woken.notify_one();
    drop();
  }
  void drop() {
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
};

/// What may become a deadlock without anybody waking a worker is looked at so often.
constexpr std::chrono::milliseconds kLookAgain(40);

/// The same with as many workers as there are.
Scheduler::Config counted(Scheduler::Config config) {
  if (config.workers == -1)
    config.workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return config;
}

} // namespace

FiberScheduler::FiberScheduler(Scheduler& s, Scheduler::Config c)
    : SchedulerCore(s, counted(std::move(c))) {
  fenced = !Threads::registerHeavyFence();
  for (int i = 0; i < config.workers; ++i)
    workers_.push_back(std::make_unique<FiberWorker>(*this, *pool, static_cast<std::uint32_t>(i)));
  for (auto& worker : workers_) all_.push_back(worker.get());
  asleep_.sleeping.reserve(workers_.size());
  if (config.executor) started_.store(0);
  constructing_.store(std::this_thread::get_id());
  std::size_t started = 0;
  bool outOfMemory = false;
  for (auto& worker : workers_) {
    try {
      worker->start();
      ++started;
    } catch (const std::bad_alloc&) {
      outOfMemory = true;
      if (!config.executor) ++numLost_;
    } catch (...) {
      // A worker without a thread never has anything that could be stolen. Its job counts itself.
      if (!config.executor) ++numLost_;
    }
  }
  constructing_.store(std::thread::id());
  if (!config.executor) started_.store(started, std::memory_order_release);
  if (numLost_ != workers_.size()) {
    enlist(all_);
    return;
  }
  workers_.clear();
  if (outOfMemory) throw std::bad_alloc();
  raise(error_kind::Runtime,
        config.executor ? "the executor runs no job" : "no thread can be started");
}

void FiberScheduler::begin(FiberWorker& worker) {
  worker.begun_.store(true, std::memory_order_release);
  started_.fetch_add(1);
}

void FiberScheduler::lose() {
  if (numLost_.fetch_add(1) + 1 != all_.size()) return;
  if (constructing_.load() != std::thread::id()) return; // the constructor sees it
  lost_.store(true);
  failAll(lostError());
}

std::shared_ptr<const Error> FiberScheduler::lostError() {
  return std::make_shared<const Error>(error_kind::Shutdown,
                                       "the executor has dropped the scheduler's jobs");
}

void FiberScheduler::failAll(const std::shared_ptr<const Error>& error) {
  while (const Deque::Entry entry = takeInjected())
    if (!isWait(entry) && taskOf(entry).claim()) failUnstarted(taskOf(entry), error, nullptr);
  abandonAll(all_, error);
}

FiberScheduler::~FiberScheduler() {
  TINE_CHECK_MSG(!currentWorker || &currentWorker->core != this,
                 "a scheduler is destroyed by one of its own tasks");
  close();
  stopping.store(true, std::memory_order_seq_cst);
  for (auto& worker : workers_) {
    worker->ask();
    worker->signal();
  }
  for (auto& worker : workers_)
    if (worker->job_ || worker->begun_) worker->join();
  failAll(shutdownError); // if no worker ever began
  pending->failAll(shutdownError);
  awaitVisitors();
}

/// A thread outside looks at the future until it is done, for some time.
bool FiberScheduler::looksAtDone(const FutureState& future) {
  const unsigned patience = patience_.load(std::memory_order_relaxed);
  looking_.fetch_add(1, std::memory_order_relaxed);
  for (unsigned rests = 0; rests < patience && !future.done(); ++rests) rest(rests, true);
  looking_.fetch_sub(1, std::memory_order_relaxed);
  return future.done();
}

void FiberScheduler::waitDone(FutureState& future) {
  // On another scheduler's worker it is that worker's fiber that waits.
  if (currentWorker && currentWorker->hasFibers)
    return static_cast<FiberWorker*>(currentWorker)->wait(future);
  if (looksAtDone(future)) return;
  const auto before = FiberWorker::Clock::now();
  FiberWorker& home = *workers_.front();
  auto* self = new BlockedThread;
  auto* wait = new (surely([&] { return pool->allocate(Pool::classOf(sizeof(Wait))); }))
      Wait(home, future, Wait::Who::Thread, nullptr, self);
  std::shared_ptr<const Error> error;
  if (future.addWaiter(wait)) {
    // Listed only now: workers may be asleep, and one of them would abandon a listed wait that the
    // future may yet refuse.
    home.enlist(wait);
    if (lost_.load()) failAll(lostError());
    // Perhaps nobody will ever complete it: somebody must be awake to see that.
    if (static_cast<std::size_t>(sleepers.load(std::memory_order_seq_cst)) ==
        started_.load(std::memory_order_relaxed))
      home.signal();
    self->wait();
    patience_.store(FiberWorker::Clock::now() - before < kSoon ? kPatience : kPatience / 8,
                    std::memory_order_relaxed);
    wait = self->replaced; // an abandoned one is the future's
    error = std::move(wait->error);
    self->drop();
    home.delist(wait);
  } else {
    delete self;
  }
  wait->~Wait();
  pool->free(Pool::classOf(sizeof(Wait)), wait);
  if (error) throw RuntimeError(error);
}

Scheduler::Stats FiberScheduler::stats() {
  Scheduler::Stats sum;
  for (Worker* worker : all_) worker->addTo(sum);
  return sum;
}

// ---- work from outside
// ----------------------------------------------------------------------------

Ref<FutureState> FiberScheduler::start(std::unique_ptr<Run> run, std::vector<IValue> arguments) {
  Worker* worker = currentWorker && &currentWorker->core == this ? currentWorker : nullptr;
  auto task = newRoot(worker, std::move(run), std::move(arguments));
  if (worker)
    worker->offer(entryOf(*task));
  else
    inject(entryOf(*task));
  if (lost_.load()) failAll(lostError());
  return task;
}

void FiberScheduler::ready(Wait* wait) {
  if (wait->who == Wait::Who::Fiber)
    static_cast<FiberWorker*>(wait->home)->wakeFiber(wait);
  else if (wait->who == Wait::Who::Thread)
    static_cast<BlockedThread*>(wait->blocked)->wake(wait);
  else if (currentWorker && &currentWorker->core == this)
    currentWorker->offer(entryOf(wait)); // whoever completed it has its result at hand
  else
    inject(entryOf(wait));
}

void FiberScheduler::inject(Deque::Entry entry) {
  injected_.add(entry);
  if (asleep_.call() || napping_.load(std::memory_order_seq_cst) == 0) return;
  for (auto& worker : workers_)
    if (worker->naps_.load(std::memory_order_seq_cst)) return worker->signal();
}

bool FiberScheduler::hasWork() const {
  if (injected_.size() > 0) return true;
  return std::any_of(all_.begin(), all_.end(),
                     [](const Worker* worker) { return worker->deque.size() > 0; });
}

// ---- sleeping and waking
// --------------------------------------------------------------------------

bool FiberScheduler::wake() {
  asleep_.wake();
  return false;
}

/// Does everybody sleep, with nothing to do, while somebody waits?
bool FiberScheduler::nothingRuns() {
  std::lock_guard lock(asleep_.mutex);
  if (asleep_.sleeping.size() != started_ || hasWork()) return false;
  bool waits = false;
  for (FiberWorker* worker : asleep_.sleeping) {
    if (worker->notified_.load(std::memory_order_acquire) || !worker->woken_.isEmpty() ||
        worker->until_ != Clock::time_point::max())
      return false;
    // A fiber that waits for something of Boost's may be waiting for the outside.
    if (worker->loops_ != worker->idle_.size() + worker->nativeWaits_) return false;
    std::lock_guard lockWaits(worker->waitsMutex);
    waits |= worker->waits != nullptr;
  }
  return waits;
}

bool FiberScheduler::breakDeadlock(Clock::time_point* again) {
  // Another worker may be about to wake those whom it has abandoned.
  std::lock_guard lock(deadlockMutex_);
  if (!nothingRuns()) return false;
  // It takes time when many wait, and workers lie down often: most of the time is for others.
  const Clock::time_point begin = Clock::now();
  if (begin < nextLook_) {
    *again = nextLook_;
    return false;
  }
  Waits hopeless;
  std::shared_ptr<const Error> error;
  bool mayChange;
  try {
    const Prospects prospects(*this, all_);
    error = prospects.deadlock();
    hopeless = prospects.hopeless();
    mayChange = prospects.mayChange();
    if (begin >= nextHelp_) toHelp_ = prospects.withoutWorkers();
  } catch (const std::bad_alloc&) {
    *again = begin + std::chrono::milliseconds(1); // perhaps then
    return false;
  }
  if (!toHelp_.empty()) {
    nextHelp_ = begin + kLookAgain;
    helps_.store(true, std::memory_order_release);
  }
  const Clock::time_point end = Clock::now();
  nextLook_ = end + std::min<Clock::duration>(10 * (end - begin), kLookAgain);
  if (!error) {
    if (mayChange) *again = end + kLookAgain;
    return false;
  }
  // A thread outside may have started something meanwhile, and waits for that. Who waited before a
  // moment at which nothing runs, and still does, waits for ever; who came later may not.
  return nothingRuns() && abandonAll(all_, error, &hopeless);
}

void FiberScheduler::helpOthers() {
  std::vector<Ref<FutureState>> futures;
  {
    std::lock_guard lock(deadlockMutex_);
    helps_.store(false, std::memory_order_release);
    futures.swap(toHelp_);
  }
  for (const Ref<FutureState>& future : futures)
    Pool::of(*future)->withCore([&](SchedulerCore& other) {
      other.help([&] { return !future->done() && !hasWork() && !stopping.load(); });
    });
}

Advice FiberScheduler::attend(Worker& w, Frame* top, bool waits,
                              std::shared_ptr<const Error>* error) {
  auto& worker = static_cast<FiberWorker&>(w);
  if (worker.noteAttention()) {
    *error = shutdownError;
    return Advice::Stop;
  }
  if (isDumping()) answerDump(worker, top);
  if (takeStopRequest()) stopParked(all_);
  worker.yieldToFibers();
  return attendToStops(worker, top, waits, error);
}

SchedulerCore::Census FiberScheduler::census() {
  std::size_t queued = injected_.size();
  for (const Worker* worker : all_)
    queued += static_cast<std::size_t>(std::max<std::int64_t>(worker->deque.size(), 0));
  std::lock_guard lock(asleep_.mutex);
  return {all_, started_ - std::min(asleep_.sleeping.size(), started_.load()), queued};
}

void FiberScheduler::askAll() {
  for (auto& worker : workers_) {
    worker->ask();
    worker->signal();
  }
}

/// Stopping, and this worker has nothing left. When nobody has, those who wait are made to fail;
/// when nobody waits either, all is over.
void FiberScheduler::idleInStop(FiberWorker& worker) {
  std::unique_lock lock(stopMutex_);
  worker.idleInStop_ = true;
  bool nothingRuns = !hasWork();
  for (auto& other : workers_)
    nothingRuns &= !other->begun_ || (other->idleInStop_ && other->woken_.isEmpty());
  if (nothingRuns) {
    bool blocked = false; // in something of Boost's: it must end by itself
    for (auto& other : workers_)
      blocked |= other->begun_ && other->loops_ != other->idle_.size() + 1;
    if (!abandonAll(all_, shutdownError) && !blocked && !anybodyWaits(all_))
      finished_.store(true, std::memory_order_release);
    stopChanged_.notify_all();
  } else {
    // Each looks at all others, under one lock: the more there are, the less often.
    const auto number = static_cast<std::int64_t>(workers_.size());
    stopChanged_.wait_for(lock, std::chrono::milliseconds(1 + number / 8));
  }
  worker.idleInStop_ = false;
}

std::unique_ptr<SchedulerCore> makeFiberScheduler(Scheduler& scheduler, Scheduler::Config config) {
  return std::make_unique<FiberScheduler>(scheduler, std::move(config));
}

} // namespace tine
