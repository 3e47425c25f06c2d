#include "interpreter/failure.h"

#include <new>

namespace tine {
namespace {

constexpr std::size_t kOuter = 100, kInner = 100; // entries that are kept

void append(std::vector<TraceEntry>& out, const Failure::Point& point) {
  const bool forked = point.task && point.task->home;
  if (forked) point.task->home->trace(point.task->pc, TraceEntry::Edge::Call, out);
  point.function->trace(point.pc, forked ? TraceEntry::Edge::Fork : TraceEntry::Edge::Call, out);
}

} // namespace

std::shared_ptr<const Error> Failure::make() const {
  try {
    return withTraceback();
  } catch (const std::bad_alloc&) {
    return error;
  }
}

void Failure::left(const Point& point) {
  try {
    points.push_back(point);
  } catch (const std::bad_alloc&) {
    // A traceback without it.
  }
}

std::shared_ptr<const Error> Failure::withTraceback() const {
  if (points.empty()) return error;
  auto made = std::make_shared<Error>(*error);
  if (!made->place.known() && error->traceback.empty())
    made->place = points.front().function->place(points.front().pc);
  std::vector<TraceEntry> trace;
  std::size_t left = points.size();
  // A point is one entry or two, and one for each call that was inlined.
  for (; left > 0 && trace.size() < kOuter; --left) append(trace, points[left - 1]);
  std::size_t omitted = 0;
  if (left > kInner) {
    omitted = left - kInner;
    left = kInner;
  }
  std::vector<TraceEntry> inner;
  for (; left > 0; --left) append(inner, points[left - 1]);
  inner.insert(inner.end(), error->traceback.begin(), error->traceback.end());
  if (trace.size() < kOuter) {
    const std::size_t more = std::min(inner.size(), kOuter - trace.size());
    trace.insert(trace.end(), inner.begin(), inner.begin() + static_cast<std::ptrdiff_t>(more));
    inner.erase(inner.begin(), inner.begin() + static_cast<std::ptrdiff_t>(more));
  }
  if (inner.size() > kInner) {
    omitted += inner.size() - kInner;
    inner.erase(inner.begin(), inner.end() - static_cast<std::ptrdiff_t>(kInner));
  }
  if (omitted) trace.push_back({TraceEntry::Edge::Call, "...", {}});
  trace.insert(trace.end(), inner.begin(), inner.end());
  made->traceback = std::move(trace);
  return made;
}

} // namespace tine
