#pragma once

#include <atomic>
#include <cstdint>

namespace tine {

/// Things of which the number alive is counted, so that a test can see that nothing is left.
enum class Live : std::uint8_t { Graph, Node, Tensor, Value, Future, Frame, FiberStack };
inline constexpr int kLiveKinds = 7;

namespace detail {
/// What one thread counted: what it made less what it destroyed, so a single shard may be negative.
struct alignas(64) LiveShard {
  std::atomic<std::int64_t> counts[kLiveKinds]{};
};
extern constinit thread_local LiveShard* liveShard;
LiveShard* takeLiveShard();
/// For threads that have no shard any more.
void countLiveShared(Live what, std::int64_t by);
} // namespace detail

/// Adds to the number alive. Costs no locked instruction: each thread counts for itself. \thread
/// any
inline void countLive(Live what, std::int64_t by) {
  detail::LiveShard* shard = detail::liveShard;
  if (!shard) [[unlikely]] {
    shard = detail::takeLiveShard();
    if (!shard) return detail::countLiveShared(what, by);
  }
  auto& count = shard->counts[static_cast<int>(what)];
  count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

/// How many are alive in the process: graphs, tensors' storages, boxed values, ... Exact once the
/// threads that make and destroy them were joined or stand still. \thread any
std::int64_t liveCount(Live what);

} // namespace tine
