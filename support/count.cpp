#include "support/count.h"

#include <deque>
#include <mutex>
#include <vector>

namespace tine::detail {

constinit thread_local LiveShard* liveShard = nullptr;

namespace {
// Shards are never freed: their sums remain when a thread ends, and the next thread counts on.
struct Shards {
  std::mutex mutex;
  std::deque<LiveShard> all;
  std::vector<LiveShard*> idle;
  LiveShard shared; // for threads past their end
};

Shards& shards() {
  static Shards* const instance = new Shards; // outlives every thread
  return *instance;
}

enum class Lease : std::uint8_t { None, Held, Returned };
constinit thread_local Lease lease = Lease::None;

struct Returner {
  ~Returner() {
    Shards& s = shards();
    const std::lock_guard lock(s.mutex);
    s.idle.push_back(liveShard);
    liveShard = nullptr;
    lease = Lease::Returned;
  }
};
} // namespace

LiveShard* takeLiveShard() {
  if (lease == Lease::Returned) return nullptr;
  Shards& s = shards();
  {
    const std::lock_guard lock(s.mutex);
    if (s.idle.empty()) {
      liveShard = &s.all.emplace_back();
    } else {
      liveShard = s.idle.back();
      s.idle.pop_back();
    }
  }
  lease = Lease::Held;
  thread_local Returner returner;
  return liveShard;
}

void countLiveShared(Live what, std::int64_t by) {
  shards().shared.counts[static_cast<int>(what)].fetch_add(by, std::memory_order_relaxed);
}

} // namespace tine::detail

namespace tine {

std::int64_t liveCount(Live what) {
  detail::Shards& s = detail::shards();
  const std::lock_guard lock(s.mutex);
  const auto of = [&](const detail::LiveShard& shard) {
    return shard.counts[static_cast<int>(what)].load(std::memory_order_relaxed);
  };
  std::int64_t sum = of(s.shared);
  for (const detail::LiveShard& shard : s.all) sum += of(shard);
  return sum;
}

} // namespace tine
