#include "api/future.h"

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
  return Operand::of(waitNative(*state));
}

bool isDone(const Ref<FutureState>& state, Where at) {
  mustExist(state, at);
  if (Recorder::active())
    throw RuntimeError(Error(error_kind::Trace,
                             "whether a future is done is asked in a trace, and the graph would "
                             "hold the answer",
                             placeOf(at)));
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
