#pragma once

#include "interpreter/futures.h"
#include "interpreter/timers.h"
#include "interpreter/worker.h"
#include "llvm/ADT/ArrayRef.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tine {

struct Derived;

/// The derived futures of one scheduler that are not done. Outlives it, in the hands of what they
/// wait for. Without a scheduler: of one future.
struct Pending {
  explicit Pending(SchedulerCore* c) : core(c), shared(c), maxStale(c ? kMinStale : 1) {}

  std::mutex mutex;
  SchedulerCore* core;      ///< null when there is none, or when it is gone; guarded
  const bool shared;        ///< by all of a scheduler's
  bool closed = false;      ///< it is gone
  Derived* first = nullptr; ///< linked; guarded
  /// Waiters of derived futures that are done, in futures that are not: limits that have passed,
  /// for example. Guarded.
  std::size_t numStale = 0, maxStale;
  static constexpr std::size_t kMinStale = 64;

  /// The scheduler goes: callbacks that have not started never will.
  void close();
  /// Fails all. \pre closed
  void failAll(const std::shared_ptr<const Error>& error);
  /// Unlinks one that is done. Of waiters that are left behind without need, those in `removed` are
  /// for the caller to drop. \pre mutex is held
  void leave(Derived& derived, std::vector<std::shared_ptr<Derived>>& removed);

private:
  bool isStale(const Waiter& waiter) const;
};

/// Where a future was derived: in a program or in C++.
struct Origin {
  const FunctionCode* function = nullptr;
  std::uint32_t pc = 0;
  std::source_location where{};
  std::string str() const;
};

/// What makes a future from others: waits for each of them and then completes it. Held by those
/// that it still waits for.
struct Derived : std::enable_shared_from_this<Derived> {
  enum class Kind : std::uint8_t { Then, FailFast, Settle, First, Limit };
  struct Input : Waiter {
    std::shared_ptr<Derived> owner; ///< while it waits
    std::uint32_t index = 0;
    FutureState* source = nullptr; ///< while it waits; guarded
    std::atomic<bool> over{false}; ///< its owner is done: it waits for nothing
  };

  Derived(Kind k, std::shared_ptr<Pending> p, Origin o, std::size_t count);
  ~Derived();
  Derived(const Derived&) = delete;

  /// Begins to wait. \pre as many as the constructor was told
  void start(llvm::ArrayRef<FutureState*> sources);
  /// The future, for whoever completes it; null for all who come later.
  Ref<FutureState> take();
  /// `a then in main at t.ir:3:8`
  std::string str() const;

  const Kind kind;
  const std::shared_ptr<Pending> pending;
  const Origin origin;
  Ref<FutureState> future;                           ///< until it is done; guarded
  Derived *previous = nullptr, *following = nullptr; ///< in pending; guarded
  std::vector<Input> inputs;
  std::vector<IValue> results; ///< of the inputs
  std::atomic<std::size_t> left;

  // Then: a function of a program, or C++.
  const Site* site = nullptr;
  Run* run = nullptr; ///< a reference
  std::vector<IValue> captured;
  std::size_t numBound = 0; ///< of those, how many stand before the result
  bool isCancelled = false; ///< what it held is gone, and its future about to fail; guarded
  FutureCallback callback;  ///< C++'s
  enum class Stage : std::uint8_t { Source, Call, Returned } stage = Stage::Source;

  // Limit.
  Timers::Id timer{};
  bool timed = false;

  static void fire(Waiter* waiter, FutureState& source);
  /// Is it the waiter of one that is done?
  static bool isOver(const Waiter& waiter) {
    return waiter.fire == fire && static_cast<const Input&>(waiter).over.load();
  }
  /// What it waits for and a scheduler computes. \pre pending->mutex is held
  void addSources(std::vector<Ref<FutureState>>& to) const;

  // Of the task that derives it, if one does: what its callback inherits.
  std::shared_ptr<RunControl> control;
  RandomStream stream{0};
  void inherit(const Frame& frame);

private:
  void add(Input& input, FutureState& source);
  bool isMine(const FutureState& other);
  void arrived(std::uint32_t index, FutureState& source);
  void arrivedForThen(FutureState& source);
  void call(FutureState& source);
  void callHere(const IValue& value);
  void startTask(SchedulerCore& core, FutureState& source);
  void returned(const IValue& value);
  void forward(FutureState& source);
  void fail(FutureState& source);
  void finish(IValue value);
  void finish(std::shared_ptr<const Error> error);
};

/// May it be done without any task of the scheduler going on? \thread any
bool endsOutside(SchedulerCore& core, const FutureState& future);

/// A new future of the scheduler, or of none, that is Running.
Ref<FutureState> runningFuture(SchedulerCore* core);

// For the interpreter: what its instructions make. \thread the worker's
/// A future for the program to complete.
Ref<FutureState> promiseOf(Worker& worker, Frame* frame, const Origin& origin);
/// What is said of one that was dropped.
std::string brokenPromise(const FutureState& promise);
/// Where `promiseOf` made it; nothing of other futures.
std::optional<Origin> originOfPromise(const FutureState& future);
/// `target`: the function, unless it is the site's; gets the first `numBound` of `captured`, the
/// result, and the others.
Ref<FutureState> thenOf(Worker& worker, Frame* frame, const Site& site, FutureState& source,
                        std::vector<IValue> captured, const FunctionCode* target = nullptr,
                        std::size_t numBound = 0);
Ref<FutureState> collectOf(Worker& worker, const Origin& origin, Collect how, IValue list);
/// \errors ValueError for a nan
Ref<FutureState> limitOf(SchedulerCore& core, const Origin& origin, FutureState& source,
                         double seconds);

} // namespace tine
