#include "frontend/trace/frame.h"
#include "llvm/ADT/ScopeExit.h"

// What each thing that C++ does becomes in the graph.

namespace tine {

namespace {
/// The same elements under an address of their own.
Tensor viewOf(const Tensor& tensor) {
  return tensor.asStrided(tensor.sizes(), tensor.strides(), tensor.offset());
}

/// The type of a result: an operand's when it is the same, which is cheaper than looking it up.
const Type* typeOfResult(Context& context, const Tensor& tensor, llvm::ArrayRef<Operand> operands,
                         llvm::ArrayRef<Value*> values) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].value.isTensor()) continue;
    const Tensor& other = operands[i].value.asTensor();
    const TensorInfo& info = values[i]->type()->tensor();
    if (info.hasStrides && info.requiresGrad && other.dtype() == tensor.dtype() &&
        other.sizes() == tensor.sizes() && other.strides() == tensor.strides())
      return values[i]->type();
  }
  return typeOfTensor(context, tensor);
}

/// The tensors, numbers and so on of a result, from left to right.
void addLeaves(const Operand& operand, std::vector<const Operand*>& leaves) {
  if (!operand.value.isTuple()) return leaves.push_back(&operand);
  for (const Operand& item : operand.items) addLeaves(item, leaves);
}
std::vector<const Operand*> leavesOf(const Operand& operand) {
  std::vector<const Operand*> leaves;
  if (!operand.value.isNone()) addLeaves(operand, leaves);
  return leaves;
}

/// The same structure with other leaves.
Operand mapLeaves(const Operand& operand, llvm::function_ref<Operand(const Operand&)> f) {
  if (operand.value.isNone()) return operand;
  if (!operand.value.isTuple()) return f(operand);
  std::vector<Operand> items;
  for (const Operand& item : operand.items) items.push_back(mapLeaves(item, f));
  return Operand::tuple(std::move(items));
}

/// `(Tensor, int)`: kinds without sizes, which the two sides of a branch must share.
std::string shapeOf(const Operand& operand) {
  if (!operand.value.isTuple()) return name(operand.value.tag()).str();
  std::string out = "(";
  for (const Operand& item : operand.items) out += (out.size() > 1 ? ", " : "") + shapeOf(item);
  return out + ")";
}

/// A type that both are.
const Type* joined(const Type* a, const Type* b) {
  return a == b ? a : a->is(TypeKind::Tensor) ? Type::tensorType() : Type::AnyType();
}
} // namespace

/// A tensor of the module gets its bytes back after the trace; a constant must not be written.
void Recorder::beforeWrite(const OpInfo& op, const Tensor& tensor, Where at) {
  const Storage* storage = tensor.impl()->storage;
  if (tree_ && tree_->holdsStorage(storage)) {
    if (llvm::any_of(written_,
                     [&](const Written& w) { return w.tensor.impl()->storage == storage; }))
      return;
    written_.push_back({tensor, {storage->data, storage->data + storage->bytes}});
  } else if (constants_.contains(storage) || !tensor.impl()->mark) {
    throw RuntimeError(traceError(
        op.schema.name + " writes a tensor from outside the trace, which the graph holds as a "
                         "constant: make it an input, or register it in the module",
        at));
  }
}

Results Recorder::call(const OpInfo& op, llvm::MutableArrayRef<Operand> operands, Where at) {
  llvm::SmallVector<Value*, 6> inputs;
  const auto& arguments = op.schema.arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (arguments[i].written && operands[i].value.isTensor())
      beforeWrite(op, operands[i].value.asTensor(), at);
    if (!muted_) inputs.push_back(valueOf(operands[i], arguments[i].type, at));
  }
  llvm::SmallVector<IValue, 1> values;
  llvm::SmallVector<const Type*, 2> types;
  {
    const Pause pause;
    const Unmarked unmarked(operands);
    values = runKernel(op, operands, at);
    if (!muted_)
      for (const IValue& value : values)
        types.push_back(value.isTensor()
                            ? typeOfResult(*context_, value.asTensor(), operands, inputs)
                            : nullptr);
  }
  const auto isOperand = [&](const IValue& value) {
    return value.isTensor() && llvm::any_of(operands, [&](const Operand& o) {
             return o.value.isTensor() && o.value.asTensor().impl() == value.asTensor().impl();
           });
  };
  Results results;
  if (muted_) {
    for (const IValue& value : values) {
      forEachTensor(value, [&](const Tensor& tensor) {
        if (!isOperand(tensor)) mark(tensor, at);
      });
      results.push_back(Operand::of(value));
    }
    return results;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    results.push_back(isOperand(values[i]) ? Operand(values[i]) : traced(values[i], at));
    if (!types[i]) types[i] = typeOfOperand(results.back());
  }
  Node* node = builder(at).node(op.schema.name, inputs, types);
  if (!op.schema.overload.empty()) node->setOverload(context_->symbol(op.schema.overload));
  if (op.effects.mustExecute()) mustStay_.insert(node);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = adopt(node->output(i), results[i], at, true);
  return results;
}

Tensor Recorder::numberToTensor(const Operand& number, Where at) {
  const IValue& value = number.value;
  const Tensor tensor = value.isDouble() ? Tensor::scalar(value.toDouble(), DType::Float64)
                        : value.isBool() ? Tensor::scalar(std::int64_t{value.toBool()}, DType::Bool)
                                         : Tensor::scalar(value.toInt(), DType::Int64);
  TensorInfo info = typeOfTensor(*context_, tensor)->tensor();
  info.requiresGrad = std::nullopt;
  mark(tensor, at);
  if (!muted_)
    define(tensor, builder(at, false).call("prim::NumToTensor", valueOf(number, nullptr, at),
                                           tensorOf(*context_, info)));
  return tensor;
}

// ---- futures ------------------------------------------------------------------------------------

/// What the future will hold. \errors TraceError when the trace did not make it
Operand Recorder::heldBy(const Ref<FutureState>& future, Where at) {
  const auto it = futures_.find(future.get());
  if (it != futures_.end() && (muted_ || find(future.get()))) return it->second;
  throw RuntimeError(traceError("waits for a future from outside the trace, whose result would "
                                "be a constant of the graph",
                                at));
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
  mustStay_.insert(future->node());
  return futureWith(result, future);
}

Operand Recorder::wait(const Ref<FutureState>& future, Where at) {
  const Operand held = heldBy(future, at);
  if (muted_) return held;
  Value* result = builder(at, false).wait(find(future.get()));
  mustStay_.insert(result->node());
  return adopt(result, held, at);
}

Operand Recorder::wait(const Ref<FutureState>& future, double seconds, Where at) {
  const Operand held = heldBy(future, at);
  if (muted_) return held;
  Builder b = builder(at, false);
  Value* value = find(future.get());
  Value* result =
      b.call("tine::wait_timeout", {value, b.constant(seconds)}, value->type()->element());
  mustStay_.insert(result->node());
  return adopt(result, held, at);
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
  const Operand result = body(adopt(input, held, at));
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
  mustStay_.insert(value->node());
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
  const Tag tag = results.empty() ? Tag::None : results.front().value.tag();
  const Operand all = Operand::list(std::move(results), tag);
  if (muted_) return futureWith(all, nullptr);
  Value* list = listOfFutures(futures, at);
  const Type* item = list->type()->element();
  const Type* type = listOf(*context_, settle ? item : item->element());
  return futureWith(all, builder(at, false, false)
                             .call(settle ? "tine::collect_all_settle" : "tine::collect_all", list,
                                   futureOf(*context_, type)));
}

Ref<FutureState> Recorder::any(llvm::ArrayRef<Ref<FutureState>> futures, Where at) {
  for (const Ref<FutureState>& future : futures) heldBy(future, at);
  const Operand first = renewed(heldBy(futures.front(), at), at);
  if (muted_) return futureWith(first, nullptr);
  Value* list = listOfFutures(futures, at);
  return futureWith(first,
                    builder(at, false, false).call("tine::any", list, list->type()->element()));
}

Operand Recorder::callMethod(const Module& module, llvm::ArrayRef<std::string> parameters,
                             llvm::ArrayRef<Operand> operands, Body body, Where at) {
  const ModuleTree::Part* part = tree_ ? tree_->find(&module) : nullptr;
  if (!part || !part->parent || muted_) return body(operands);
  nameOperands(parameters, operands);
  const Type* type = classOf(*context_, part->className);
  FrameScope frame(*this, Frame::Kind::Method);
  frame->part = part;
  frame->self = frame->graph->addInput("self", type);
  frame->numFixed = 1;
  const std::string scope =
      (frame->scope.empty() ? "" : frame->scope.str().str() + "/") + "__module." + part->path;
  frame->scope = context_->symbol(scope);
  const Operand result = body(operands);
  frame->graph->addOutput(valueOf(result, nullptr, at));
  finish(*frame);
  const std::unique_ptr<Frame> done = frame.pop();

  int& calls = calls_[part->className];
  const std::string method = "forward" + (calls ? std::to_string(calls) : "");
  ++calls;
  methods_.push_back({part->className + "." + method, std::move(done->graph)});
  llvm::SmallVector<Value*, 4> inputs{find(&module)};
  for (const auto& [outer, inner] : done->captured) inputs.push_back(outer);
  Builder b = builder(at, false, false);
  Value* returned = b.call("prim::CallMethod", inputs, plainType(*context_, result));
  returned->node()->attributes().setString(context_->symbol(Builtin::Name), method);
  mustStay_.insert(returned->node());
  return adopt(returned, result, at);
}

/// Runs a body whose nodes go into a block, and adds its results, leaf by leaf, as the block's
/// outputs.
Operand Recorder::inBlock(Block* block, Body body, llvm::ArrayRef<Operand> operands, Where at) {
  FrameScope frame(*this, Frame::Kind::Block, block);
  const Operand result = body(operands);
  for (const Operand* leaf : leavesOf(result)) block->addOutput(valueOf(*leaf, nullptr, at));
  return result;
}

/// The same in this run, but under addresses of its own, as at another time it may be another: what
/// one of several bodies or futures gives.
Operand Recorder::renewed(const Operand& operand, Where at) {
  const IValue& value = operand.value;
  if (value.isNumber()) return traced(value, at);
  if (value.isFuture() && futures_.count(value.toFuture().get()))
    return Operand(IValue(futureWith(futures_.lookup(value.toFuture().get()), nullptr)));
  if (value.isTensor()) {
    const Unmarked unmarked(operand);
    const Tensor view = viewOf(value.asTensor());
    mark(view, at);
    return Operand(view);
  }
  if (!value.isTuple() && !value.isList()) return operand;
  std::vector<Operand> items;
  for (const Operand& item : operand.items) items.push_back(renewed(item, at));
  return value.isTuple() ? Operand::tuple(std::move(items))
                         : Operand::list(std::move(items), operand.element);
}

/// What a node with blocks gives: like `result`, bound to the node's outputs.
Operand Recorder::bindLeaves(const Operand& result, Node* node, Where at) {
  std::size_t next = 0;
  return mapLeaves(renewed(result, at),
                   [&](const Operand& leaf) { return adopt(node->output(next++), leaf, at); });
}

Operand Recorder::branch(const Operand& condition, Body then, Body otherwise, Where at) {
  const bool taken = condition.value.toBool();
  if (muted_) return taken ? then({}) : otherwise({});
  Node* node = builder(at, false).ifNode(valueOf(condition, nullptr, at), {});
  const Operand first = inBlock(node->blocks()[0], then, {}, at);
  const Operand second = inBlock(node->blocks()[1], otherwise, {}, at);
  const auto outputs = node->blocks()[0]->outputs(), others = node->blocks()[1]->outputs();
  if (shapeOf(first) != shapeOf(second))
    throw RuntimeError(traceError("the sides of cond(...) give different kinds of result: " +
                                      shapeOf(first) + " and " + shapeOf(second),
                                  at));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    node->addOutput(joined(outputs[i]->type(), others[i]->type()));
  return bindLeaves(taken ? first : second, node, at);
}

Operand Recorder::loop(const Operand& trips, const Operand& state, Body body, Where at) {
  const std::int64_t count = trips.value.toInt();
  const auto later = [&](Operand now, std::int64_t from) {
    for (std::int64_t i = from; i < count; ++i) now = body({Operand(IValue(i)), now});
    return now;
  };
  if (muted_) return later(state, 0);
  Value* max = valueOf(trips, nullptr, at);
  llvm::SmallVector<Value*, 4> carried;
  for (const Operand* leaf : leavesOf(state)) carried.push_back(valueOf(*leaf, nullptr, at));
  Builder b = builder(at, false);
  Value* always = b.constant(true);
  Node* node = b.loopNode(max, always, carried);
  Block* block = node->blocks()[0];
  const auto widen = [](Value* value) {
    if (value->type()->is(TypeKind::Tensor)) value->setType(Type::tensorType());
  };
  llvm::for_each(block->inputs(), widen);
  llvm::for_each(node->outputs(), widen);
  block->addOutput(Builder(block).constant(true));
  // The first trip is recorded; the others only run, for the example's sake.
  const Operand next = inBlock(
      block,
      [&](llvm::ArrayRef<Operand>) {
        const Operand trip = adopt(block->inputs()[0], traced(IValue(std::int64_t{0}), at), at);
        std::size_t input = 1;
        const Operand inside = mapLeaves(state, [&](const Operand& leaf) {
          Operand own = leaf.value.isNumber() ? traced(leaf.value, at) : leaf;
          if (leaf.value.isTensor()) {
            const Unmarked unmarked(leaf);
            own = Operand(viewOf(leaf.value.asTensor()));
            mark(own.value.asTensor(), at);
          }
          return adopt(block->inputs()[input++], own, at);
        });
        return body({trip, inside});
      },
      {}, at);
  if (shapeOf(next) != shapeOf(state))
    throw RuntimeError(traceError("the body of loop(...) turns a state of " + shapeOf(state) +
                                      " into one of " + shapeOf(next),
                                  at));
  Operand last = count == 0 ? state : next;
  if (count > 1) {
    muted_ = true;
    const auto unmute = llvm::make_scope_exit([&] { muted_ = false; });
    last = later(next, 1);
  }
  return bindLeaves(last, node, at);
}

/// `prim::If` that raises when the number differs from the example's; without leave to specialise a
/// TraceError.
void Recorder::readMade(const std::shared_ptr<detail::Made>& made, const IValue& value) {
  if (!options_.specialise)
    throw RuntimeError(traceError(
        value.isBool()
            ? "the bool that comes from here decides a C++ branch, and the graph would hold the "
              "side "
              "that was taken: use cond(...), or trace with specialise"
            : "the number that comes from here is read as a C++ number, and the graph would hold a "
              "constant: keep it an Int or Float, or trace with specialise",
        made->where));
  if (muted_) return;
  const Where at = made->where;
  const Operand number(value, made);
  Operand differs = callOperator("aten::ne", OperandList{number, Operand(value)}, at)[0];
  Node* check = builder(at).ifNode(valueOf(differs, nullptr, at), {});
  FrameScope frame(*this, Frame::Kind::Block, check->blocks()[0]);
  Builder b = builder(at);
  Value* message =
      b.constant("traced for " + value.str() + ", which " + placeOf(at).str() + " gives no longer");
  mustStay_.insert(b.node("prim::RaiseException", {message, b.constant(IValue())}, {}));
}

} // namespace tine
