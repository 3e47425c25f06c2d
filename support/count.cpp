#include "support/count.h"

#include <threads.h>

namespace tine::detail {

constinit thread_local LiveShard* liveShard = nullptr;

namespace {
// The sums in a shard remain when its thread ends, and the next thread counts on. Of a fixed
// number, so that an unloaded library leaves nothing; whoever finds none free uses `shared`.
constexpr std::size_t kShards = 256;
constinit LiveShard shards[kShards];
constinit std::atomic<bool> taken[kShards];
constinit LiveShard shared;

enum class Lease : std::uint8_t { None, Held, Refused };
constinit thread_local Lease lease = Lease::None;

void giveBack(void* shard) {
  liveShard = nullptr;
  lease = Lease::Refused; // the thread ends
  taken[static_cast<LiveShard*>(shard) - shards].store(false, std::memory_order_release);
}

// Says when a thread ends. A thread_local with a destructor would, too, but keep the library from
// being unloaded as long as the thread lives.
struct ThreadEnd {
  tss_t key{};
  bool works = tss_create(&key, giveBack) == thrd_success;
  ~ThreadEnd() {
    if (works) tss_delete(key);
  }
};
} // namespace

LiveShard* takeLiveShard() {
  if (lease != Lease::None) return nullptr;
  lease = Lease::Refused;
  static const ThreadEnd end;
  if (!end.works) return nullptr;
  for (std::size_t i = 0; i < kShards; ++i) {
    if (taken[i].load(std::memory_order_relaxed) ||
        taken[i].exchange(true, std::memory_order_acquire))
      continue;
    lease = Lease::Held;
    liveShard = &shards[i];
    tss_set(end.key, liveShard);
    break;
  }
  return liveShard;
}

void countLiveShared(Live what, std::int64_t by) {
  shared.counts[static_cast<int>(what)].fetch_add(by, std::memory_order_relaxed);
}

} // namespace tine::detail

namespace tine {

std::int64_t liveCount(Live what) {
  const auto of = [&](const detail::LiveShard& shard) {
    return shard.counts[static_cast<int>(what)].load(std::memory_order_relaxed);
  };
  std::int64_t sum = of(detail::shared);
  for (const detail::LiveShard& shard : detail::shards) sum += of(shard);
  return sum;
}

} // namespace tine
