#include "support/context.h"

#include "support/surely.h"

#include <atomic>
#include <cstdio>
#include <list>
#include <mutex>

namespace tine {

struct CancelToken::State {
  std::mutex mutex;
  std::atomic<const Error*> error{nullptr}; ///< `kept`, once there is one
  std::shared_ptr<const Error> kept;        ///< guarded
  std::list<std::function<void()>> calls;   ///< guarded
};

CancelToken CancelToken::make() {
  CancelToken token;
  token.state_ = std::make_shared<State>();
  return token;
}

void CancelToken::cancel(std::shared_ptr<const Error> why) const {
  if (!why)
    why = surely([] {
      return std::make_shared<const Error>(error_kind::Cancelled, "the work was cancelled");
    });
  std::list<std::function<void()>> calls;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->kept) return;
    state_->kept = std::move(why);
    state_->error.store(state_->kept.get(), std::memory_order_release);
    surely([&] { calls = state_->calls; }); // the guards take out the others
  }
  std::string thrown; // every call is made
  for (const auto& call : calls) {
    try {
      call();
    } catch (...) {
      const auto error = currentError();
      if (thrown.empty()) thrown = error->kind + ": " + error->message;
    }
  }
  if (!thrown.empty())
    std::fprintf(stderr, "tine: a callback of CancelToken::onCancel threw %s\n", thrown.c_str());
}

const Error* CancelToken::error() const {
  return state_ ? state_->error.load(std::memory_order_acquire) : nullptr;
}

std::shared_ptr<const Error> CancelToken::sharedError() const {
  if (!state_) return nullptr;
  std::lock_guard lock(state_->mutex);
  return state_->kept;
}

CancelToken::Guard CancelToken::onCancel(std::function<void()> f) const {
  if (!state_) return nullptr;
  {
    std::unique_lock lock(state_->mutex);
    if (!state_->kept) {
      const auto at = state_->calls.insert(state_->calls.end(), std::move(f));
      lock.unlock(); // a guard that cannot be made takes it out
      return Guard(&*at, [weak = std::weak_ptr(state_), at](const void*) {
        std::function<void()> dropped; // what it holds ends outside of the lock
        const auto state = weak.lock();
        if (!state) return;
        std::lock_guard guard(state->mutex);
        dropped = std::move(*at);
        state->calls.erase(at);
      });
    }
  }
  f();
  return nullptr;
}

} // namespace tine
