#include "tensor/future.h"

#include <new>

namespace tine {

// The list of waiters and the phase share one word: a Waiter is at least 8-byte aligned.
static_assert(alignof(Waiter) >= 4);

FutureState::FutureState(Phase phase, const TaskKind* kind)
    : state_(phase == Phase::New ? kNew : kRunning), kind_(kind) {
  TINE_CHECK_MSG(phase != Phase::Done, "a future is completed, not made Done");
  countLive(Live::Future, 1);
}

FutureState::~FutureState() {
  TINE_CHECK_MSG(waiters(state_.load(std::memory_order_relaxed)) == nullptr,
                 "a future is destroyed while somebody waits for it");
  dropResult();
  countLive(Live::Future, -1);
}

void FutureState::dropResult() {
  if (!done()) return;
  if (isError_) {
    delete result_.error;
    result_.error = nullptr;
  } else {
    result_.value = IValue();
  }
}

FutureState::Phase FutureState::phase() const {
  switch (state_.load(std::memory_order_acquire) & kPhaseMask) {
  case kNew:
    return Phase::New;
  case kRunning:
    return Phase::Running;
  default:
    return Phase::Done;
  }
}

const IValue& FutureState::valueOrThrow() const {
  TINE_CHECK_MSG(done(), "the future is not done");
  if (isError_) throw RuntimeError(*result_.error);
  return result_.value;
}

bool FutureState::claimAwaited() {
  std::uintptr_t seen = state_.load(std::memory_order_relaxed);
  while ((seen & kPhaseMask) == kNew)
    if (state_.compare_exchange_weak(seen, (seen & ~kPhaseMask) | kRunning,
                                     std::memory_order_acq_rel, std::memory_order_relaxed))
      return true;
  return false;
}

bool FutureState::complete(IValue value) {
  if (!beginCompletion()) return false;
  new (&result_.value) IValue(std::move(value));
  finish();
  return true;
}

bool FutureState::fail(std::shared_ptr<const Error> error) {
  if (!beginCompletion()) return false;
  result_.error = new std::shared_ptr<const Error>(std::move(error));
  isError_ = true;
  finish();
  return true;
}

bool FutureState::beginCompletion() {
  return !completing_.exchange(true, std::memory_order_relaxed);
}

void FutureState::finish() {
  Waiter* newest = waiters(state_.exchange(kDone, std::memory_order_acq_rel));
  Waiter* oldest = nullptr;
  while (newest) {
    Waiter* older = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = older;
  }
  while (oldest) {
    Waiter* next = oldest->next; // a waiter may free itself
    oldest->fire(oldest, *this);
    oldest = next;
  }
}

bool FutureState::addWaiter(Waiter* waiter) {
  std::uintptr_t seen = state_.load(std::memory_order_acquire);
  while (seen != kDone) {
    waiter->next = waiters(seen);
    const std::uintptr_t awaited = reinterpret_cast<std::uintptr_t>(waiter) | (seen & kPhaseMask);
    if (state_.compare_exchange_weak(seen, awaited, std::memory_order_acq_rel,
                                     std::memory_order_acquire))
      return true;
  }
  return false;
}

void FutureState::destroy(FutureState* state) {
  if (waiters(state->state_.load(std::memory_order_acquire))) {
    // Nobody can complete it any more, so nobody would ever wake them. A waiter may take a
    // reference to the state, which then lives on.
    if (state->refs_.value() == 0) state->refs_.up();
    state->fail(std::make_shared<const Error>(error_kind::BrokenPromise,
                                              "a future was dropped before it was completed"));
    if (!state->refs_.down()) return;
  }
  if (state->isError_ && state->done() && !state->observed() && state->kind_ &&
      state->kind_->unobserved)
    state->kind_->unobserved(*state, *state->result_.error);
  state->dropResult();
  if (state->kind_)
    state->kind_->destroy(state);
  else
    delete state;
}

} // namespace tine
