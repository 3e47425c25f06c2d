#include "frontend/trace/functions.h"

namespace tine {

namespace {
struct Row {
  int line;
  const char* name;
  const char* overload;
};
const Row rows[] = {
#define TINE_FUNCTION(result, function, op, overload, parameters, ...) {__LINE__, op, overload},
#include "frontend/trace/functions.def"
};

/// The rows' operators in one set, by line.
class Functions {
public:
  explicit Functions(const OpSet& ops) {
    for (const Row& row : rows) {
      infos_.resize(static_cast<std::size_t>(row.line) + 1, nullptr);
      infos_.back() = ops.find(row.name, row.overload);
    }
  }
  const OpInfo* operator[](int line) const { return infos_[static_cast<std::size_t>(line)]; }

private:
  std::vector<const OpInfo*> infos_;
};

const OpInfo* builtinFunction(int line) {
  static const std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin(); // never changes
  static const Functions functions(*ops);
  return functions[line];
}
} // namespace

namespace detail {
Results callFunction(int line, Where at, OperandList operands) {
  const OpInfo* op = builtinFunction(line);
  if (!op) {
    const Row* row = llvm::find_if(rows, [&](const Row& r) { return r.line == line; });
    throw RuntimeError(Error(error_kind::NotImplemented,
                             std::string(row->name) + "." + row->overload +
                                 " is not among the operators of this build",
                             placeOf(at)));
  }
  return callOperator(*op, std::move(operands), at);
}
} // namespace detail

Operand call(llvm::StringRef name, OperandList operands, Where at) {
  Results results = callOperator(name, std::move(operands), at);
  if (results.size() == 1) return std::move(results[0]);
  return Operand::tuple({results.begin(), results.end()});
}

} // namespace tine
