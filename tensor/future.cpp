#include "tensor/future.h"

#include "support/surely.h"
#include "tensor/delivery.h"

#include <new>

namespace tine {

// The list of waiters and the flags share one word.
static_assert(alignof(Waiter) == 16);

namespace {
/// Of futures that fail when there is no memory for an error of their own.
const std::shared_ptr<const Error> withoutMemory =
    std::make_shared<const Error>(error_kind::Memory, "out of memory");
} // namespace

FutureState::FutureState(Phase phase, const TaskKind* kind)
    : word_(phase == Phase::New ? Word::kNew : Word::kRunning), kind_(kind) {
  TINE_CHECK_MSG(phase != Phase::Done, "a future is completed, not made Done");
  countLive(Live::Future, 1);
}

FutureState::~FutureState() {
  TINE_CHECK_MSG(!word_.hasWaiters(), "a future is destroyed while somebody waits for it");
  dropResult();
  countLive(Live::Future, -1);
}

void FutureState::dropResult() {
  if (!done()) return;
  if (isError_) {
    if (result_.error != &withoutMemory) delete result_.error;
    result_.error = nullptr;
  } else {
    result_.value = IValue();
  }
}

FutureState::Phase FutureState::phase() const {
  switch (word_.phase()) {
  case Word::kNew:
    return Phase::New;
  case Word::kRunning:
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

bool FutureState::complete(IValue value) {
  if (!beginCompletion()) return false;
  new (&result_.value) IValue(std::move(value));
  finish();
  return true;
}

bool FutureState::fail(std::shared_ptr<const Error> error) {
  if (!beginCompletion()) return false;
  // Who fails for want of memory may have all that would be given back.
  auto* kept = new (std::nothrow) std::shared_ptr<const Error>;
  if (kept) kept->swap(error);
  result_.error = kept ? kept : const_cast<std::shared_ptr<const Error>*>(&withoutMemory);
  isError_ = true;
  finish();
  return true;
}

bool FutureState::beginCompletion() {
  Completion seen = Open;
  return completion_.compare_exchange_strong(seen, Begun, std::memory_order_relaxed);
}

void FutureState::finish() {
  if (!word_.complete()) fireWaiters();
}

void FutureState::fireWaiters() {
  const Delivery delivery;
  if (word_.completeAndFire([this](Waiter* waiter) { waiter->fire(waiter, *this); }))
    completion_.store(WasAsked, std::memory_order_relaxed);
}

void FutureState::destroy(FutureState* state) {
  if (state->word_.hasWaiters()) {
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
  free(state);
}

void FutureState::free(FutureState* state) {
  if (state->kind_)
    state->kind_->destroy(state);
  else
    delete state;
}

} // namespace tine
