#include "interpreter/promise.h"

#include "support/error.h"
#include "support/surely.h"

#include <thread>

namespace tine {

Promise::Promise(std::source_location where)
    : state_(Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running))), where_(where) {
}

Promise& Promise::operator=(Promise&& other) noexcept {
  if (this == &other) return *this;
  drop();
  state_ = std::move(other.state_);
  where_ = other.where_;
  completed_ = other.completed_;
  return *this;
}

FutureState& Promise::state() const {
  TINE_CHECK_MSG(state_, "a promise is used after it was moved from");
  return *state_;
}

Ref<FutureState> Promise::future() const { return Ref<FutureState>(&state()); }

void Promise::complete(IValue value) { end(state().complete(std::move(value))); }

void Promise::fail(Error error) { fail(std::make_shared<const Error>(std::move(error))); }

void Promise::fail(std::shared_ptr<const Error> error) { end(state().fail(std::move(error))); }

void Promise::end(bool completed) {
  completed_ = true;
  if (completed) return;
  while (!state_->done()) std::this_thread::yield(); // whoever was first is about to
  if (state_->failed() && state_->error()->kind == error_kind::Cancelled) return;
  raise(error_kind::AlreadyCompleted, "the promise was completed before");
}

void Promise::drop() {
  if (!state_) return;
  if (!completed_)
    state_->fail(surely([&] {
      return std::make_shared<const Error>(
          error_kind::BrokenPromise, "the promise made at " + std::string(where_.file_name()) +
                                         ":" + std::to_string(where_.line()) + " was dropped");
    }));
  state_ = nullptr;
}

} // namespace tine
