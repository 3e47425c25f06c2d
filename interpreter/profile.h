#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tine {

class Code;
class ProfileLane;

/// What the workers of a scheduler did, and when: a slice for each task and each operator, the ways
/// from forks to starts and from completions to those who waited.
///
///   auto profile = std::make_shared<Profile>();
///   { Scheduler scheduler({.workers = 4, .profile = profile}); ... }
///   profile->write(file);         // for chrome://tracing, Perfetto
///
/// Records at most `maxEvents`, and what began before it was full until its end. \thread any
class Profile {
public:
  explicit Profile(std::size_t maxEvents = std::size_t(1) << 20);
  ~Profile();
  Profile(const Profile&) = delete;

  /// As JSON in Chrome's trace format, times in microseconds since the profile was made. Slices of
  /// one lane nest, every arrow has both ends. \pre the scheduler is gone
  void write(std::ostream& out) const;
  bool isFull() const { return left_.load(std::memory_order_relaxed) == 0; }

  /// For a worker, as long as the profile lives.
  ProfileLane& addLane(std::string name);
  /// The names in events are the code's.
  void keep(std::shared_ptr<const Code> code);
  /// What somebody waited for is there; said by whoever completed it. \param wait its address
  void fired(const void* wait);

  struct Event;

private:
  friend class ProfileLane;
  static constexpr std::size_t kChunk = 4096; ///< events

  std::uint64_t now() const { return static_cast<std::uint64_t>((Clock::now() - start_).count()); }
  bool takeChunk();

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::size_t> left_; ///< chunks
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ProfileLane>> lanes_; ///< guarded
  std::vector<std::shared_ptr<const Code>> codes_;  ///< guarded
  ProfileLane* outside_ = nullptr;                  ///< of other threads; guarded
};

struct Profile::Event {
  enum class Kind : std::uint8_t { Task, Operator, End, Fork, Start, Fired, Park, Wake };
  std::uint64_t time; ///< \units nanoseconds
  const void* what;   ///< FunctionCode, OpInfo; FutureState, Wait, whose memory is used again
  Kind kind;
};

/// What one worker did. Slices that are open are on a stack.
/// \thread its worker's
class ProfileLane {
public:
  using Event = Profile::Event;
  ProfileLane(Profile& profile, std::string name) : profile_(profile), name_(std::move(name)) {}

  /// A slice begins. \param what its FunctionCode or OpInfo
  void begin(Event::Kind kind, const void* what) {
    open_.push_back({what, kind, add(kind, what, profile_.now())});
  }
  /// The slice of a task that starts now.
  void start(const void* function, const void* task) {
    const std::uint64_t now = profile_.now();
    open_.push_back({function, Event::Kind::Task, add(Event::Kind::Task, function, now)});
    add(Event::Kind::Start, task, now);
  }
  void end() {
    if (open_.back().isRecorded) append(Event::Kind::End, nullptr, profile_.now());
    open_.pop_back();
  }
  std::size_t depth() const { return open_.size(); }
  void endTo(std::size_t depth) {
    while (open_.size() > depth) end();
  }
  /// Something that happens in a slice.
  void mark(Event::Kind kind, const void* what) { add(kind, what, profile_.now()); }

  struct Slice {
    const void* what;
    Event::Kind kind;
    bool isRecorded;
  };
  /// The Wait that fired of what goes on next.
  const void* woken = nullptr;
  /// The open slices end, for the worker's stack is left; they go on with `resume`.
  std::vector<Slice> suspend();
  void resume(const std::vector<Slice>& slices);

private:
  friend class Profile;
  static constexpr std::size_t kChunk = Profile::kChunk;
  llvm::ArrayRef<Event> chunk(std::size_t i) const {
    const std::size_t left = i + 1 == chunks_.size() ? static_cast<std::size_t>(end_ - next_) : 0;
    return {chunks_[i].get(), kChunk - left};
  }
  bool add(Event::Kind kind, const void* what, std::uint64_t time) {
    if (next_ == end_) [[unlikely]] {
      if (!profile_.takeChunk()) return false;
      addChunk();
    }
    append(kind, what, time);
    return true;
  }
  /// Also beyond the limit: there are no more of these than were added.
  void append(Event::Kind kind, const void* what, std::uint64_t time) {
    if (next_ == end_) [[unlikely]]
      addChunk();
    *next_++ = {time, what, kind};
  }
  void addChunk();

  Profile& profile_;
  const std::string name_;
  std::vector<std::unique_ptr<Event[]>> chunks_;
  Event *next_ = nullptr, *end_ = nullptr; ///< of the newest chunk
  std::vector<Slice> open_;
};

} // namespace tine
