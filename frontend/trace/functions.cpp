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

/// The operators of the rows, by line.
class Functions {
public:
  Functions() : ops_(OpSet::sharedBuiltin()) {
    for (const Row& row : rows) {
      infos_.resize(static_cast<std::size_t>(row.line) + 1);
      infos_.back() = ops_->find(row.name, row.overload);
      TINE_CHECK_MSG(infos_.back(), row.name);
    }
  }
  const OpInfo& operator[](int line) const { return *infos_[static_cast<std::size_t>(line)]; }

private:
  std::shared_ptr<const OpSet> ops_;
  std::vector<const OpInfo*> infos_;
};

Operand one(Results results) {
  if (results.empty()) return {};
  if (results.size() == 1) return std::move(results[0]);
  return Operand::tuple({results.begin(), results.end()});
}
} // namespace

namespace detail {
Operand callFunction(int line, Where at, OperandList operands) {
  static const Functions functions; // a constant, made when it is first needed
  return one(callOperator(functions[line], std::move(operands), at));
}
} // namespace detail

Operand call(llvm::StringRef name, OperandList operands, Where at) {
  return one(callOperator(name, std::move(operands), at));
}

} // namespace tine
