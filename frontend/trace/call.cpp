#include "frontend/trace/call.h"

#include "frontend/trace/recorder.h"
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
  if (operands.size() > arguments.size())
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
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand& operand = operands[i];
    const Type* type = arguments[i].type;
    if (!operand.value.isNumber()) continue;
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
      const Tag tag = operand.value.tag();
      operand = Operand::list({operand}, tag);
    } else if (type->is(TypeKind::Float) && operand.value.isInt() && !operand.made) {
      operand = Operand(IValue(static_cast<double>(operand.value.toInt())));
    }
  }
}
} // namespace

const Type* plainType(Context& context, const Operand& operand) {
  const IValue& value = operand.value;
  if (value.isTensor()) return Type::tensorType();
  if (value.isTuple()) {
    llvm::SmallVector<const Type*, 4> items;
    for (const Operand& item : operand.items) items.push_back(plainType(context, item));
    return tupleOf(context, items);
  }
  if (!value.isList()) return typeOf(context, value);
  switch (operand.element) {
  case Tag::Int:
    return listOf(context, Type::intType());
  case Tag::Double:
    return listOf(context, Type::floatType());
  case Tag::Bool:
    return listOf(context, Type::boolType());
  case Tag::String:
    return listOf(context, Type::strType());
  case Tag::List:
  case Tag::Tuple:
  case Tag::Future:
    return listOf(context, operand.items.empty() ? Type::AnyType()
                                                 : plainType(context, operand.items.front()));
  case Tag::Tensor:
    return listOf(context, Type::tensorType());
  case Tag::None:
  case Tag::Device:
  case Tag::Function:
  case Tag::Uninitialized:
  case Tag::Complex:
  case Tag::Dict:
  case Tag::Object:
  case Tag::RRef:
    break;
  }
  return listOf(context, Type::AnyType());
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
  Results results;
  for (const IValue& value : runKernel(op, operands, at)) results.push_back(Operand::of(value));
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
