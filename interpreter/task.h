#pragma once

#include "interpreter/code.h"
#include "interpreter/deque.h"
#include "tensor/future.h"

namespace tine {

struct Run;
struct Wait;

// What a deque's entries and a task's payload hold.

/// Entries of a deque: tasks, which may be claimed already, and waits that fired, marked by bit 0.
inline Deque::Entry entryOf(FutureState& task) { return reinterpret_cast<Deque::Entry>(&task); }
inline Deque::Entry entryOf(Wait* wait) { return reinterpret_cast<Deque::Entry>(wait) | 1; }
inline bool isWait(Deque::Entry entry) { return entry & 1; }
inline Wait* waitOf(Deque::Entry entry) {
  return reinterpret_cast<Wait*>(entry & ~Deque::Entry(1));
}
inline FutureState& taskOf(Deque::Entry entry) { return *reinterpret_cast<FutureState*>(entry); }

/// What a task's payload holds.
inline const Site& siteOf(const FutureState& task) {
  return *static_cast<const Site*>(task.payload[0]);
}
/// One argument lies where the task's result will be, and a second one in the last word of payload
/// unless that holds random numbers. Otherwise several are in a block.
inline bool hasPlaceForTwo(const Site& site) { return site.target->numInputs == 2 && !site.splits; }
inline void putSecond(FutureState& task, IValue&& argument) {
  const IValue::Parts parts = argument.leak();
  task.payload[2] = reinterpret_cast<void*>(parts.payload);
  task.payloadTag = parts.tag;
}
inline IValue takeSecond(FutureState& task) {
  return IValue::adopt({reinterpret_cast<std::intptr_t>(task.payload[2]), task.payloadTag});
}
/// The random numbers of a task that has started. \pre its site splits
inline RandomStream streamOf(const FutureState& task) {
  return RandomStream::resume(reinterpret_cast<std::uintptr_t>(task.payload[2]));
}
inline void setStream(FutureState& task, RandomStream stream) {
  task.payload[2] = reinterpret_cast<void*>(std::uintptr_t(stream.state()));
}
/// The random numbers of a task that starts with `n` arguments, which it has. \pre its site splits
inline void giveStream(FutureState& task, std::uint32_t n, RandomStream stream) {
  if (n <= 1) return setStream(task, stream);
  new (static_cast<IValue*>(task.payload[2]) + n) IValue(static_cast<std::int64_t>(stream.state()));
}
/// A stream for another task, split from this one's; any if it has none.
RandomStream splitStream(FutureState& task);
inline Run* runOf(const FutureState& task) { return static_cast<Run*>(task.payload[1]); }

} // namespace tine
