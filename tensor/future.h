#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "support/error.h"
#include "tensor/future_word.h"
#include "tensor/ivalue.h"

#include <atomic>
#include <memory>

namespace tine {

class FutureState;

/// What is to happen when a future completes: run once, by the thread that completes it. Waiters of
/// one future fire in the order in which they were added, whoever adds them. A waiter must do
/// little and must not throw: it wakes a parked task, a fiber, a thread, or queues a callback.
struct alignas(16) Waiter {
  Waiter* next = nullptr;
  void (*fire)(Waiter*, FutureState&) = nullptr; ///< owns the waiter from then on
};

/// What is behind a future. Null behind promises of C++.
struct TaskKind {
  const char* name;
  /// Frees what `payload` holds and the state's memory. Called by the last release, after the
  /// result was dropped.
  void (*destroy)(FutureState*);
  /// Hears of an error that nobody looked at, before it is dropped. May be null.
  void (*unobserved)(FutureState&, const std::shared_ptr<const Error>&) = nullptr;
  /// Of a program's promises: what to say of one that was dropped before it was completed. Null of
  /// all that the program cannot complete.
  std::string (*broken)(const FutureState&) = nullptr;
};

/// The shared state of every future, whatever made it: one cache line. It is also the descriptor of
/// a forked task.
///
///   New --claim()--> Running --complete()/fail()--> Done
///
/// A promise starts Running. Exactly one claimer wins. Waiters may be added in either phase. When
/// the last reference goes while somebody waits, the future fails with BrokenPromise. \thread any,
/// except where said
class alignas(64) FutureState {
  RefCount refs_; // first, as in every payload of an IValue
  bool isError_ = false;
  std::atomic<bool> observed_{false};
  enum Completion : std::uint8_t { Open, Begun, WasAsked };
  std::atomic<Completion> completion_{Open};

public:
  /// For whoever made the task: of what it keeps in a word of `payload`.
  Tag payloadTag = Tag::None;

  enum class Phase : std::uint8_t { New, Running, Done };

  /// Made with one reference, for the caller.
  explicit FutureState(Phase phase, const TaskKind* kind = nullptr);
  FutureState(const FutureState&) = delete;
  ~FutureState();

  Phase phase() const;
  bool done() const { return word_.done(); }
  bool failed() const { return done() && isError_; }

  /// The result. \pre done() and not failed
  const IValue& value() const { return result_.value; }
  /// The error. \pre failed()
  const std::shared_ptr<const Error>& error() const { return *result_.error; }
  /// The result, or throws the error. \pre done()
  const IValue& valueOrThrow() const;

  /// New -> Running. False when somebody else was first.
  bool claim() { return word_.claim(); }
  /// Asks who runs it to stop. True once: the first time, while it is Running.
  bool askToStop() { return word_.askToStop(); }
  bool isAskedToStop() const { return word_.isAskedToStop(); }
  /// Had it been asked when it was completed? For whoever did that.
  bool wasAskedToStop() const { return completion_.load(std::memory_order_relaxed) == WasAsked; }
  /// Completes and fires the waiters. False, and nothing happens, when it was done before. The
  /// caller holds a reference of its own: a waiter may drop the last other one.
  bool complete(IValue value);
  /// The same by who claimed it, where nobody else may complete it.
  void completeClaimed(IValue&& value) {
    completion_.store(Begun, std::memory_order_relaxed);
    new (&result_.value) IValue(std::move(value));
    if (!word_.complete()) [[unlikely]]
      fireWaiters();
  }
  /// The same where nobody else can see the future yet, and the caller gives up its reference.
  /// \pre isHeldBy(2)
  void completeUnseen(IValue&& value) {
    completion_.store(Begun, std::memory_order_relaxed);
    new (&result_.value) IValue(std::move(value));
    word_.retire();
    refs_.set(1);
  }
  bool fail(std::shared_ptr<const Error> error);
  /// Adds a waiter; false, without firing it, when already done and all others have fired.
  bool addWaiter(Waiter* waiter) { return word_.addWaiter(waiter); }
  /// Takes waiters away that have not fired; they are the caller's again, linked by `next`.
  /// \cost O(waiters), during which others spin
  Waiter* removeWaiters(llvm::function_ref<bool(const Waiter&)> which) {
    return word_.removeWaiters(which);
  }

  /// Set once somebody looked at the result or error; an error that nobody sees goes to a hook.
  void markObserved() { observed_.store(true, std::memory_order_relaxed); }
  bool observed() const { return observed_.load(std::memory_order_relaxed); }

  const TaskKind* kind() const { return kind_; }
  void retain() const { refs_.up(); }
  void release() const {
    if (refs_.down()) destroyPayload(Tag::Future, const_cast<FutureState*>(this));
  }
  const RefCount& refs() const { return refs_; }

  /// For whoever made the task: graph, arguments, run. The future never looks inside.
  void* payload[3] = {nullptr, nullptr, nullptr};

  /// For schedulers, whose tasks live in pools and are used again: while a pool lives its memory
  /// always holds a FutureState, so that a stale pointer may still try to claim it.
  struct Pooled {};
  /// Done, without a result; not counted as alive.
  FutureState(Pooled, const TaskKind* kind) : word_(Word::kDone), kind_(kind) {}
  /// Done -> New, with this many references and perhaps a waiter. Publishes everything that was
  /// written before: whoever has a stale pointer may claim it, run it, and give it up at once.
  void renew(std::uint32_t references, Waiter* waiter = nullptr) {
    if (waiter) waiter->next = nullptr;
    renewAs(references, Word::kNew, waiter);
  }
  /// Done -> Running: nobody else may claim it.
  void renewRunning(std::uint32_t references) { renewAs(references, Word::kRunning, nullptr); }
  /// Running -> Done without a result, or Done already. \pre nobody else has a reference
  void retire() { word_.retire(); }
  /// Where the result will be: until completion the place of one argument, None when unused.
  IValue& argument() { return result_.value; }
  bool isNew() const { return word_.isNew(); }
  /// Done, and its result is no reference: nothing else goes with it.
  bool holdsNothing() const { return done() && !isError_ && !result_.value.isCounted(); }
  /// Running, without waiters, and these are all the references: nobody else can see it.
  bool isHeldBy(std::uint32_t references) const {
    return refs_.value() == references && word_.isJustRunning();
  }

private:
  friend void destroyPayload(Tag, void*);
  using Word = FutureWord<Atomics, Waiter>;

  void renewAs(std::uint32_t references, Word::Bits phase, Waiter* waiter) {
    refs_.set(references);
    isError_ = false;
    observed_.store(false, std::memory_order_relaxed);
    completion_.store(Open, std::memory_order_relaxed);
    word_.renew(phase, waiter);
  }
  static void destroy(FutureState* state);
  static void free(FutureState* state);
  bool beginCompletion();
  void finish();
  void fireWaiters();
  void dropResult();

  Word word_;
  const TaskKind* kind_;
  union Result {
    IValue value;
    std::shared_ptr<const Error>* error; // heap: rare
    Result() : value() {}
    ~Result() {}
  } result_;
};
static_assert(sizeof(FutureState) == 64);

} // namespace tine
