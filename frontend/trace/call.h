#pragma once

#include "frontend/trace/boxing.h"
#include "llvm/ADT/SmallVector.h"
#include "ops/ops.h"

namespace tine {

using OperandList = llvm::SmallVector<Operand, 4>;
using Results = llvm::SmallVector<Operand, 1>;

/// Calls an operator: runs its kernel and, in a trace, records a node. Missing trailing operands
/// are the schema's defaults; numbers become tensors, floats or lists of one where these are
/// wanted. \errors what the kernel raises, with the place of the call; TypeError, TraceError
Results callOperator(const OpInfo& op, OperandList operands, Where at);
/// The same, with the overload that fits the operands. \errors also SchemaError
Results callOperator(llvm::StringRef name, OperandList operands, Where at);

/// The kernel alone. \errors what it raises, with the place of the call
llvm::SmallVector<IValue, 1> runKernel(const OpInfo& op, llvm::MutableArrayRef<Operand> operands,
                                       Where at);
/// Where the operand, or an item of it, was made by a trace that is still active; null otherwise.
const Where* madeAt(const Operand& operand);
/// The type of an operand without refinement, found without reading a tensor.
const Type* plainType(Context& context, const Operand& operand);

} // namespace tine
