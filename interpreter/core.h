#pragma once

#include "interpreter/derived.h"
#include "interpreter/timers.h"
#include "interpreter/worker.h"

#include <set>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace tine {

class LightLock;

/// What becomes of the frames that a worker runs when it looks up from them.
enum class Advice : std::uint8_t {
  GoOn,
  Yield, ///< leaves them to the scheduler
  Stop,  ///< raises an error in them
};

/// Some of the waits in the lists of workers, by the worker's index and their number.
using Waits = std::set<std::pair<std::uint32_t, std::uint64_t>>;

/// What the two schedulers have in common, and what the interpreter asks of them.
class SchedulerCore : public Idlers {
public:
  SchedulerCore(Scheduler& scheduler, Scheduler::Config config);
  virtual ~SchedulerCore() {
    unlist();
    ownPool_ = nullptr;
  }
  SchedulerCore(const SchedulerCore&) = delete;

  /// Was it made by another process, of which fork(2) made this one?
  bool isInherited() const { return pid_ != ::getpid(); }
  virtual void waitDone(FutureState& future) = 0;
  virtual Scheduler::Stats stats() = 0;
  /// A wait has fired. \thread any
  virtual void ready(Wait* wait) = 0;
  /// Wakes a worker: something was pushed, and `sleepers` says that one sleeps. True when whoever
  /// pushed is to look up. \thread a worker's
  virtual bool wake() = 0;
  /// A worker's attention was asked for; `top` is the frame that it runs, which does not yield when
  /// it is about to wait. \thread the worker's
  virtual Advice attend(Worker& worker, Frame* top, bool waits,
                        std::shared_ptr<const Error>* error) = 0;

  /// Runs what it has to run, while that is wanted, if it has no workers and no thread does it now.
  /// \thread any
  virtual void help(llvm::function_ref<bool()> wanted) { static_cast<void>(wanted); }

  /// \errors WrongProcess the future is not done, and its workers, or `core`'s, are in another
  /// process; `core` may be null
  static void mustBeHere(const SchedulerCore* core, const FutureState& future);
  /// A future that failed so, if one of them does; else null.
  static Ref<FutureState> failedElsewhere(const SchedulerCore* core,
                                          llvm::ArrayRef<FutureState*> futures);
  /// As Scheduler::dump.
  std::string dump();
  /// As Scheduler::dumpAll.
  static std::string dumpAll();
  /// As Scheduler::run.
  Ref<FutureState> run(std::shared_ptr<const Code> code, const FunctionCode& function,
                       std::vector<IValue> arguments, const TaskContext* context);
  /// As Scheduler::call. \pre the function has as many inputs
  virtual IValue call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                      llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error);
  /// Did everything end that ever ran here, and is there nothing that costs to keep?
  virtual bool isSpotless() { return false; }
  /// A task that has its arguments, not New yet; `stream`: its random numbers, if its site splits.
  /// `worker` is the calling one, or null. \errors as Pool::Cache::allocate, unless `beyond`
  FutureState* newTask(Worker* worker, const Site& site, Run* run, std::vector<IValue> arguments,
                       RandomStream stream, bool beyond = false);
  /// Starts a task that is New after all that were posted before with the same `after`, if not
  /// after all others too; its reference is given away. \thread any
  virtual void post(FutureState& task, const FutureState* after) = 0;
  /// Its function takes a C++ callback, boxed, and a value, and calls the one with the other.
  std::shared_ptr<const Code> callbackCode();
  // ---- stopping tasks: stop.cpp -----
  /// Makes all workers look up, and somebody see to those who wait. \thread any
  void requestStop();
  /// Why the frames are to stop; null when they are not. \pre they do not run elsewhere
  std::shared_ptr<const Error> stopOf(const Frame& top) const;
  /// A task that runs, or waits, is to stop. \thread any
  void stop(FutureState& task);
  /// A task that ended had been told to stop.
  void stopped() { numStopping.fetch_sub(1, std::memory_order_acq_rel); }
  /// A claimed task fails; futures among its arguments are added to `held`. \thread any
  void failUnstarted(FutureState& task, const std::shared_ptr<const Error>& error,
                     std::vector<Ref<FutureState>>* held);

  /// Runs an entry of a worker's deque. `counter` counts tasks that had not started.
  /// \thread the worker's
  void execute(Worker& worker, Deque::Entry entry, Counter& counter);

  Scheduler& scheduler;
  const Scheduler::Config config;

private:
  struct Orphan {
    void operator()(Pool* p) const { p->orphan(); }
  };
  std::unique_ptr<Pool, Orphan> ownPool_;

public:
  Pool* const pool;
  const std::shared_ptr<const Error> shutdownError;
  const std::shared_ptr<Pending> pending;
  Timers timers;
  Timers deadlines; ///< of runs
  std::atomic<bool> stopping{false};
  /// Runs that are stopped, and tasks that are told to stop, and that are not over.
  std::atomic<std::int64_t> numStopping{0};

protected:
  /// Makes a run's root task with newRoot and starts it.
  virtual Ref<FutureState> start(std::unique_ptr<Run> run, std::vector<IValue> arguments) = 0;
  /// A task that is New, with a second reference for whoever runs it. `worker` is the one whose
  /// memory it takes, or null.
  Ref<FutureState> newRoot(Worker* worker, std::unique_ptr<Run> run, std::vector<IValue> arguments);

  virtual void askAll() = 0; ///< the workers' attention
  struct Census {
    llvm::ArrayRef<Worker*> workers;
    std::size_t running; ///< workers that do not sleep
    std::size_t pending; ///< entries of queues
  };
  virtual Census census() = 0;
  /// A worker looks up while somebody dumps: says what it runs.
  void answerDump(Worker& worker, const Frame* top);
  bool isDumping() const { return dumps_.load(std::memory_order_acquire) > 0; }
  /// A worker looks up from frames while something is to stop.
  Advice attendToStops(Worker& worker, Frame* top, bool waits, std::shared_ptr<const Error>* error);
  void goOn(Frame* top, std::shared_ptr<const Error> error);
  /// Those who wait and are to stop go on by raising the error.
  void stopParked(llvm::ArrayRef<Worker*> workers);
  /// Did somebody ask for that, and nobody do it yet?
  bool takeStopRequest() {
    return stopRequested_.load(std::memory_order_acquire) &&
           stopRequested_.exchange(false, std::memory_order_acq_rel);
  }

  /// The task that did not start fails; false when it did.
  static bool cancel(Worker& worker, FutureState& task, const std::shared_ptr<const Error>& error);
  void giveContext(Run& run, const TaskContext* given);
  /// Tasks that wait, or if there are none threads that do, go on by raising the error; with
  /// `which` only those. False when nobody does. \pre nothing runs
  bool abandonAll(llvm::ArrayRef<Worker*> workers, const std::shared_ptr<const Error>& error,
                  const Waits* which = nullptr);
  /// Is anybody listed who waits, or whose wait has fired and who has not gone on yet?
  static bool anybodyWaits(llvm::ArrayRef<Worker*> workers);
  /// Puts it where debuggers and watchdogs find it, until `unlist`. The last thing that a
  /// constructor does; its workers stay where they are.
  void enlist(llvm::ArrayRef<Worker*> workers);
  void unlist();
  /// The first thing that a destructor does: from now on nothing comes from futures and timers.
  void close();
  /// The last: it is unlisted, and threads outside that say that a wait has fired have said so.
  void awaitVisitors();

  const ::pid_t pid_;

private:
  /// Those who wait and for whom `errorOf` gives an error, which is called with a worker's
  /// waitsMutex held; that number is the worker's.
  bool abandon(llvm::ArrayRef<Worker*> workers,
               llvm::function_ref<std::shared_ptr<const Error>(const Wait&, std::size_t)> errorOf);

  friend struct Listed;
  const std::shared_ptr<const Error> cancelledError_;
  bool isListed_ = false;
  llvm::ArrayRef<Worker*> listedWorkers_;
  SchedulerCore *previousListed_ = nullptr, *nextListed_ = nullptr;
  std::atomic<bool> stopRequested_{false};
  std::atomic<std::uint64_t> stopRequests_{0};

  std::atomic<int> dumps_{0};
  std::mutex dumpMutex_;
  std::uint64_t dumpRound_ = 0; ///< guarded by dumpMutex_
  std::string answers_;         ///< guarded by dumpMutex_
  std::size_t numAnswers_ = 0;  ///< guarded by dumpMutex_

  std::mutex callbackMutex_;
  std::shared_ptr<const Code> callbackCode_; ///< guarded by callbackMutex_
};

/// Cancels those of the futures that nobody needs any more, but for these handles.
void cancelUnneeded(std::vector<Ref<FutureState>> futures);
/// Adds the futures that are in a value, also in lists, tuples and dicts; all or, without memory,
/// none.
void addFutures(const IValue& value, std::vector<Ref<FutureState>>& to);

/// `main at t.ir:3:8`: where frames that do not run go on. \source prospects.cpp
std::string placeOf(const Frame& frame);

/// `drives`: the lock of who drives it, or null for one of its own.
std::unique_ptr<SchedulerCore> makeInlineScheduler(Scheduler& scheduler, Scheduler::Config config,
                                                   LightLock* drives = nullptr);
std::unique_ptr<SchedulerCore> makeFiberScheduler(Scheduler& scheduler, Scheduler::Config config);

} // namespace tine
