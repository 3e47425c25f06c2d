#include "interpreter/core.h"

#include "interpreter/control.h"
#include "interpreter/native_wait.h"
#include "interpreter/profile.h"
#include "support/surely.h"

#include <algorithm>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace tine {

namespace {

constexpr std::uint64_t kSeenNone = ~std::uint64_t(0);
constexpr const char* kElsewhere =
    "the scheduler was made in another process: make one after fork()";

Ref<FutureState> failedFuture(std::string kind, std::string message) {
  auto future = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
  future->fail(std::make_shared<const Error>(std::move(kind), std::move(message)));
  return future;
}

/// As configured, or what a machine can bear.
std::size_t limitOf(const Scheduler::Config& config) {
  if (config.memory != 0) return config.memory;
  std::size_t limit = std::size_t(4) << 30;
  const auto half = [&](std::size_t most) { limit = std::min(limit, most / 2); };
  half(static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
       static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  ::rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) half(space.rlim_cur);
  return limit;
}

Scheduler::Config checked(Scheduler::Config config) {
  constexpr int kMostWorkers = 4096;
  constexpr std::size_t kLargestStack = std::size_t(1) << 32;
  if (config.workers < -1 || config.workers > kMostWorkers)
    raise(error_kind::Value, "a scheduler with " + std::to_string(config.workers) +
                                 " workers: -1 is one per processor, and " +
                                 std::to_string(kMostWorkers) + " are the most");
  if (config.stackSize > kLargestStack)
    raise(error_kind::Value, "a stack of " + std::to_string(config.stackSize) +
                                 " bytes: more than " + std::to_string(kLargestStack));
  if (config.executor && config.workers == 0)
    raise(error_kind::Value, "an executor is for workers, and there are none");
  return config;
}

} // namespace

SchedulerCore::SchedulerCore(Scheduler& s, Scheduler::Config c)
    : scheduler(s), config(checked(std::move(c))),
      ownPool_(new Pool(this, config.onUnobservedError, limitOf(config), config.workers != 0)),
      pool(ownPool_.get()), shutdownError(std::make_shared<const Error>(
                                error_kind::Shutdown, "the scheduler was destroyed")),
      pending(std::make_shared<Pending>(this)), timers(!config.schedule), deadlines(true),
      pid_(::getpid()), cancelledError_(std::make_shared<const Error>(error_kind::Cancelled,
                                                                      "the future was cancelled")) {
}

void SchedulerCore::close() {
  pool->close();
  pending->close();
  timers.stop();
  deadlines.stop();
}

namespace {
bool isElsewhere(const SchedulerCore* core, const FutureState& future) {
  const Pool* home = Pool::of(future);
  return !future.done() && ((core && core->pool->isElsewhere()) || (home && home->isElsewhere()));
}
} // namespace

void SchedulerCore::mustBeHere(const SchedulerCore* core, const FutureState& future) {
  if (isElsewhere(core, future)) raise(error_kind::WrongProcess, kElsewhere);
}

Ref<FutureState> SchedulerCore::failedElsewhere(const SchedulerCore* core,
                                                llvm::ArrayRef<FutureState*> futures) {
  for (const FutureState* future : futures)
    if (isElsewhere(core, *future)) return failedFuture(error_kind::WrongProcess, kElsewhere);
  return nullptr;
}

Ref<FutureState> SchedulerCore::run(std::shared_ptr<const Code> code, const FunctionCode& function,
                                    std::vector<IValue> arguments, const TaskContext* context) {
  TINE_CHECK_MSG(function.code == code.get(), "the function is of another Code");
  if (pool->isElsewhere()) return failedFuture(error_kind::WrongProcess, kElsewhere);
  if (stopping.load(std::memory_order_relaxed))
    return failedFuture(error_kind::Shutdown, shutdownError->message);
  if (arguments.size() != function.numInputs)
    return failedFuture(error_kind::Type, function.name + "() takes " +
                                              std::to_string(function.numInputs) + " arguments, " +
                                              std::to_string(arguments.size()) + " given");
  if (config.profile) config.profile->keep(code);
  std::unique_ptr<Run> run(new Run{{1}, std::move(code), {}});
  run->root.target = &function;
  run->root.splits = run->code->draws();
  giveContext(*run, context);
  return start(std::move(run), std::move(arguments));
}

IValue SchedulerCore::call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                           llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error) {
  const auto future = run(code, function, arguments.vec(), nullptr);
  scheduler.waitDone(*future);
  return result(*future, error);
}

/// A run that a task starts has that task's context, but for what it is given; it cannot live
/// longer.
void SchedulerCore::giveContext(Run& run, const TaskContext* given) {
  const Frame* caller = currentWorker ? currentWorker->calling : nullptr;
  if (!given && !caller) return;
  TaskContext context = given ? *given : TaskContext();
  std::shared_ptr<RunControl> around;
  if (caller) {
    around = caller->run->control;
    if (!given) context.seed = splitStream(*caller->task).next();
  }
  run.seed = context.seed;
  if (around && !context.deadline && !context.cancel)
    run.control = std::move(around);
  else if (context.deadline || context.cancel)
    run.control = RunControl::make(*this, std::move(context), around.get());
}

Ref<FutureState> SchedulerCore::newRoot(Worker* worker, std::unique_ptr<Run> run,
                                        std::vector<IValue> arguments) {
  FutureState* task =
      newTask(worker, run->root, run.get(), std::move(arguments), RandomStream(run->seed));
  static_cast<void>(run.release()); // the task's
  const std::shared_ptr<RunControl> control = runOf(*task)->control;
  task->renew(2); // the handle, and whoever runs it
  auto root = Ref<FutureState>::adopt(task);
  if (control) control->add(*root);
  return root;
}

FutureState* SchedulerCore::newTask(Worker* worker, const Site& site, Run* run,
                                    std::vector<IValue> arguments, RandomStream stream,
                                    bool beyond) {
  FutureState* task;
  if (worker) {
    task = worker->allocateTask(beyond);
  } else {
    task = static_cast<FutureState*>(pool->allocate(Pool::kTasks));
    countLive(Live::Future, 1);
  }
  task->payload[0] = const_cast<Site*>(&site);
  task->payload[1] = run;
  task->payload[2] = nullptr;
  const std::size_t n = arguments.size();
  if (n == 1 || (n == 2 && hasPlaceForTwo(site))) {
    task->argument() = std::move(arguments[0]);
    if (n == 2) putSecond(*task, std::move(arguments[1]));
  } else if (n > 1) {
    const std::size_t bytes = (n + site.splits) * sizeof(IValue);
    const int sizeClass = Pool::classOf(bytes);
    void* block = sizeClass == Pool::kClasses ? pool->allocateLarge(bytes, true)
                  : worker                    ? worker->cache.allocate(sizeClass, true)
                                              : surely([&] { return pool->allocate(sizeClass); });
    auto* place = static_cast<IValue*>(block);
    for (std::size_t i = 0; i < n; ++i) new (place + i) IValue(std::move(arguments[i]));
    task->payload[2] = place;
  }
  if (site.splits) giveStream(*task, static_cast<std::uint32_t>(n), stream);
  return task;
}

void SchedulerCore::execute(Worker& worker, Deque::Entry entry, Counter& counter) {
  if (isWait(entry)) {
    std::shared_ptr<const Error> error;
    Frame* frame = worker.resume(waitOf(entry), &error);
    if (numStopping.load(std::memory_order_acquire) > 0) [[unlikely]] {
      worker.ask();
      worker.seenStops = kSeenNone; // what was ready when somebody was told to stop nobody has seen
    }
    interpret(worker, frame, std::move(error));
    return;
  }
  FutureState& task = taskOf(entry);
  if (!task.claim()) return;
  if (RunControl* const control = runOf(task)->control.get()) [[unlikely]]
    if (!siteOf(task).home) control->started(task);
  if (numStopping.load(std::memory_order_acquire) > 0) [[unlikely]] {
    const RunControl* control = runOf(task)->control.get();
    if (control && control->isStopped()) {
      task.markObserved(); // who waits for the run hears of it
      return failUnstarted(task, control->error(), nullptr);
    }
    worker.ask();
  }
  ++counter;
  interpret(worker, worker.frameOf(task));
}

bool SchedulerCore::cancel(Worker& worker, FutureState& task,
                           const std::shared_ptr<const Error>& error) {
  if (!task.claim()) return false;
  Frame* frame = worker.frameOf(task); // takes the arguments over
  Run* run = frame->run;
  worker.freeFrame(frame);
  task.fail(error);
  task.release();
  worker.endInRun(run);
  return true;
}

bool SchedulerCore::abandonAll(llvm::ArrayRef<Worker*> workers,
                               const std::shared_ptr<const Error>& error, const Waits* which) {
  // Tasks first: threads outside mostly wait for them, and see their errors.
  for (const bool threads : {false, true})
    if (abandon(workers, [&](const Wait& wait, std::size_t i) {
          const bool is = (wait.who == Wait::Who::Thread) == threads &&
                          (!which || which->count({std::uint32_t(i), wait.number}));
          return is ? error : nullptr;
        }))
      return true;
  return false;
}

bool SchedulerCore::anybodyWaits(llvm::ArrayRef<Worker*> workers) {
  return std::any_of(workers.begin(), workers.end(), [](Worker* worker) {
    std::lock_guard lock(worker->waitsMutex);
    return worker->waits != nullptr;
  });
}

void SchedulerCore::awaitVisitors() {
  unlist();
  while (pool->visitors().any()) std::this_thread::yield();
}

bool SchedulerCore::abandon(
    llvm::ArrayRef<Worker*> workers,
    llvm::function_ref<std::shared_ptr<const Error>(const Wait&, std::size_t)> errorOf) {
  bool isPartial = false;
  std::vector<Wait*> abandoned;
  std::vector<FutureState*> futures; // alive, for those who waited have not gone on yet
  for (std::size_t i = 0; i < workers.size() && !isPartial; ++i) {
    Worker* worker = workers[i];
    std::lock_guard lock(worker->waitsMutex);
    for (Wait *old = worker->waits, *following; old; old = following) {
      // The old one stays with its future, which frees it, perhaps at once; another takes its
      // place.
      following = old->following;
      if (!old->state.isWaiting()) continue;
      std::shared_ptr<const Error> error = errorOf(*old, i);
      if (!error) continue;
      FutureState* const future = old->future;
      const auto prepare = [&] {
        const std::size_t size = abandoned.size();
        if (size == abandoned.capacity()) abandoned.reserve(2 * size + 8);
        if (size == futures.capacity()) futures.reserve(2 * size + 8);
        return pool->allocate(Pool::classOf(sizeof(Wait)));
      };
      void* memory;
      try {
        memory = prepare();
      } catch (const std::bad_alloc&) {
        if (!abandoned.empty()) {
          isPartial = true;
          break; // they go on, and give some back
        }
        memory = surely(prepare);
      }
      abandoned.push_back(nullptr);
      futures.push_back(future);
      auto* wait = new (memory) Wait(*worker, *future, old->who, old->frame, old->blocked);
      wait->state.setFired();
      wait->previous = old->previous;
      wait->following = following;
      wait->number = old->number;
      wait->error = std::move(error);
      if (!old->state.abandon()) {
        wait->~Wait();
        pool->free(Pool::classOf(sizeof(Wait)), wait);
        abandoned.pop_back();
        futures.pop_back();
        continue;
      }
      (wait->previous ? wait->previous->following : worker->waits) = wait;
      if (following) following->previous = wait;
      abandoned.back() = wait;
    }
  }
  std::sort(futures.begin(), futures.end());
  futures.erase(std::unique(futures.begin(), futures.end()), futures.end());
  for (FutureState* future : futures) dropAbandoned(*future);
  for (Wait* wait : abandoned) ready(wait);
  if (isPartial) requestStop(); // if that is why, somebody looks again
  return !abandoned.empty();
}

} // namespace tine
