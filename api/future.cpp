#include "api/future.h"

#include "frontend/trace/frame.h"
#include "interpreter/scheduler.h"

namespace tine::detail {

namespace {
void mustExist(const Ref<FutureState>& state, Where at) {
  if (!state) throw RuntimeError(Error(error_kind::Value, "an empty Future", placeOf(at)));
}
} // namespace

Operand waitFor(const Ref<FutureState>& state, Where at) {
  mustExist(state, at);
  if (Recorder* recorder = Recorder::active()) return recorder->wait(state, at);
  return Operand(waitNative(*state));
}

Operand waitFor(const Ref<FutureState>& state, std::chrono::nanoseconds limit, Where at) {
  mustExist(state, at);
  if (Recorder* recorder = Recorder::active())
    return recorder->wait(state, std::chrono::duration<double>(limit).count(), at);
  return Operand(waitNative(*state, limit));
}

Ref<FutureState> thenOf(const Ref<FutureState>& state, llvm::StringRef name,
                        std::function<Operand(const Operand&)> callback, Where at) {
  mustExist(state, at);
  if (Recorder* recorder = Recorder::active())
    return recorder->then(
        state, name, [&](llvm::ArrayRef<Operand> operands) { return callback(operands.front()); },
        at);
  return tine::then(
      *state,
      [callback = std::move(callback)](const IValue& result) {
        return callback(Operand(result)).value;
      },
      nullptr, at);
}

Ref<FutureState> collectOf(Collect how, std::vector<Ref<FutureState>> states, Where at) {
  for (const Ref<FutureState>& state : states) mustExist(state, at);
  Recorder* recorder = Recorder::active();
  if (!recorder || (states.empty() && how == Collect::First))
    return tine::collect(how, std::move(states), nullptr, at);
  return how == Collect::First ? recorder->any(states, at)
                               : recorder->collectAll(states, how == Collect::Settle, at);
}

void cancel(const Ref<FutureState>& state, Where at) {
  mustExist(state, at);
  if (Recorder* recorder = Recorder::active()) return recorder->cancel(state, at);
  tine::cancel(*state);
}

bool isDone(const Ref<FutureState>& state, Where at) {
  mustExist(state, at);
  if (Recorder::active())
    throw RuntimeError(traceError("whether a future is done is asked in a trace, and the graph "
                                  "would hold the answer",
                                  at));
  return state->done();
}

Ref<FutureState> forkBody(const Signature& signature, llvm::ArrayRef<Operand> operands, Body body,
                          Where at) {
  if (Recorder* recorder = Recorder::active())
    return recorder->fork(namesOf(signature), operands, body, at);
  auto state = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
  try {
    state->complete(body(operands).value);
  } catch (...) {
    state->fail(currentError());
  }
  return state;
}

} // namespace tine::detail
