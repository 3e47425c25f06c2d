#include "tensor/future.h"

#include "support/surely.h"
#include "tensor/delivery.h"

#include <new>
#include <sched.h>

namespace tine {

// The list of waiters and the flags share one word.
static_assert(alignof(Waiter) == 16);

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
  switch (phaseOf(state_.load(std::memory_order_acquire))) {
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

/// The state, once nobody changes the list.
std::uintptr_t FutureState::unlocked(std::memory_order order) const {
  for (unsigned spins = 1;; ++spins) {
    const std::uintptr_t seen = state_.load(order);
    if (!(seen & kLocked)) return seen;
    if (spins % 64 == 0) ::sched_yield();
  }
}

bool FutureState::claimAwaited() {
  std::uintptr_t seen = unlocked(std::memory_order_relaxed);
  while (phaseOf(seen) == kNew) {
    if (state_.compare_exchange_weak(seen, (seen & ~kFlags) | kRunning, std::memory_order_acq_rel,
                                     std::memory_order_relaxed))
      return true;
    if (seen & kLocked) seen = unlocked(std::memory_order_relaxed);
  }
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
  result_.error = surely([&] { return new std::shared_ptr<const Error>(std::move(error)); });
  isError_ = true;
  finish();
  return true;
}

bool FutureState::beginCompletion() {
  return !completing_.exchange(true, std::memory_order_relaxed);
}

void FutureState::finish() {
  std::uintptr_t seen = kRunning;
  if (state_.compare_exchange_strong(seen, kDone, std::memory_order_acq_rel,
                                     std::memory_order_relaxed))
    return; // nobody waits
  fireWaiters();
}

void FutureState::fireWaiters() {
  std::uintptr_t seen;
  const Delivery delivery;
  for (;;) {
    do seen = unlocked(std::memory_order_relaxed);
    while (!state_.compare_exchange_weak(seen, kFiring, std::memory_order_acq_rel,
                                         std::memory_order_relaxed));
    wasAsked_ |= phaseOf(seen) == kRunning && (seen & kAsked);
    Waiter *newest = waiters(seen), *oldest = nullptr;
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
    seen = kFiring;
    if (state_.compare_exchange_strong(seen, kDone, std::memory_order_acq_rel,
                                       std::memory_order_relaxed))
      return;
  }
}

bool FutureState::addWaiter(Waiter* waiter) {
  std::uintptr_t seen = unlocked(std::memory_order_acquire);
  while (seen != kDone) {
    waiter->next = waiters(seen);
    const std::uintptr_t awaited = reinterpret_cast<std::uintptr_t>(waiter) | (seen & kFlags);
    if (state_.compare_exchange_weak(seen, awaited, std::memory_order_acq_rel,
                                     std::memory_order_acquire))
      return true;
    if (seen & kLocked) seen = unlocked(std::memory_order_acquire);
  }
  return false;
}

Waiter* FutureState::removeWaiters(llvm::function_ref<bool(const Waiter&)> which) {
  std::uintptr_t seen;
  do {
    seen = unlocked(std::memory_order_acquire);
    if (!waiters(seen)) return nullptr;
  } while (!state_.compare_exchange_weak(seen, seen | kLocked, std::memory_order_acq_rel,
                                         std::memory_order_relaxed));
  Waiter *head = waiters(seen), *removed = nullptr;
  for (Waiter** link = &head; *link;) {
    Waiter* waiter = *link;
    if (!which(*waiter)) {
      link = &waiter->next;
      continue;
    }
    *link = waiter->next;
    waiter->next = removed;
    removed = waiter;
  }
  state_.store(reinterpret_cast<std::uintptr_t>(head) | (seen & kFlags), std::memory_order_release);
  return removed;
}

void FutureState::destroy(FutureState* state) {
  if (waiters(state->state_.load(std::memory_order_acquire))) {
    // Nobody can complete it any more, so nobody would ever wake them. A waiter may take a
    // reference to the state, which then lives on.
    if (state->refs_.value() == 0) state->refs_.up();
    state->fail(surely([&] {
      return std::make_shared<const Error>(error_kind::BrokenPromise,
                                           state->kind_ && state->kind_->broken
                                               ? state->kind_->broken(*state)
                                               : "a future was dropped before it was completed");
    }));
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
