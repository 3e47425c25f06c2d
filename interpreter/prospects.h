#pragma once

#include "interpreter/core.h"
#include "llvm/ADT/SmallVector.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace tine {

/// Who waits in a scheduler, for what, and whether that can ever be. Until it is destroyed nobody
/// of those who wait goes on.
///
/// A future may yet be done when
///   * C++ code has its Promise, another scheduler computes it, or a limit will pass;
///   * the task that computes it may go on, for what it waits for may be done;
///   * it is derived from one that may be done;
///   * it is a program's promise, and somebody may complete it: a task that may go on has a handle,
///     or nobody knows who has one. All handles in the frames of tasks that wait are counted, also
///     those in lists and the like to which nobody else has a handle; whoever waits in C++ has one.
/// \pre nothing runs
class Prospects {
public:
  Prospects(SchedulerCore& core, llvm::ArrayRef<Worker*> workers);
  enum class Only : std::uint8_t { List };
  /// Only who waits, whatever else runs.
  Prospects(SchedulerCore& core, llvm::ArrayRef<Worker*> workers, Only);
  Prospects(const Prospects&) = delete;

  /// A task, or C++ code, and what it waits for. Of a chain of tasks that run on top of each other
  /// each is one, the topmost first.
  struct Waiting {
    const Frame *top, *first;   ///< of the task; null outside of tasks
    const Instr* at;            ///< in the top one
    const FutureState* awaited; ///< null: it runs
    bool operates;              ///< an operator waits
  };

  /// The waits, by their worker's index and their number, that can never end.
  const Waits& hopeless() const { return hopeless_; }
  bool isHopeless(const StandingWait& wait) const;
  /// Of each other scheduler without workers that somebody waits for, one future.
  std::vector<Ref<FutureState>> withoutWorkers() const { return withoutWorkers_; }
  /// May the answer change without anybody waking a worker?
  bool mayChange() const { return mayChange_; }
  /// A Deadlock that lists those whose waits can never end, but for threads that wait for a task
  /// which waits itself; null when there are none.
  std::shared_ptr<const Error> deadlock() const;
  /// All who wait, as lines of text, the same ones only once.
  std::string str() const { return lines(core_, all(false)); }
  /// The tasks of a chain that runs, the topmost first, in the same way. \pre the mutex of
  /// core.pending is held
  static std::string running(const SchedulerCore& core, const Frame& top);
  std::size_t count() const { return all(false).size(); }

private:
  struct Chain {
    const FutureState* awaited;
    Frame* top; ///< null outside of tasks
    const Wait* wait;
    const StandingWait* standing; ///< or this one
    std::uint32_t worker;
    bool goesOn = false;
  };
  struct Future {
    bool goesOn = false;
    const Derived* derived = nullptr;
    llvm::SmallVector<std::uint32_t, 1> waiting;          ///< chains
    llvm::SmallVector<const FutureState*, 1> derivedFrom; ///< what waits for it so
  };
  struct Handles {
    Tag tag = Tag::None;
    bool held = false; ///< by somebody who may go on
    std::uint32_t counted = 0;
  };

  void add(Chain chain);
  void exploreAll();
  void explore(const FutureState& future);
  void countHandles();
  void count(const IValue& value);
  void count(Tag tag, const void* payload);
  void hold(const IValue& value);
  void goOn(const FutureState& future);
  void propagate();
  bool isKnown(const void* payload, const Handles& handles) const; ///< are all handles counted?
  static void forContents(Tag tag, const void* payload, llvm::function_ref<void(const IValue&)> f);
  std::vector<Waiting> all(bool hopeless) const;
  static std::string lines(const SchedulerCore& core, const std::vector<Waiting>& waiting);

  SchedulerCore& core_;
  std::unique_lock<std::mutex> lockPending_;
  std::vector<std::unique_lock<std::mutex>> lockWaits_;
  std::vector<Chain> chains_;
  std::unordered_map<const FutureState*, std::uint32_t> tasks_; ///< the chain that a task is in
  std::unordered_map<const FutureState*, Future> futures_;
  std::vector<const FutureState*> promises_; ///< of programs, that somebody waits for
  std::vector<const FutureState*> toExplore_, toGoOn_;
  std::unordered_map<const void*, Handles> handles_;
  std::vector<std::pair<Tag, const void*>> known_, toHold_; ///< to look into
  Waits hopeless_;
  std::vector<Ref<FutureState>> withoutWorkers_;
  bool mayChange_ = false;
};

/// What a future is and waits for, for messages. \pre the mutex of core.pending is held
std::string describe(const SchedulerCore& core, const FutureState& future);

} // namespace tine
