#include "interpreter/profile.h"

#include "interpreter/code.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <ostream>

namespace tine {

Profile::Profile(std::size_t maxEvents) : left_(std::max<std::size_t>(maxEvents / kChunk, 1)) {}
Profile::~Profile() = default;

bool Profile::takeChunk() {
  std::size_t left = left_.load(std::memory_order_relaxed);
  while (left > 0)
    if (left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
  return false;
}

ProfileLane& Profile::addLane(std::string name) {
  std::lock_guard lock(mutex_);
  return *lanes_.emplace_back(std::make_unique<ProfileLane>(*this, std::move(name)));
}

void Profile::keep(std::shared_ptr<const Code> code) {
  std::lock_guard lock(mutex_);
  if (codes_.empty() || codes_.back() != code) codes_.push_back(std::move(code));
}

void Profile::fired(const void* wait) {
  std::lock_guard lock(mutex_);
  if (!outside_)
    outside_ = lanes_.emplace_back(std::make_unique<ProfileLane>(*this, "outside")).get();
  outside_->begin(Event::Kind::Operator, nullptr);
  outside_->mark(Event::Kind::Fired, wait);
  outside_->end();
}

void ProfileLane::addChunk() {
  chunks_.push_back(std::make_unique_for_overwrite<Event[]>(kChunk));
  next_ = chunks_.back().get();
  end_ = next_ + kChunk;
}

std::vector<ProfileLane::Slice> ProfileLane::suspend() {
  std::vector<Slice> slices = open_;
  endTo(0);
  return slices;
}

void ProfileLane::resume(const std::vector<Slice>& slices) {
  for (const Slice& slice : slices) begin(slice.kind, slice.what);
}

// ---- as JSON ----------------------------------------------------------------------------------

namespace {
/// What an arrow leads from, or to.
struct End {
  std::uint64_t time;
  std::size_t lane;
};
/// Arrows of one kind: memory is used again, so a tail belongs to the next head at its address.
struct Arrows {
  explicit Arrows(const char* n) : name(n) {}

  const char* const name;
  std::vector<std::pair<End, End>> drawn;
  llvm::DenseMap<const void*, End> tails;

  void from(const void* what, End tail) { tails[what] = tail; }
  /// False when nothing led here.
  bool to(const void* what, End head) {
    const auto tail = tails.find(what);
    if (tail == tails.end()) return false;
    drawn.emplace_back(tail->second, head);
    tails.erase(tail);
    return true;
  }
};

/// Numbers over time.
struct Sample {
  std::uint64_t time;
  std::int64_t pending, parked, stolen;
};
} // namespace

void Profile::write(std::ostream& out) const {
  using Kind = Event::Kind;
  std::lock_guard lock(mutex_);
  struct Where {
    const Event* event;
    std::size_t lane;
  };
  std::vector<Where> marks;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    for (std::size_t i = 0; i < lanes_[lane]->chunks_.size(); ++i)
      for (const Event& event : lanes_[lane]->chunk(i))
        if (event.kind >= Kind::Fork) marks.push_back({&event, lane});
  std::stable_sort(marks.begin(), marks.end(),
                   [](Where a, Where b) { return a.event->time < b.event->time; });

  Arrows forks("fork"), wakes("wake");
  std::vector<Sample> samples;
  Sample now{0, 0, 0, 0};
  for (const auto& [event, lane] : marks) {
    const End end{event->time, lane};
    switch (event->kind) {
    case Kind::Fork:
      forks.from(event->what, end);
      ++now.pending;
      break;
    case Kind::Start:
      if (!forks.to(event->what, end)) continue;
      --now.pending;
      now.stolen += forks.drawn.back().first.lane != lane;
      break;
    case Kind::Fired:
      wakes.from(event->what, end);
      continue;
    case Kind::Park:
      ++now.parked;
      break;
    case Kind::Wake:
      wakes.to(event->what, end);
      now.parked = std::max<std::int64_t>(now.parked - 1, 0);
      break;
    case Kind::Task:
    case Kind::Operator:
    case Kind::End:
      TINE_CHECK(false);
    }
    now.time = event->time;
    samples.push_back(now);
  }

  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  const auto flush = [&] {
    out << text;
    text.clear();
  };
  const auto entry = [&](const char* phase, llvm::StringRef name, End at, auto more) {
    json.object([&] {
      json.attribute("ph", phase);
      if (!name.empty()) json.attribute("name", llvm::json::fixUTF8(name));
      json.attribute("pid", 1);
      json.attribute("tid", static_cast<std::int64_t>(at.lane));
      json.attribute("ts", static_cast<double>(at.time) / 1e3);
      more();
    });
    if (text.size() > (1u << 16)) flush();
  };
  const auto nothing = [] {};
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeArray("traceEvents", [&] {
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
        entry("M", "thread_name", {0, lane}, [&] {
          json.attributeObject("args", [&] { json.attribute("name", lanes_[lane]->name_); });
        });
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
        for (std::size_t i = 0; i < lanes_[lane]->chunks_.size(); ++i)
          for (const Event& event : lanes_[lane]->chunk(i)) {
            const End at{event.time, lane};
            if (event.kind == Kind::Task)
              entry("B", static_cast<const FunctionCode*>(event.what)->name, at,
                    [&] { json.attribute("cat", "task"); });
            else if (event.kind == Kind::Operator)
              entry("B",
                    event.what
                        ? llvm::StringRef(static_cast<const OpInfo*>(event.what)->schema.name)
                        : "complete",
                    at, [&] { json.attribute("cat", "operator"); });
            else if (event.kind == Kind::End)
              entry("E", "", at, nothing);
          }
      std::int64_t id = 0;
      for (const Arrows* arrows : {&forks, &wakes})
        for (const auto& [tail, head] : arrows->drawn) {
          ++id;
          const auto more = [&] {
            json.attribute("cat", arrows->name);
            json.attribute("id", id);
          };
          entry("s", arrows->name, tail, more);
          entry("f", arrows->name, head, [&] {
            more();
            json.attribute("bp", "e");
          });
        }
      const std::size_t step = samples.size() / 10000 + 1;
      for (std::size_t i = 0; i < samples.size(); i += step)
        for (const auto& [name, value] :
             {std::pair("pending", samples[i].pending), std::pair("parked", samples[i].parked),
              std::pair("stolen", samples[i].stolen)})
          entry("C", name, {samples[i].time, 0}, [&, value = value] {
            json.attributeObject("args", [&] { json.attribute("count", value); });
          });
    });
  });
  flush();
}

} // namespace tine
