#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace tine {

/// A function that may call itself as deep as its input nests: its frames lie on the heap, and the
/// stack holds one of them.
///
///   Deep<int> depth(const Block* block) {
///     int deepest = 0;
///     for (const Node* node : block->nodes())
///       for (const Block* inner : node->blocks()) {
///         const int below = co_await depth(inner);
///         deepest = std::max(deepest, below + 1);
///       }
///     co_return deepest;
///   }
///   depth(graph.block()).run()
///
/// Nothing happens before `run` or `co_await`, once; exceptions come out of either.
/// \cost an allocation a call  \thread the one that runs it
template <class T> class Deep;

namespace detail {

struct DeepState {
  std::coroutine_handle<> caller;             ///< goes on when this ends; null of the first
  std::coroutine_handle<>* current = nullptr; ///< what `run` resumes next
  std::exception_ptr error;

  std::suspend_always initial_suspend() noexcept { return {}; }
  auto final_suspend() noexcept {
    struct Return {
      DeepState& state;
      bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) noexcept { *state.current = state.caller; }
      void await_resume() noexcept {}
    };
    return Return{*this};
  }
  void unhandled_exception() { error = std::current_exception(); }
};

template <class T> struct DeepResult : DeepState {
  std::optional<T> value;
  void return_value(T result) { value.emplace(std::move(result)); }
  T take() { return *std::move(value); }
};
template <> struct DeepResult<void> : DeepState {
  void return_void() {}
  void take() {}
};

} // namespace detail

template <class T> class [[nodiscard]] Deep {
public:
  struct promise_type : detail::DeepResult<T> {
    Deep get_return_object() {
      return Deep(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Deep(Deep&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Deep& operator=(Deep&&) = delete;
  ~Deep() {
    if (handle_) handle_.destroy();
  }

  T run() {
    std::coroutine_handle<> current = handle_;
    handle_.promise().current = &current;
    while (current) current.resume();
    return await_resume();
  }

  // ---- co_await ----
  bool await_ready() const noexcept { return false; }
  template <class Promise> void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
    handle_.promise().caller = caller;
    handle_.promise().current = caller.promise().current;
    *handle_.promise().current = handle_;
  }
  T await_resume() {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return handle_.promise().take();
  }

private:
  explicit Deep(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

} // namespace tine
