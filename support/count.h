#pragma once

#include <atomic>
#include <cstdint>

namespace tine {

/// Things of which the number alive is counted, so that a test can see that nothing is left.
enum class Live : std::uint8_t { Graph, Node, Tensor, Value, Future, Frame, FiberStack };
inline constexpr int kLiveKinds = 7;

namespace detail {
struct alignas(64) LiveCounter {
  std::atomic<std::int64_t> count{0};
};
extern LiveCounter liveCounters[kLiveKinds];
} // namespace detail

/// Adds to the number alive. \thread any
inline void countLive(Live what, std::int64_t by) {
  detail::liveCounters[static_cast<int>(what)].count.fetch_add(by, std::memory_order_relaxed);
}

/// How many are alive in the process: graphs, tensors' storages, boxed values, ... \thread any
inline std::int64_t liveCount(Live what) {
  return detail::liveCounters[static_cast<int>(what)].count.load(std::memory_order_relaxed);
}

} // namespace tine
