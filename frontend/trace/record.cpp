#include "frontend/trace/frame.h"

// What operators, methods and reading a number become in the graph.

namespace tine {

namespace {
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

bool isWritten(const OpInfo& op, std::size_t argument) {
  return argument < op.schema.arguments.size() && op.schema.arguments[argument].written;
}
/// The operand that an in-place operator changes and gives back, or null.
const Operand* changedOperand(const OpInfo& op, llvm::ArrayRef<Operand> operands) {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (isWritten(op, i) && operands[i].value.isTensor()) return &operands[i];
  return nullptr;
}

/// Something of the type, of which nothing is known; nothing when its structure would matter.
std::optional<IValue> anyOf(const Type* type) {
  if (type->is(TypeKind::Optional)) type = type->element();
  if (type->is(TypeKind::Tensor)) return IValue(Tensor::empty({0}));
  if (type->is(TypeKind::Int) || type->is(TypeKind::Number)) return IValue(0);
  if (type->is(TypeKind::Float)) return IValue(0.0);
  if (type->is(TypeKind::Bool)) return IValue(false);
  if (type->is(TypeKind::Str)) return IValue("");
  if (type->is(TypeKind::None)) return IValue();
  return std::nullopt;
}
} // namespace

/// A tensor of the module gets its bytes back after the trace; a constant must not be written.
void Recorder::beforeWrite(const OpInfo& op, const Tensor& tensor, Where at) {
  const Storage* storage = tensor.impl()->storage;
  if (tree_ && tree_->holdsStorage(storage))
    written_.save(tensor);
  else if (constants_.contains(storage) || !tensor.impl()->mark)
    throw RuntimeError(traceError(
        op.schema.name + " writes a tensor from outside the trace, which the graph holds as a "
                         "constant: make it an input, or register it in the module",
        at));
  if (untaken_) untaken_->save(tensor);
}

Results Recorder::call(const OpInfo& op, llvm::MutableArrayRef<Operand> operands, Where at) {
  llvm::SmallVector<Value*, 6> inputs;
  const auto& arguments = op.schema.arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (isWritten(op, i) && operands[i].value.isTensor())
      beforeWrite(op, operands[i].value.asTensor(), at);
    if (!muted_)
      inputs.push_back(
          valueOf(operands[i], i < arguments.size() ? arguments[i].type : nullptr, at));
  }
  if (untaken_ && (op.effects.external || llvm::any_of(operands, isUnknown)))
    return unknownCall(op, operands, inputs, nullptr, at);
  llvm::SmallVector<IValue, 1> values;
  llvm::SmallVector<const Type*, 2> types;
  try {
    const Pause pause;
    const Unmarked unmarked(operands);
    values = runKernel(op, operands, at);
    if (!muted_)
      for (const IValue& value : values)
        types.push_back(value.isTensor()
                            ? typeOfResult(*context_, value.asTensor(), operands, inputs)
                            : nullptr);
  } catch (const RuntimeError& e) {
    if (!untaken_ || e.kind() == error_kind::Trace) throw;
    return unknownCall(op, operands, inputs, &e.error(), at);
  }
  const Operand* changed = changedOperand(op, operands);
  Results results;
  for (const IValue& value : values) {
    const bool same =
        changed && value.isTensor() && changed->value.asTensor().impl() == value.asTensor().impl();
    results.push_back(same     ? Operand(value)
                      : muted_ ? markedAll(value, at)
                               : tracedResult(value, operands, at));
  }
  return muted_ ? results : addNode(op, inputs, std::move(results), types, at);
}

/// The node of a call, whose results stand for its outputs.
Results Recorder::addNode(const OpInfo& op, llvm::ArrayRef<Value*> inputs, Results results,
                          llvm::MutableArrayRef<const Type*> types, Where at) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!types[i]) types[i] = typeOfOperand(results[i]);
  Node* node = builder(at).node(op.schema.name, inputs, types);
  if (!op.schema.overload.empty()) node->setOverload(context_->symbol(op.schema.overload));
  if (op.effects.mustExecute()) keep(node);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (op.schema.results[i].type->is(TypeKind::Optional))
      requireNone(node->output(i), results[i].value.isNone(), at);
    results[i] = adopt(node->output(i), results[i], Source::Operator, at);
  }
  return results;
}

/// A call that cannot be made, in code that the example does not reach.
Results Recorder::unknownCall(const OpInfo& op, llvm::ArrayRef<Operand> operands,
                              llvm::ArrayRef<Value*> inputs, const Error* why, Where at) {
  llvm::SmallVector<const Type*, 6> from;
  for (const Value* input : inputs) from.push_back(input->type());
  llvm::SmallVector<const Type*, 2> types = resultTypes(*context_, op, from);
  const Operand* changed = changedOperand(op, operands);
  Results results;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (changed && types[i]->is(TypeKind::Tensor)) {
      results.push_back(*changed);
      continue;
    }
    const std::optional<IValue> value = anyOf(types[i]);
    if (!value) {
      Error error = traceError("in a side of cond(...) or a body of loop(...) that the example "
                               "does not reach, " +
                                   op.schema.name +
                                   " cannot tell how much it gives: trace with "
                                   "an example that does",
                               at);
      throw RuntimeError(why ? std::move(error).note(why->message, why->place) : std::move(error));
    }
    results.push_back(traced(*value, at, true));
  }
  return addNode(op, inputs, std::move(results), types, at);
}

Tensor Recorder::numberToTensor(const Operand& number, Where at) {
  const IValue& value = number.value;
  const Tensor tensor = value.isDouble() ? Tensor::scalar(value.toDouble(), DType::Float64)
                        : value.isBool() ? Tensor::scalar(std::int64_t{value.toBool()}, DType::Bool)
                                         : Tensor::scalar(value.toInt(), DType::Int64);
  TensorInfo info = typeOfTensor(*context_, tensor)->tensor();
  info.requiresGrad = std::nullopt;
  mark(tensor, at, isUnknown(number));
  if (!muted_)
    define(tensor, builder(at, false).call("prim::NumToTensor", valueOf(number, nullptr, at),
                                           tensorOf(*context_, info)));
  return tensor;
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
  keep(returned->node());
  return adopt(returned, result, Source::Call, at);
}

// ---- guards -------------------------------------------------------------------------------------

/// `prim::If` that raises when `wrong` is true.
void Recorder::raiseIf(Value* wrong, const std::string& message, Where at) {
  Node* check = builder(at).ifNode(wrong, {});
  FrameScope frame(*this, Frame::Kind::Block, check->blocks()[0]);
  Builder b = builder(at);
  keep(b.node("prim::RaiseException", {b.constant(message), b.constant(IValue())}, {}));
  frame.pop();
}

/// The graph fails when a result that may be None is not what it is now.
void Recorder::requireNone(Value* value, bool isNone, Where at) {
  Builder b = builder(at, false);
  raiseIf(b.call(isNone ? "aten::__isnot__" : "aten::__is__", {value, b.constant(IValue())},
                 Type::boolType()),
          isNone ? "traced for None, which is a value now"
                 : "traced for a value, which is None now",
          at);
}

/// The graph fails when a dict has other keys than now: each is fetched, and their number is
/// compared.
void Recorder::requireKeys(Value* dict, const Dict& now, Where at) {
  Builder b = builder(at, false);
  Value* length = b.call("aten::len", dict, Type::intType());
  Value* differs =
      b.call("aten::ne", {length, b.constant(static_cast<std::int64_t>(now.items.size()))},
             Type::boolType());
  std::string keys;
  for (const auto& [key, value] : now.items) keys += (keys.empty() ? "" : ", ") + key.str();
  raiseIf(differs, "traced for a dict with the keys " + keys + ", and now there are others", at);
}

/// Without leave to specialise a TraceError.
void Recorder::readMade(const std::shared_ptr<detail::Made>& made, const IValue& value) {
  if (made->recorder != active())
    throw RuntimeError(
        traceError("a number of a trace is read where the trace does not see it, on another thread",
                   made->where));
  if (!options_.specialise || made->unknown)
    throw RuntimeError(traceError(
        made->unknown
            ? "the value that comes from here is read in C++, in code that the example does not "
              "reach: it is not known"
        : value.isBool()
            ? "the bool that comes from here decides a C++ branch, and the graph would hold the "
              "side that was taken: use cond(...), & and |, or trace with specialise"
        : value.isString()
            ? "the string that comes from here is read in C++, and the graph would hold a "
              "constant: take it as an Operand, or trace with specialise"
            : "the number that comes from here is read as a C++ number, and the graph would hold "
              "a constant: keep it an Int or Float, use loop(...), or trace with specialise",
        made->where));
  if (muted_) return;
  const Where at = made->where;
  const Operand number(value, made);
  Operand differs = callOperator("aten::ne", OperandList{number, Operand(value)}, at)[0];
  raiseIf(valueOf(differs, nullptr, at),
          "traced for " + value.str() + ", which " + placeOf(at).str() + " gives no longer", at);
}

} // namespace tine
