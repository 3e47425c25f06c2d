#pragma once

#include <chrono>
#include <new>

namespace tine {

/// How long something that must not fail has been failing for want of memory.
class OutOfMemory {
public:
  /// Waits a little, for others may give some back. After ten seconds the process ends with a
  /// message.
  void wait();

private:
  std::chrono::steady_clock::time_point since_{};
};

/// Does what cannot be refused when memory is out, because nobody is there who could be told: again
/// and again. What failed must have changed nothing.
///
///   surely([&] { queue.push_back(task); });
template <class F> auto surely(F f) -> decltype(f()) {
  for (OutOfMemory out;;) {
    try {
      return f();
    } catch (const std::bad_alloc&) {
    }
    out.wait();
  }
}

} // namespace tine
