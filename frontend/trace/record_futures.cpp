#include "frontend/trace/frame.h"

// What futures become in the graph: fork, wait, and what makes futures of futures.

namespace tine {

/// What the future will hold. \errors TraceError when the trace did not make it
Operand Recorder::heldBy(const Ref<FutureState>& future, Where at) {
  const auto it = futures_.find(future.get());
  if (it == futures_.end())
    throw RuntimeError(traceError("waits for a future from outside the trace, whose result would "
                                  "be a constant of the graph",
                                  at));
  if (!muted_ && !find(future.get()))
    throw RuntimeError(traceError("waits for a future that belongs to the body of a fork, method, "
                                  "branch or loop, outside of it; let it be part of the result",
                                  at));
  return it->second;
}

/// A future that is done; `value` stands for it, unless nothing is recorded.
Ref<FutureState> Recorder::futureWith(const Operand& result, Value* value) {
  auto state = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
  futures_[state.get()] = result;
  if (value)
    define(state, value);
  else
    alive_.push_back(state);
  state->complete(result.value);
  return state;
}

Ref<FutureState> Recorder::fork(llvm::ArrayRef<std::string> parameters,
                                llvm::ArrayRef<Operand> operands, Body body, Where at) {
  if (muted_) return futureWith(body(operands), nullptr);
  nameOperands(parameters, operands);
  FrameScope frame(*this, Frame::Kind::Fork);
  const Operand result = body(operands);
  if (!result.value.isNone()) frame->graph->addOutput(valueOf(result, nullptr, at));
  const Type* type = futureOf(*context_, typeOfOperand(result));
  finish(*frame);
  const std::unique_ptr<Frame> done = frame.pop();
  llvm::SmallVector<Value*, 4> inputs;
  for (const auto& [outer, inner] : done->captured) inputs.push_back(outer);
  Value* future = builder(at, false, false).fork(std::move(done->graph), inputs);
  future->setType(type); // what a method returns is plain in the body, and refined outside
  keep(future->node());
  return futureWith(result, future);
}

Operand Recorder::wait(const Ref<FutureState>& future, Where at) {
  const Operand held = heldBy(future, at);
  if (muted_) return held;
  Value* result = builder(at, false).wait(find(future.get()));
  keep(result->node());
  return adopt(result, held, Source::Call, at);
}

Operand Recorder::wait(const Ref<FutureState>& future, double seconds, Where at) {
  const Operand held = heldBy(future, at);
  if (muted_) return held;
  Builder b = builder(at, false);
  Value* value = find(future.get());
  Value* result =
      b.call("tine::wait_timeout", {value, b.constant(seconds)}, value->type()->element());
  keep(result->node());
  return adopt(result, held, Source::Call, at);
}

Ref<FutureState> Recorder::then(const Ref<FutureState>& future, llvm::StringRef name, Body body,
                                Where at) {
  const Operand held = heldBy(future, at);
  const auto flat = [&](const Operand& result) {
    return result.value.isFuture() ? heldBy(result.value.toFuture(), at) : result;
  };
  if (muted_) return futureWith(flat(body(held)), nullptr);
  Value* source = find(future.get());
  FrameScope frame(*this, Frame::Kind::Callback);
  Value* input = frame->graph->addInput("", source->type()->element());
  frame->numFixed = 1;
  const Operand result = body(adopt(input, held, Source::Call, at));
  Value* output = valueOf(result, nullptr, at);
  frame->graph->addOutput(output);
  const Type* type =
      result.value.isFuture() ? output->type() : futureOf(*context_, typeOfOperand(result));
  const Operand flattened = flat(result);
  finish(*frame);
  const std::unique_ptr<Frame> done = frame.pop();
  const std::string function = freeFunction(name);
  methods_.push_back({function, std::move(done->graph)});
  Builder b = builder(at, false, false);
  llvm::SmallVector<Value*, 4> inputs{source, b.functionConstant(function)};
  for (const auto& [outer, inner] : done->captured) inputs.push_back(outer);
  Value* value = b.call("tine::then", inputs, type);
  keep(value->node());
  return futureWith(flattened, value);
}

/// Without refinement, since at another time it may be another future that is the first, and
/// another size.
Value* Recorder::listOfFutures(llvm::ArrayRef<Ref<FutureState>> futures, Where at) {
  llvm::SmallVector<Value*, 8> values;
  for (const Ref<FutureState>& future : futures) values.push_back(find(future.get()));
  const Type* element =
      futures.empty() ? Type::AnyType() : plainType(*context_, heldBy(futures.front(), at));
  return builder(at, false).list(futureOf(*context_, element), values);
}

Ref<FutureState> Recorder::collectAll(llvm::ArrayRef<Ref<FutureState>> futures, bool settle,
                                      Where at) {
  std::vector<Operand> results;
  for (const Ref<FutureState>& future : futures) {
    Operand held = heldBy(future, at);
    results.push_back(settle ? Operand(IValue(future)) : std::move(held));
  }
  const Operand all = Operand::list(std::move(results));
  if (muted_) return futureWith(all, nullptr);
  Value* list = listOfFutures(futures, at);
  const Type* item = list->type()->element();
  const Type* type = listOf(*context_, settle ? item : item->element());
  return futureWith(all, builder(at, false, false)
                             .call(settle ? "tine::collect_all_settle" : "tine::collect_all", list,
                                   futureOf(*context_, type)));
}

void Recorder::cancel(const Ref<FutureState>& future, Where at) {
  heldBy(future, at);
  if (muted_) return;
  keep(builder(at, false).node("tine::cancel", {find(future.get())}, {}));
}

Ref<FutureState> Recorder::any(llvm::ArrayRef<Ref<FutureState>> futures, Where at) {
  for (const Ref<FutureState>& future : futures) heldBy(future, at);
  const Operand first = renewed(heldBy(futures.front(), at), at);
  if (muted_) return futureWith(first, nullptr);
  Value* list = listOfFutures(futures, at);
  return futureWith(first,
                    builder(at, false, false).call("tine::any", list, list->type()->element()));
}

} // namespace tine
