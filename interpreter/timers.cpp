#include "interpreter/timers.h"

#include "support/error.h"

#include <system_error>
#include <unistd.h>

namespace tine {

Timers::Id Timers::add(Clock::duration delay, std::function<void()> call) {
  std::lock_guard lock(mutex_);
  const Id id((hasClock_ ? Clock::now() : passed_) + delay, next_++);
  if (stopping_) return id;
  if (hasClock_ && !thread_.joinable()) {
    try {
      thread_ = std::thread([this] { main(); });
    } catch (const std::system_error&) {
      raise(error_kind::Runtime, "no thread can be started for a timeout");
    }
    pid_ = ::getpid();
    hasThread_.store(true, std::memory_order_release);
  }
  calls_.emplace(id, std::move(call));
  if (calls_.begin()->first == id) changed_.notify_one();
  return id;
}

void Timers::cancel(Id id) {
  std::function<void()> dropped; // what it holds ends outside of the lock
  std::lock_guard lock(mutex_);
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  dropped = std::move(found->second);
  calls_.erase(found);
}

void Timers::stop() {
  std::map<Id, std::function<void()>> dropped;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(calls_);
    changed_.notify_one();
  }
  if (!thread_.joinable()) return;
  if (pid_ == ::getpid())
    thread_.join();
  else
    thread_.detach(); // it is in another process
}

void Timers::main() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (calls_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point first = calls_.begin()->first.first;
    if (Clock::now() < first) {
      changed_.wait_until(lock, first);
      continue;
    }
    callFirst(lock);
  }
}

bool Timers::pass() {
  std::unique_lock lock(mutex_);
  return callFirst(lock);
}

bool Timers::callFirst(std::unique_lock<std::mutex>& lock) {
  if (calls_.empty()) return false;
  passed_ = calls_.begin()->first.first;
  std::function<void()> call = std::move(calls_.begin()->second);
  calls_.erase(calls_.begin());
  lock.unlock();
  call();
  call = nullptr;
  lock.lock();
  return true;
}

} // namespace tine
