#pragma once

#include "interpreter/code.h"
#include "tensor/future.h"

#include <cstring>
#include <new>

namespace tine {

struct Run;
class RunControl;

/// Does a waiter wait for the task below that has no handle of it: the list has it that the task
/// was found in? In `Alone`, nobody else has that list.
enum class Borrows : std::uint8_t { No, Shared, Alone };

/// What a running function has: where it is, who called it, and, behind this header, its registers.
/// Frames are linked, not stacked, so that a task that waits leaves its frames where they are.
struct Frame {
  Frame* caller;
  /// Where to go on: behind the call, or at the Wait. Not kept up to date while the frame is on
  /// top.
  const Instr* pc;
  const FunctionCode* function;
  FutureState* task; ///< whose frame it is
  Run* run;
  std::uint16_t sizeClass; ///< in the pool
  bool first;              ///< of the task, which ends with it
  Borrows borrows;         ///< first
  std::uint32_t depth;     ///< how many are below

  IValue* registers() { return reinterpret_cast<IValue*>(this + 1); }
  static std::size_t bytes(std::uint32_t registers) {
    return sizeof(Frame) + registers * sizeof(IValue);
  }
};
static_assert(sizeof(Frame) == 48);

/// Makes None of memory, each by one store.
inline void clear(IValue* begin, IValue* end) {
  static_assert(static_cast<int>(Tag::None) == 0);
  for (; begin < end; ++begin) {
    std::memset(static_cast<void*>(begin), 0, sizeof(IValue));
    asm("" : "+r"(begin)); // else it becomes a call of memset, which takes longer
  }
}

/// What keeps the code of a running program alive: tasks and frames point at instructions without
/// counting. Every unfinished task of one `Scheduler::run` holds one reference; workers hold a
/// reserve of many, which they hand to the tasks that they make and take back from those that they
/// finish, so that a fork and a wait touch no shared counter.
struct Run {
  std::atomic<std::int64_t> references;
  std::shared_ptr<const Code> code;
  Site root;                                     ///< as a fork's, for the first task
  std::uint64_t seed = 0;                        ///< of random numbers
  std::shared_ptr<RunControl> control = nullptr; ///< null when nothing can stop it
  /// Where Scheduler::call wants the root's result, if it is waiting for nothing else; null, when
  /// that is there or goes to the root's future.
  IValue* result = nullptr;

  void release(std::int64_t count) {
    if (references.fetch_sub(count, std::memory_order_acq_rel) == count) delete this;
  }
};

} // namespace tine
