#include "frontend/trace/call.h"

#include "frontend/trace/frame.h"
#include "ir/builder.h"

namespace tine {

namespace {
bool isTensorType(const Type* type) {
  return type->is(TypeKind::Tensor) ||
         (type->is(TypeKind::Optional) && type->element()->is(TypeKind::Tensor));
}

/// Fits the operands to the schema: fills in defaults, turns numbers into tensors, floats and lists
/// of one where these are wanted.
void fit(const OpInfo& op, OperandList& operands, Where at) {
  const auto& arguments = op.schema.arguments;
  if (operands.size() > arguments.size() && !op.schema.varargs)
    throw RuntimeError(Error(error_kind::Type,
                             op.schema.name + " takes " + std::to_string(arguments.size()) +
                                 " arguments, not " + std::to_string(operands.size()) + ": " +
                                 op.schema.str(),
                             placeOf(at)));
  for (std::size_t i = operands.size(); i < arguments.size(); ++i) {
    if (!arguments[i].defaultValue)
      throw RuntimeError(
          Error(error_kind::Type,
                op.schema.name + " misses argument '" + arguments[i].name + "': " + op.schema.str(),
                placeOf(at)));
    operands.push_back(Operand::of(*arguments[i].defaultValue));
  }
  for (std::size_t i = 0; i < std::min(operands.size(), arguments.size()); ++i) {
    Operand& operand = operands[i];
    const Type* type = arguments[i].type;
    if (!operand.value.isNumber()) continue;
    if (type->is(TypeKind::Optional)) type = type->element();
    if (isTensorType(type)) {
      if (operand.made && operand.made->recorder && Recorder::active())
        operand = Operand(Recorder::active()->numberToTensor(operand, at));
      else if (operand.value.isInt())
        operand = Operand(Tensor::scalar(operand.value.toInt(), DType::Int64, true));
      else if (operand.value.isBool())
        operand = Operand(Tensor::scalar(std::int64_t{operand.value.toBool()}, DType::Bool, true));
      else
        operand = Operand(Tensor::scalar(operand.value.toDouble(), DType::Float64, true));
    } else if (type->is(TypeKind::List)) {
      operand = Operand::list({operand});
    } else if (type->is(TypeKind::Float) && operand.value.isInt()) {
      operand = operand.made ? callOperator("aten::Float", {operand}, at)[0]
                             : Operand(IValue(static_cast<double>(operand.value.toInt())));
    }
  }
}
/// Types of C++ containers of anything, which do not say what is in them.
bool holdsAny(const Type* type) {
  return type->is(TypeKind::Any) || llvm::any_of(type->elements(), holdsAny);
}
} // namespace

const Where* madeAt(const Operand& operand) {
  if (operand.made && operand.made->recorder) return &operand.made->where;
  if (operand.value.isTensor()) return Recorder::markedAt(operand.value.asTensor());
  for (const Operand& item : operand.items)
    if (const Where* where = madeAt(item)) return where;
  return nullptr;
}

const Type* plainType(Context& context, const Operand& operand) {
  const IValue& value = operand.value;
  if (value.isTensor()) return Type::tensorType();
  if (!operand.isContainer()) return typeOf(context, value);
  if (operand.type)
    if (const Type* type = operand.type(context); !holdsAny(type)) return type;
  if (operand.items.empty() && operand.size()) return plainType(context, Operand::of(value));
  llvm::SmallVector<const Type*, 4> items;
  for (const Operand& item : operand.items) items.push_back(plainType(context, item));
  if (value.isTuple()) return tupleOf(context, items);
  const bool isUniform =
      !items.empty() && llvm::all_equal(items) && !items[0]->is(TypeKind::Future);
  const Type* item = isUniform ? items[0] : Type::AnyType();
  if (value.isList()) return listOf(context, item);
  const Type* key = value.toDict().items.empty() ? Type::strType()
                                                 : typeOf(context, value.toDict().items[0].first);
  return dictOf(context, key, item);
}

llvm::SmallVector<IValue, 1> runKernel(const OpInfo& op, llvm::MutableArrayRef<Operand> operands,
                                       Where at) {
  if (!op.kernel)
    throw RuntimeError(
        Error(error_kind::NotImplemented, op.schema.name + " has no kernel", placeOf(at)));
  llvm::SmallVector<IValue, 1> results(op.schema.results.size());
  llvm::SmallVector<IValue*, 6> in;
  llvm::SmallVector<IValue*, 2> out;
  for (Operand& operand : operands) in.push_back(&operand.value);
  for (IValue& v : results) out.push_back(&v);
  try {
    op.kernel(KernelCall(in.data(), static_cast<std::uint32_t>(in.size()), out.data(),
                         static_cast<std::uint32_t>(out.size())));
  } catch (const RuntimeError& e) {
    if (e.error().place.known()) throw;
    Error error = e.error();
    error.place = placeOf(at);
    throw RuntimeError(std::move(error));
  }
  return results;
}

Results callOperator(const OpInfo& op, OperandList operands, Where at) {
  fit(op, operands, at);
  if (Recorder* recorder = Recorder::active()) return recorder->call(op, operands, at);
  for (const Operand& operand : operands)
    if (const Where* where = madeAt(operand))
      throw RuntimeError(
          traceError("what a trace computes is used where the trace does not see it, "
                     "on another thread or in an operator",
                     *where)
              .note("used here", placeOf(at)));
  Results results;
  for (IValue& value : runKernel(op, operands, at)) results.push_back(Operand(std::move(value)));
  return results;
}

Results callOperator(llvm::StringRef name, OperandList operands, Where at) {
  Recorder* recorder = Recorder::active();
  const std::shared_ptr<const OpSet> builtin = recorder ? nullptr : OpSet::sharedBuiltin();
  const OpSet& ops = recorder ? recorder->ops() : *builtin;
  llvm::SmallVector<const Type*, 6> types;
  for (const Operand& operand : operands) types.push_back(plainType(ops.context(), operand));
  Result<const OpInfo*> op = resolve(ops, name, "", types);
  if (!op) {
    Error error = op.error();
    if (!error.place.known()) error.place = placeOf(at);
    throw RuntimeError(std::move(error));
  }
  return callOperator(**op, std::move(operands), at);
}

} // namespace tine
