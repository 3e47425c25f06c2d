#include "interpreter/control.h"
#include "interpreter/core.h"
#include "interpreter/failure.h"
#include "interpreter/profile.h"
#include "interpreter/values.h"
#include "support/surely.h"

#include <algorithm>

// Computed goto is g++'s extension; the loop reads the same without. clang has it, too, but does
// not let it leave the scope of anything that has a destructor.
#if defined(__GNUC__) && !defined(__clang__) && !defined(TINE_PORTABLE_SWITCH)
#define TINE_COMPUTED_GOTO 1
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

namespace tine {
namespace {

// This file is compiled twice: profiled.cpp includes it for workers that record what they do, so
// that the others do not even ask.
#ifdef TINE_PROFILED
constexpr bool kProfiled = true;
#else
constexpr bool kProfiled = false;
#endif
using Recorded = Profile::Event::Kind;

constexpr std::uint32_t kOperandsInPlace = 16;

/// Puts a number or bool into a register, in place.
template <class T> [[gnu::always_inline]] inline void put(IValue& to, T value) {
  if (to.isCounted()) [[unlikely]]
    to.~IValue();
  new (&to) IValue(value);
}

/// Moves a value into a register.
[[gnu::always_inline]] inline void moveInto(IValue& to, IValue&& value) {
  if (to.isCounted()) [[unlikely]]
    to.~IValue();
  new (&to) IValue(std::move(value));
}
[[gnu::always_inline]] inline void copyInto(IValue& to, const IValue& value) {
  if (to.isCounted()) [[unlikely]]
    to = value; // which may be in what goes
  else
    new (&to) IValue(value);
}

/// The operands of a row, as values that the instruction keeps: moved when they die.
[[gnu::always_inline]] inline IValue take(const Source& source, IValue* registers,
                                          const IValue* constants) {
  if (source.index >= kConstant) return constants[source.index - kConstant];
  return source.dies ? std::move(registers[source.index]) : IValue(registers[source.index]);
}

std::vector<IValue> takeAll(const FunctionCode& function, const Site& site, IValue* registers) {
  std::vector<IValue> values;
  values.reserve(site.numSources);
  for (std::uint32_t i = 0; i < site.numSources; ++i)
    values.push_back(
        take(function.sources[site.firstSource + i], registers, function.constants.data()));
  return values;
}

/// The slice of what runs in a scope.
struct Slice {
  Slice(Worker& worker, Recorded kind, const void* what) : lane(*worker.lane) {
    lane.begin(kind, what);
  }
  ~Slice() { lane.end(); }
  Slice(const Slice&) = delete;
  ProfileLane& lane;
};

/// A task starts on top of what its worker runs.
void recordStart(Worker& worker, const Frame* first) {
  worker.lane->start(first->function, first->task);
}

void callKernel(Worker& worker, Frame* frame, const Site& site) {
  const FunctionCode& function = *frame->function;
  IValue* const registers = frame->registers();
  const std::uint32_t count = site.numSources, numResults = site.numResults;
  IValue* inPlace[kOperandsInPlace];
  std::unique_ptr<IValue*[]> many;
  IValue** pointers = inPlace;
  if (count + numResults > kOperandsInPlace) {
    many.reset(new IValue*[count + numResults]);
    pointers = many.get();
  }
  // A kernel writes only operands that die, which constants never do.
  auto* constants = const_cast<IValue*>(function.constants.data());
  const Source* sources = function.sources.data() + site.firstSource;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t index = sources[i].index;
    pointers[i] = index < kConstant ? registers + index : constants + (index - kConstant);
  }
  const std::uint16_t* rows = function.registers.data();
  for (std::uint32_t i = 0; i < numResults; ++i)
    pointers[count + i] = registers + rows[site.firstResult + i];
  site.op->kernel(KernelCall(pointers, count, pointers + count, numResults, site.dying, &worker));
  for (std::uint32_t i = 0; i < site.numDrops; ++i) registers[rows[site.firstDrop + i]] = IValue();
}

void runKernel(Worker& worker, Frame* frame, const Site& site) {
  if constexpr (kProfiled) {
    const Slice slice(worker, Recorded::Operator, site.op);
    callKernel(worker, frame, site);
  } else {
    callKernel(worker, frame, site);
  }
}

std::string quoted(llvm::StringRef text) { return "'" + text.str() + "'"; }

[[noreturn]] void noAttribute(const IValue& value, llvm::StringRef attribute) {
  const std::string type =
      value.isObject() ? value.toObject().layout->name : name(value.tag()).str();
  raise(error_kind::Attribute, quoted(type) + " has no attribute " + quoted(attribute));
}

void unpack(const FunctionCode& function, const Site& site, IValue* registers,
            const std::vector<IValue>& items, const char* what) {
  if (items.size() != site.numResults)
    raise(error_kind::Value, "Expected " + std::to_string(site.numResults) + " elements in a " +
                                 what + " but found " + std::to_string(items.size()));
  for (std::uint32_t i = 0; i < site.numResults; ++i)
    registers[function.registers[site.firstResult + i]] = items[i];
}

const FunctionCode& methodOf(const FunctionCode& caller, const Site& site, const IValue& object) {
  const std::string& method = caller.names[site.name];
  if (!object.isObject()) noAttribute(object, method);
  const FunctionCode* found = caller.code->find(object.toObject().layout->name + "." + method);
  if (!found) noAttribute(object, method);
  return *found;
}

void checkArity(const FunctionCode& target, std::size_t given) {
  if (target.numInputs != given)
    raise(error_kind::Type, target.name + "() takes " + std::to_string(target.numInputs) +
                                " arguments, " + std::to_string(given) + " given");
}

[[noreturn]] void raiseTooDeep() { raise(error_kind::Runtime, "maximum recursion depth exceeded"); }

[[gnu::always_inline]] inline void becomeCallee(Frame* frame, Frame* caller) {
  frame->caller = caller;
  frame->task = caller->task;
  frame->run = caller->run;
  frame->depth = caller->depth + 1;
}

/// The callee's frame, with the arguments moved or copied into its first registers.
[[gnu::always_inline]] inline Frame* enter(Worker& worker, Frame* caller,
                                           const FunctionCode& target, const Source* sources) {
  Frame* frame = worker.allocateFrame(&target, target.numInputs);
  const IValue* constants = caller->function->constants.data();
  IValue* to = frame->registers();
  for (IValue* const end = to + target.numInputs; to < end; ++to, ++sources)
    new (to) IValue(take(*sources, caller->registers(), constants));
  becomeCallee(frame, caller);
  return frame;
}

/// A function value: a function, or a tuple of one and its first arguments.
struct Callee {
  const FunctionCode& function;
  llvm::ArrayRef<IValue> bound;
};

Callee calleeOf(const Code& code, const IValue& value, std::size_t given) {
  const bool bound = value.isTuple() && !value.toTuple().items.empty();
  const IValue& function = bound ? value.toTuple().items.front() : value;
  if (function.tag() != Tag::Function)
    raise(error_kind::Type, "a function is wanted, not " + name(value.tag()).str());
  if (!code.owns(function.toFunction()))
    raise(error_kind::Type, "a function of another program is called");
  const Callee callee{*static_cast<const FunctionCode*>(function.toFunction()),
                      bound ? llvm::ArrayRef(value.toTuple().items).drop_front()
                            : llvm::ArrayRef<IValue>()};
  checkArity(callee.function, callee.bound.size() + given);
  return callee;
}

IValue makeClosure(const Site& site, std::vector<IValue> captured) {
  IValue function = IValue::function(site.target);
  if (captured.empty()) return function;
  captured.insert(captured.begin(), std::move(function));
  return IValue::tuple(std::move(captured));
}

/// As `enter`, of the function value that is the first operand.
Frame* enterValue(Worker& worker, Frame* caller, const Site& site) {
  const Source* sources = caller->function->sources.data() + site.firstSource;
  const IValue* constants = caller->function->constants.data();
  const std::uint32_t given = site.numSources - 1;
  const IValue value = take(sources[0], caller->registers(), constants);
  const Callee callee = calleeOf(*caller->function->code, value, given);
  Frame* frame = worker.allocateFrame(&callee.function, callee.function.numInputs);
  IValue* to = frame->registers();
  for (const IValue& bound : callee.bound) new (to++) IValue(bound);
  for (std::uint32_t i = 1; i <= given; ++i)
    new (to++) IValue(take(sources[i], caller->registers(), constants));
  becomeCallee(frame, caller);
  return frame;
}

[[gnu::always_inline]] inline FutureState* fork(Worker& worker, Frame* frame, const Site& site) {
  FutureState* task = worker.allocateTask();
  const Source* sources = frame->function->sources.data() + site.firstSource;
  const IValue* constants = frame->function->constants.data();
  const std::uint32_t n = site.target->numInputs;
  task->payload[0] = const_cast<Site*>(&site);
  task->payload[1] = frame->run;
  if (n == 1) {
    new (&task->argument()) IValue(take(sources[0], frame->registers(), constants));
  } else if (hasPlaceForTwo(site)) {
    new (&task->argument()) IValue(take(sources[0], frame->registers(), constants));
    putSecond(*task, take(sources[1], frame->registers(), constants));
  } else if (n > 1) {
    auto* arguments =
        static_cast<IValue*>(worker.allocateBlock((n + site.splits) * sizeof(IValue)));
    for (std::uint32_t i = 0; i < n; ++i)
      new (arguments + i) IValue(take(sources[i], frame->registers(), constants));
    task->payload[2] = arguments;
  }
  if (site.splits) [[unlikely]]
    giveStream(*task, n, splitStream(*frame->task));
  worker.addToRun(frame->run);
  ++worker.numTasks;
  task->renew(2); // the handle, and whoever runs it
  return task;
}

FutureState& futureOf(const IValue& value) {
  if (!value.isFuture())
    raise(error_kind::Type, "a Future is wanted, not " + name(value.tag()).str());
  return value.asFuture();
}

Origin originOf(const Frame* frame, const Instr* at) {
  return {frame->function, static_cast<std::uint32_t>(at - frame->function->instrs.data())};
}

Ref<FutureState> startThen(Worker& worker, Frame* frame, const Site& site) {
  std::vector<IValue> operands = takeAll(*frame->function, site, frame->registers());
  const Ref<FutureState> future(&futureOf(operands[0]));
  const IValue function = std::move(operands[1]);
  operands.erase(operands.begin(), operands.begin() + 2);
  if (site.target) return thenOf(worker, frame, site, *future, std::move(operands));
  const Callee callee = calleeOf(*frame->function->code, function, operands.size() + 1);
  operands.insert(operands.begin(), callee.bound.begin(), callee.bound.end());
  return thenOf(worker, frame, site, *future, std::move(operands), &callee.function,
                callee.bound.size());
}

Ref<FutureState> startLimit(Worker& worker, const Origin& origin, const IValue& value,
                            double seconds) {
  const Ref<FutureState> future(&futureOf(value)); // the result may take its register
  return limitOf(worker.core, origin, *future, seconds);
}

/// Goes on in a handler of the frame, if one is there for the instruction.
bool caught(Worker& worker, Frame* frame, std::uint32_t pc, const Failure& failure) {
  if (failure.stops || frame->function->handlers.empty()) return false;
  const FunctionCode::Handler* handler = frame->function->handlerAt(pc);
  if (!handler || frame->task->isAskedToStop()) return false;
  if (worker.core.numStopping.load(std::memory_order_acquire) > 0 && worker.core.stopOf(*frame))
    return false;
  auto error = surely([] { return makeRef<FutureState>(FutureState::Phase::Running); });
  error->markObserved();
  error->fail(failure.make());
  frame->registers()[handler->reg] = IValue(std::move(error));
  frame->pc = frame->function->instrs.data() + handler->target;
  return true;
}

/// The error leaves frames until a handler takes it, whose frame is the result; or until it has
/// left the first task that nobody waits for right here. What a task had that was told to stop may
/// not be needed any more.
Frame* unwind(Worker& worker, Frame* frame, const Instr* at, Failure failure) {
  std::vector<Ref<FutureState>> held;
  for (;;) {
    Frame* const caller = frame->caller;
    FutureState* const task = frame->first ? frame->task : nullptr;
    const bool borrows = frame->borrows != Borrows::No;
    Run* const run = frame->run;
    const auto pc = static_cast<std::uint32_t>(at - frame->function->instrs.data());
    if (!std::exchange(failure.again, false))
      failure.left({frame->function, pc, task ? &siteOf(*task) : nullptr});
    if (caught(worker, frame, pc, failure)) {
      if (!held.empty()) cancelUnneeded(std::move(held));
      return frame;
    }
    if (frame->task->isAskedToStop())
      for (std::uint32_t i = 0; i < frame->function->numRegisters; ++i)
        surely([&] { addFutures(frame->registers()[i], held); });
    // Promises that are dropped here are broken because of it: that is no news.
    worker.leavesDeadlock = failure.error->kind == error_kind::Deadlock;
    worker.freeFrame(frame);
    worker.leavesDeadlock = false;
    frame = caller;
    if (!task) {
      at = caller->pc - 1;
      continue;
    }
    if (caller) at = caller->pc;
    if (caller && at->dies && caller->run == run && !borrows && task->isHeldBy(2)) {
      // Nobody else can see the task: its waiter goes on failing in the same breath.
      new (caller->registers() + at->b) IValue();
      task->retire();
      worker.freeTask(task);
    } else {
      failure = {failure.make(), {}, false, false};
      worker.calling = nullptr;
      task->fail(failure.error);
      if (task->wasAskedToStop()) worker.core.stopped();
      const bool runStops = run->control && run->control->isStopped(); // as who waits for it hears
      if (caller || runStops) task->markObserved();
      task->release();
      // Who waited may have been told to stop, and have its own reason.
      if (caller && worker.core.numStopping.load(std::memory_order_acquire) > 0)
        if (auto own = worker.core.stopOf(*caller)) {
          failure.error = std::move(own);
          failure.stops = true;
        }
    }
    worker.endInRun(run);
    if (!caller) break;
    if constexpr (kProfiled) worker.lane->end();
  }
  if (!held.empty()) cancelUnneeded(std::move(held));
  return nullptr;
}

/// What the program raises. Not in the loop, which is slower for all that is there.
[[gnu::noinline, gnu::cold]] void fail(Failure& failure, const IValue& message,
                                       const IValue& kind) {
  failure.error = programError(message, kind);
}

/// For another item of a list, which is full.
[[gnu::noinline]] void makeRoom(std::vector<IValue>& items) {
  items.reserve(std::max<std::size_t>(8, 2 * items.size()));
}

Outcome loop(Worker& worker, Frame* frame) {
  // The running function: kept in locals, so that they are in machine registers.
  const Instr* pc = frame->pc; // the next instruction
  IValue* registers = frame->registers();
  const IValue* constants = frame->function->constants.data();
  Failure failure;

  // Always inlined: otherwise the locals above would be in memory for them.
#define TINE_INLINE __attribute__((always_inline))
  const auto load = [&](Frame* f) TINE_INLINE {
    frame = f;
    pc = f->pc;
    registers = f->registers();
    constants = f->function->constants.data();
  };
  const auto source = [&](std::uint32_t index) TINE_INLINE -> const IValue& {
    return index < kConstant ? registers[index] : constants[index - kConstant];
  };
  const auto site = [&]() TINE_INLINE -> const Site& { return frame->function->sites[pc[-1].x()]; };
  const auto sourcesOf = [&](const Site& s) TINE_INLINE {
    return frame->function->sources.data() + s.firstSource;
  };
  // Arithmetic wraps around, as TorchScript's does.
  const auto u = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  const auto wrap = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };

// The instruction that runs. It is read where it is wanted: kept in a variable, its parts would
// take the machine registers of what is above.
#define TINE_AT pc[-1]
#define TINE_A registers[TINE_AT.a]
#define TINE_B source(TINE_AT.b)
#define TINE_C source(TINE_AT.c)
// Where a task may be interrupted.
#define TINE_NEXT_UNLESS_ASKED                                                                     \
  if (worker.isAsked()) [[unlikely]]                                                               \
    goto attend;                                                                                   \
  TINE_NEXT
// A call, by what makes the callee's frame.
#define TINE_ENTER(made)                                                                           \
  frame->pc = pc;                                                                                  \
  load(made);                                                                                      \
  if (frame->depth > worker.depthLimit()) [[unlikely]]                                             \
    goto entered;                                                                                  \
  TINE_NEXT
// A computed goto runs no destructors: an instruction ends outside of the scope of what needs them,
// or when that has been moved from.
#ifdef TINE_COMPUTED_GOTO
  static constexpr const void* kLabels[] = {
#define TINE_OPCODE(id, layout) &&label_##id,
#include "interpreter/instr.def"
  };
#define TINE_CASE(id) label_##id:
#define TINE_NEXT                                                                                  \
  do {                                                                                             \
    ++pc;                                                                                          \
    goto* kLabels[static_cast<int>(TINE_AT.op)];                                                   \
  } while (false)
#define TINE_DISPATCH TINE_NEXT;
#define TINE_DISPATCH_END
#else
#define TINE_CASE(id) case Opcode::id:
#define TINE_NEXT goto next
#define TINE_DISPATCH                                                                              \
  next:                                                                                            \
  ++pc;                                                                                            \
  switch (TINE_AT.op) {
#define TINE_DISPATCH_END }
#endif

running:
  try {
    TINE_DISPATCH
    TINE_CASE(LoadK) {
      copyInto(TINE_A, constants[TINE_AT.x()]);
      TINE_NEXT;
    }
    TINE_CASE(LoadFresh) {
      TINE_A = fresh(constants[TINE_AT.x()]);
      TINE_NEXT;
    }
    TINE_CASE(Copy) {
      copyInto(TINE_A, TINE_B);
      TINE_NEXT;
    }
    TINE_CASE(Move) {
      if (TINE_AT.b < kConstant)
        TINE_A = std::move(registers[TINE_AT.b]);
      else
        TINE_A = TINE_B;
      TINE_NEXT;
    }
    TINE_CASE(Drop) {
      TINE_A = IValue();
      TINE_NEXT;
    }
    TINE_CASE(Uninit) {
      TINE_A = IValue::uninitialized();
      TINE_NEXT;
    }
    TINE_CASE(Jump) {
      pc += TINE_AT.jump();
      TINE_NEXT;
    }
    TINE_CASE(JumpIfNot) {
      if (!source(TINE_AT.a).toBool()) pc += TINE_AT.jump();
      TINE_NEXT;
    }
    TINE_CASE(LoopStart) {
      put(TINE_A, std::int64_t(0));
      if (registers[TINE_AT.a + 1].toInt() <= 0) pc += TINE_AT.jump();
      TINE_NEXT;
    }
    TINE_CASE(LoopNext) {
      IValue* const counter = &TINE_A; // LoopStart has seen that both are ints
      if (!counter[0].isInt() || !counter[1].isInt()) __builtin_unreachable();
      const std::int64_t trip = counter[0].toInt() + 1;
      new (counter) IValue(trip);
      if (trip < counter[1].toInt()) pc += TINE_AT.jump();
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(Raise) {
      fail(failure, TINE_B, TINE_C);
      goto failed;
    }
    TINE_CASE(Reraise) {
      failure.error = TINE_B.asFuture().error();
      failure.again = true;
      goto failed;
    }
    TINE_CASE(Fail) { throw RuntimeError(frame->function->failures[TINE_AT.x()]); }
    TINE_CASE(Operator) {
      frame->pc = pc;
      worker.calling = frame;
      runKernel(worker, frame, site());
      TINE_NEXT_UNLESS_ASKED;
    }

    TINE_CASE(Call) {
      const Site& s = site();
      TINE_ENTER(enter(worker, frame, *s.target, sourcesOf(s)));
    }
    TINE_CASE(MakeClosure) {
      const Site& s = site();
      TINE_A = makeClosure(s, takeAll(*frame->function, s, registers));
      TINE_NEXT;
    }
    TINE_CASE(CallValue) { TINE_ENTER(enterValue(worker, frame, site())); }
    TINE_CASE(CallMethod) {
      const Site& s = site();
      const Source* sources = sourcesOf(s);
      if (s.numSources == 0) raise(error_kind::Type, "a method is called without an object");
      const FunctionCode& target = methodOf(*frame->function, s, source(sources[0].index));
      checkArity(target, s.numSources);
      TINE_ENTER(enter(worker, frame, target, sources));
    }
    TINE_CASE(Return) {
      IValue value =
          TINE_AT.dies && TINE_AT.b < kConstant ? std::move(registers[TINE_AT.b]) : IValue(TINE_B);
      Frame* const caller = frame->caller;
      FutureState* const task = frame->task;
      Run* const run = frame->run;
      const bool first = frame->first;
      const Borrows borrows = frame->borrows;
      worker.freeFrame(frame);
      if (!first) {
        load(caller);
        moveInto(registers[pc[-1].a], std::move(value));
        TINE_NEXT;
      }
      if (borrows != Borrows::No) {
        // The waiter below takes the value here, for it has no handle to find it by.
        load(caller);
        ++pc;
        copyInto(TINE_A, value);
        if (borrows == Borrows::Alone && task->isHeldBy(2)) {
          task->completeUnseen(std::move(value));
          worker.endInRun(run);
          if constexpr (kProfiled) worker.lane->end();
          TINE_NEXT_UNLESS_ASKED;
        }
      } else if (caller && caller->pc->dies && task->isHeldBy(2)) {
        // Only the waiter below has a handle, and it dies there: nobody else sees this future.
        load(caller);
        ++pc;
        new (registers + TINE_AT.b) IValue(); // its reference goes with the task
        task->retire();
        worker.freeTask(task);
        worker.endInRun(run);
        moveInto(TINE_A, std::move(value));
        if constexpr (kProfiled) worker.lane->end();
        TINE_NEXT;
      }
      if (run->result && task->payload[0] == &run->root && task->isHeldBy(2)) {
        *std::exchange(run->result, nullptr) = std::move(value); // and whoever called, has it
        task->retire();
        worker.freeTask(task);
        worker.endInRun(run);
        return Outcome::Finished;
      }
      worker.calling = nullptr; // callbacks of C++ may follow
      task->completeClaimed(std::move(value));
      if (task->wasAskedToStop()) [[unlikely]]
        worker.core.stopped();
      task->release();
      worker.endInRun(run);
      if constexpr (kProfiled) worker.lane->end();
      if (borrows != Borrows::No) {
        TINE_NEXT_UNLESS_ASKED;
      }
      if (!caller) return Outcome::Finished;
      load(caller); // at the Wait, which finds it done
      TINE_NEXT;
    }

    TINE_CASE(Fork) {
      FutureState* task = fork(worker, frame, site());
      moveInto(TINE_A, IValue::adopt(task));
      if constexpr (kProfiled) worker.lane->mark(Recorded::Fork, task);
      if (worker.offer(entryOf(*task))) [[unlikely]]
        goto attend;
      TINE_NEXT;
    }
    TINE_CASE(Wait) {
      FutureState& future = TINE_B.asFuture();
      for (;;) {
        if (future.done()) {
          if (future.failed()) {
            future.markObserved();
            failure.error = future.error();
            goto failed;
          }
          if (TINE_AT.a == TINE_AT.b) {
            IValue value = future.value();
            TINE_A = std::move(value);
          } else {
            copyInto(TINE_A, future.value());
            if (TINE_AT.dies) registers[TINE_AT.b] = IValue();
          }
          TINE_NEXT_UNLESS_ASKED;
        }
        if (future.isNew() && future.kind() == worker.kind && worker.claim(future)) {
          ++worker.numInline;
          frame->pc = pc - 1;
          Frame* child = worker.frameOf(future);
          child->caller = frame;
          child->depth = frame->depth + 1;
          if constexpr (kProfiled) recordStart(worker, child);
          load(child);
          if (child->depth > worker.depthLimit()) [[unlikely]]
            goto started;
          TINE_NEXT;
        }
        frame->pc = pc - 1;
        if (worker.isAsked()) {
          if (worker.core.attend(worker, frame, true, &failure.error) == Advice::Stop) {
            failure.stops = true;
            goto failed;
          }
        }
        if (worker.await(future, Wait::Who::Frames, frame, nullptr, &failure.error)) {
          ++worker.numParked;
          return Outcome::Parked;
        }
        if (failure.error) {
          failure.stops = true;
          goto failed;
        }
      }
    }
    TINE_CASE(Promise) {
      TINE_A = IValue(promiseOf(worker, frame, originOf(frame, pc - 1)));
      TINE_NEXT;
    }
    TINE_CASE(Then) {
      const Site& s = site();
      frame->pc = pc;
      TINE_A = IValue(startThen(worker, frame, s));
      TINE_NEXT;
    }
    TINE_CASE(Collect) {
      {
        IValue list = TINE_AT.dies ? std::move(registers[TINE_AT.b]) : IValue(TINE_B);
        TINE_A = IValue(collectOf(worker, originOf(frame, pc - 1), static_cast<Collect>(TINE_AT.c),
                                  std::move(list)));
      }
      TINE_NEXT;
    }
    TINE_CASE(Cancel) {
      cancel(futureOf(TINE_B));
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(Limit) {
      TINE_A = IValue(startLimit(worker, originOf(frame, pc - 1), TINE_B, TINE_C.toNumber()));
      TINE_NEXT;
    }

    TINE_CASE(MakeTuple) {
      const Site& s = site();
      IValue tuple = IValue::tuple(takeAll(*frame->function, s, registers));
      if (s.fields) const_cast<Tuple&>(tuple.toTuple()).names = s.fields;
      TINE_A = std::move(tuple);
      TINE_NEXT;
    }
    TINE_CASE(MakeList) {
      TINE_A = IValue::list(takeAll(*frame->function, site(), registers));
      TINE_NEXT;
    }
    TINE_CASE(MakeDict) {
      TINE_A = makeDict(takeAll(*frame->function, site(), registers));
      TINE_NEXT;
    }
    TINE_CASE(UnpackTuple) {
      {
        const Site& s = site();
        const IValue tuple = source(sourcesOf(s)->index);
        unpack(*frame->function, s, registers, tuple.toTuple().items, "tuple");
      }
      TINE_NEXT;
    }
    TINE_CASE(UnpackList) {
      {
        const Site& s = site();
        const IValue list = source(sourcesOf(s)->index);
        unpack(*frame->function, s, registers, list.toList().items, "list");
      }
      TINE_NEXT;
    }
    TINE_CASE(TupleIndex) {
      TINE_A = tupleIndex(TINE_B, TINE_C.toInt());
      TINE_NEXT;
    }
    TINE_CASE(TupleSlice) {
      const Source* sources = sourcesOf(site());
      TINE_A = tupleSlice(source(sources[0].index), source(sources[1].index).toInt(),
                          source(sources[2].index).toInt());
      TINE_NEXT;
    }

    TINE_CASE(GetAttr) {
      const std::string& attribute = frame->function->names[TINE_AT.c];
      const IValue& object = TINE_B;
      const int slot = object.isObject() ? object.toObject().layout->slot(attribute) : -1;
      if (slot < 0 ||
          object.toObject().slots[static_cast<std::size_t>(slot)].tag() == Tag::Uninitialized)
        noAttribute(object, attribute);
      TINE_A = IValue(object.toObject().slots[static_cast<std::size_t>(slot)]);
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(SetAttr) {
      const std::string& attribute = frame->function->names[TINE_AT.c];
      const IValue& object = source(TINE_AT.a);
      const int slot = object.isObject() ? object.toObject().layout->slot(attribute) : -1;
      if (slot < 0) noAttribute(object, attribute);
      object.toObject().slots[static_cast<std::size_t>(slot)] = TINE_B;
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(HasAttr) {
      const IValue& object = TINE_B;
      TINE_A = IValue(object.isObject() &&
                      object.toObject().layout->slot(frame->function->names[TINE_AT.c]) >= 0);
      TINE_NEXT;
    }
    TINE_CASE(CreateObject) {
      auto object = makeRef<Object>();
      object->layout = frame->function->layouts[TINE_AT.x()];
      object->slots.assign(object->layout->attributes.size(), IValue::uninitialized());
      TINE_A = IValue(std::move(object));
      TINE_NEXT;
    }
    TINE_CASE(IsInstance) {
      const auto& types = frame->function->typeLists[TINE_AT.c];
      const IValue& value = TINE_B;
      TINE_A = IValue(std::any_of(types.begin(), types.end(),
                                  [&](const Type* type) { return isInstance(value, type); }));
      TINE_NEXT;
    }

    TINE_CASE(ListGet) {
      const IValue &list = TINE_B, &index = TINE_C;
      if (!list.isList() || !index.isInt()) [[unlikely]]
        goto irregular;
      const std::vector<IValue>& items = list.toList().items;
      const auto at = static_cast<std::uint64_t>(index.toInt());
      if (at >= items.size()) [[unlikely]]
        goto irregular;
      copyInto(TINE_A, items[at]);
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(ListGetWait) {
      const IValue &list = TINE_B, &index = TINE_C;
      if (!list.isList() || !index.isInt()) [[unlikely]]
        goto irregular;
      const std::vector<IValue>& items = list.toList().items;
      const auto at = static_cast<std::uint64_t>(index.toInt());
      if (at >= items.size()) [[unlikely]]
        goto irregular;
      if (!items[at].isFuture() || TINE_A.isCounted()) [[unlikely]] {
        TINE_A = items[at];
        TINE_NEXT;
      }
      FutureState& future = items[at].asFuture();
      if (future.isNew() && future.kind() == worker.kind && worker.claim(future)) {
        ++worker.numInline;
        frame->pc = pc; // at the Wait, which `Return` sees to
        new (&TINE_A) IValue();
        Frame* child = worker.frameOf(future);
        child->caller = frame;
        child->depth = frame->depth + 1;
        child->borrows = list.isUnique() ? Borrows::Alone : Borrows::Shared;
        if constexpr (kProfiled) recordStart(worker, child);
        load(child);
        if (child->depth > worker.depthLimit()) [[unlikely]]
          goto started;
        TINE_NEXT;
      }
      new (&TINE_A) IValue();
      if (future.done() && !future.failed()) {
        ++pc;
        copyInto(TINE_A, future.value());
        TINE_NEXT_UNLESS_ASKED;
      }
      new (&TINE_A) IValue(items[at]);
      TINE_NEXT;
    }
    TINE_CASE(ListLen) {
      const IValue& list = TINE_B;
      if (!list.isList()) [[unlikely]]
        goto irregular;
      put(TINE_A, static_cast<std::int64_t>(list.toList().items.size()));
      TINE_NEXT_UNLESS_ASKED;
    }
    TINE_CASE(ListAppend) {
      const IValue& list = TINE_B;
      if (!list.isList()) [[unlikely]]
        goto irregular;
      std::vector<IValue>& items = list.toList().items;
      if (items.size() == items.capacity()) [[unlikely]]
        makeRoom(items);
      if (TINE_AT.dies)
        items.push_back(std::move(registers[TINE_AT.c]));
      else
        items.push_back(TINE_C);
      TINE_NEXT_UNLESS_ASKED;
    }

    // b and c of an instruction, if they are of the kind; of constants the compiler knows it.
#define TINE_NUMBERS(kind, first, second, secondFits)                                              \
  const IValue &left = first, &other = second;                                                     \
  if (left.tag() != Tag::kind || !(secondFits)) [[unlikely]]                                       \
    goto irregular;                                                                                \
  const auto b = left.to##kind(), c = other.to##kind();                                            \
  static_cast<void>(b), static_cast<void>(c)
#define TINE_NUMBERS_OF(kind)                                                                      \
  TINE_NUMBERS(kind, registers[TINE_AT.b], registers[TINE_AT.c], other.tag() == Tag::kind)
#define TINE_NUMBERS_K(kind)                                                                       \
  TINE_NUMBERS(kind, registers[TINE_AT.b], constants[TINE_AT.c - kConstant], true)
#define TINE_COMPUTE(id, numbers, condition, value)                                                \
  TINE_CASE(id) {                                                                                  \
    numbers;                                                                                       \
    if (!(condition)) [[unlikely]]                                                                 \
      goto irregular;                                                                              \
    put(TINE_A, value);                                                                            \
    TINE_NEXT;                                                                                     \
  }
#define TINE_BRANCH(id, numbers, value)                                                            \
  TINE_CASE(id) {                                                                                  \
    numbers;                                                                                       \
    const std::int32_t otherwise = pc->jump();                                                     \
    ++pc;                                                                                          \
    if (!(value)) pc += otherwise;                                                                 \
    TINE_NEXT;                                                                                     \
  }
#define TINE_SCALAR(id, op, kind, condition, value)                                                \
  TINE_COMPUTE(id, TINE_NUMBERS_OF(kind), condition, value)                                        \
  TINE_COMPUTE(id##K, TINE_NUMBERS_K(kind), condition, value)
#define TINE_COMPARE(id, op, kind, value)                                                          \
  TINE_SCALAR(id, op, kind, true, value)                                                           \
  TINE_BRANCH(id##Branch, TINE_NUMBERS_OF(kind), value)                                            \
  TINE_BRANCH(id##KBranch, TINE_NUMBERS_K(kind), value)
#include "interpreter/instr.def"

  irregular : {
    const auto at = static_cast<std::uint32_t>(pc - 1 - frame->function->instrs.data());
    const auto& rows = frame->function->irregular;
    const auto row = std::lower_bound(rows.begin(), rows.end(), std::make_pair(at, 0u));
    frame->pc = pc;
    worker.calling = frame;
    runKernel(worker, frame, frame->function->sites[row->second]);
    TINE_NEXT;
  }
  started : { // a task on top of its waiter, likewise
    ++pc;     // the task itself fails; left alone, it would start all over again
    if (frame->depth > worker.maxDepth) raiseTooDeep();
    --pc;
    goto attend;
  }
  entered : { // a function, and the limit of depth was reached; or attention is asked for
    if (frame->depth > worker.maxDepth) {
      Frame* const callee = frame;
      load(callee->caller);
      worker.freeFrame(callee);
      raiseTooDeep();
    }
    goto attend;
  }
  attend : {
    frame->pc = pc;
    const Advice advice = worker.core.attend(worker, frame, false, &failure.error);
    if (advice == Advice::Yield) return Outcome::Parked;
    if (advice == Advice::Stop) {
      failure.stops = true;
      ++pc;
      goto failed;
    }
    TINE_NEXT;
  }
    TINE_DISPATCH_END
  } catch (...) {
    failure.error = currentError();
  }
failed:
  frame = unwind(worker, frame, pc - 1, std::exchange(failure, {}));
  if (!frame) return Outcome::Finished;
  load(frame);
  goto running;
}

/// The frames go on by raising the error.
Outcome raiseIn(Worker& worker, Frame* frame, std::shared_ptr<const Error> error) {
  Failure failure;
  failure.error = std::move(error);
  failure.stops = true;
  frame = unwind(worker, frame, frame->pc, std::move(failure));
  return frame ? loop(worker, frame) : Outcome::Finished;
}

} // namespace

#ifdef TINE_PROFILED
Outcome interpretProfiled(Worker& worker, Frame* top, std::shared_ptr<const Error> error) {
  ProfileLane& lane = *worker.lane;
  const std::size_t depth = lane.depth();
  std::vector<const Frame*> tasks; // those that wait for each other, the waiting first
  for (const Frame* frame = top; frame; frame = frame->caller)
    if (frame->first) tasks.push_back(frame);
  for (; !tasks.empty(); tasks.pop_back()) lane.begin(Recorded::Task, tasks.back()->function);
  if (top->first && top->pc == top->function->instrs.data()) lane.mark(Recorded::Start, top->task);
  if (const void* wait = std::exchange(lane.woken, nullptr)) lane.mark(Recorded::Wake, wait);
  const Outcome outcome = error ? raiseIn(worker, top, std::move(error)) : loop(worker, top);
  lane.endTo(depth);
  return outcome;
}
#else
Outcome interpret(Worker& worker, Frame* top, std::shared_ptr<const Error> error) {
  if (worker.lane) [[unlikely]]
    return interpretProfiled(worker, top, std::move(error));
  return error ? raiseIn(worker, top, std::move(error)) : loop(worker, top);
}

Outcome interpret(Worker& worker, Frame* top) {
  if (worker.lane) [[unlikely]]
    return interpretProfiled(worker, top, nullptr);
  return loop(worker, top);
}
#endif

} // namespace tine
