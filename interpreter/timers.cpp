#include "interpreter/timers.h"

#include "support/error.h"

#include <memory>
#include <system_error>

namespace tine {

Timers::~Timers() {
  stop();
  delete state_.load();
}

Timers::State& Timers::here() {
  State* state = state_.load();
  if (!hasClock_ || state->pid == ::getpid()) return *state;
  auto anew = std::make_unique<State>();
  anew->next = state->next; // no number comes twice
  return state_.compare_exchange_strong(state, anew.get()) ? *anew.release() : *state;
}

Timers::Id Timers::add(Clock::duration delay, std::function<void()> call) {
  State& state = here();
  std::lock_guard lock(state.mutex);
  const Id id((hasClock_ ? Clock::now() : state.passed) + delay, state.next++);
  if (state.stopping) return id;
  if (hasClock_ && !state.thread.joinable()) {
    try {
      state.thread = std::thread([&state] { main(state); });
    } catch (const std::system_error&) {
      raise(error_kind::Runtime, "no thread can be started for a timeout");
    }
    state.hasThread.store(true, std::memory_order_release);
  }
  state.calls.emplace(id, std::move(call));
  if (state.calls.begin()->first == id) state.changed.notify_one();
  return id;
}

void Timers::cancel(Id id) {
  std::function<void()> dropped; // what it holds ends outside of the lock
  State& state = here();
  std::lock_guard lock(state.mutex);
  const auto found = state.calls.find(id);
  if (found == state.calls.end()) return;
  dropped = std::move(found->second);
  state.calls.erase(found);
}

void Timers::stop() {
  std::map<Id, std::function<void()>> dropped;
  State& state = here();
  {
    std::lock_guard lock(state.mutex);
    state.stopping = true;
    dropped.swap(state.calls);
    state.changed.notify_one();
  }
  if (state.thread.joinable()) state.thread.join();
}

void Timers::main(State& state) {
  std::unique_lock lock(state.mutex);
  while (!state.stopping) {
    if (state.calls.empty()) {
      state.changed.wait(lock);
      continue;
    }
    const Clock::time_point first = state.calls.begin()->first.first;
    if (Clock::now() < first) {
      state.changed.wait_until(lock, first);
      continue;
    }
    callFirst(state, lock);
  }
}

bool Timers::pass() {
  State& state = here();
  std::unique_lock lock(state.mutex);
  return callFirst(state, lock);
}

bool Timers::callFirst(State& state, std::unique_lock<std::mutex>& lock) {
  if (state.calls.empty()) return false;
  state.passed = state.calls.begin()->first.first;
  std::function<void()> call = std::move(state.calls.begin()->second);
  state.calls.erase(state.calls.begin());
  lock.unlock();
  call();
  call = nullptr;
  lock.lock();
  return true;
}

} // namespace tine
