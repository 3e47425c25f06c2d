#include "tests/canonical.h"

#include "frontend/script/code_printer.h"
#include "frontend/script/normalize.h"
#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tine::testing {
namespace {

class Writer {
public:
  explicit Writer(const CompilationUnit& unit) : unit_(unit) {}

  std::string unit() {
    std::map<std::string, const NamedGraph*> functions;
    for (const NamedGraph& function : unit_.functions())
      if (!isLocal(function.name)) functions[function.name] = &function;
    for (const auto& [name, function] : functions) {
      const Graph& graph = split(*function->graph);
      out_ += name;
      values_.clear();
      number_ = 0;
      whole(graph, {}, 0);
    }
    return std::move(out_);
  }

private:
  bool isLocal(llvm::StringRef name) const {
    const auto [outer, inner] = name.rsplit('.');
    return !inner.empty() && unit_.find(outer);
  }

  /// The graph with its parameters, but for those that are operands: `captured`, from `first` on.
  void whole(const Graph& graph, llvm::ArrayRef<std::string> captured, int level,
             std::size_t first = 0) {
    std::string parameters;
    for (const Value* input : graph.inputs()) {
      const std::size_t i = input->index();
      if (i >= first && i - first < captured.size())
        values_[input] = captured[i - first];
      else
        parameters += " " + named(input);
    }
    out_ += "(" + parameters + ")\n";
    block(graph.block(), {}, level + 1);
  }

  const Graph& split(const Graph& graph) {
    copies_.push_back(script::writable(graph, true));
    return *copies_.back();
  }

  std::string named(const Value* value) {
    values_[value] = "%" + std::to_string(number_++);
    return values_[value] + ": " + value->type()->str(Style::Lossless);
  }

  /// Those results that somebody wants.
  static std::vector<std::size_t> used(const Node& node) {
    std::vector<std::size_t> out;
    for (const Value* output : node.outputs())
      if (node.op() == Builtin::Loop || output->hasUses()) out.push_back(output->index());
    return out;
  }

  std::string use(const Value* value) {
    const Node* node = value->node();
    if (node->op() == Builtin::Uninitialized)
      return "uninitialized:" + value->type()->str(Style::Lossless);
    if (node->op() != Builtin::Constant) return values_[value];
    if (node->attributes().has(Builtin::Name))
      return "function:" + node->attributes().string(Builtin::Name).str();
    if (auto known = script::knownValue(value); known && known->isNone()) return "None";
    std::string text = value->type()->str(Style::Lossless) + ":";
    if (auto known = script::knownValue(value))
      printValue(text, *known, value->type(), Style::Lossless);
    return text;
  }

  void block(const Block* block, llvm::ArrayRef<std::size_t> order, int level) {
    for (const Node* at = block->param()->next(); at != block->ret(); at = at->next())
      node(*at, level);
    out_ += std::string(2 * static_cast<std::size_t>(level), ' ') + "->";
    const bool all = !block->owner();
    const bool isLoop = block->owner() && block->owner()->op() == Builtin::Loop;
    if (isLoop) out_ += " " + use(block->outputs()[0]);
    for (const Value* output : block->outputs())
      if (all) out_ += " " + use(output);
    for (std::size_t i : order) out_ += " " + use(block->outputs()[i + isLoop]);
    out_ += "\n";
  }

  void node(const Node& node, int level) {
    if (node.op() == Builtin::Constant || node.op() == Builtin::Uninitialized) return;
    const bool isLoop = node.op() == Builtin::Loop;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < node.numOutputs(); ++i) order.push_back(i);
    if (!node.blocks().empty()) order = used(node);
    out_.append(2 * static_cast<std::size_t>(level), ' ');
    std::string outputs;
    for (std::size_t i : order) outputs += named(node.output(i)) + " ";
    out_ += outputs + "= " + node.kind().str().str();
    if (auto op = resolve(*ops_, node)) out_ += "." + (*op)->schema.overload;
    for (const Attribute& attribute : node.attributes()) {
      if (!attribute.name.is(Builtin::Subgraph)) out_ += " " + attribute.name.str().str() + "=";
      for (const Type* type : attribute.types) out_ += type->str(Style::Lossless) + ",";
      if (attribute.value.isString() || attribute.value.isInt())
        printValue(out_, attribute.value, nullptr, Style::Lossless);
    }
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < node.numInputs(); ++i) operands.push_back(use(node.input(i)));
    if (const Graph* graph = node.subgraph()) return whole(*graph, operands, level);
    const bool isThen = node.kind().str() == "tine::then";
    if (isThen || node.op() == Builtin::CallFunction) {
      const Node* callee = node.input(isThen)->node();
      if (callee->attributes().has(Builtin::Name) &&
          isLocal(callee->attributes().string(Builtin::Name))) {
        const std::string name = callee->attributes().string(Builtin::Name).str();
        if (isThen) out_ += " " + operands[0];
        return whole(split(*unit_.find(name)), llvm::ArrayRef(operands).drop_front(1 + isThen),
                     level, isThen);
      }
    }
    if (isLoop)
      for (std::size_t i : order) operands.push_back(operands[i + 2]);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!isLoop || i < 2 || i >= node.numInputs()) out_ += " " + operands[i];
    out_ += "\n";
    for (const Block* inner : node.blocks()) {
      out_.append(2 * static_cast<std::size_t>(level), ' ');
      out_ += "block";
      for (std::size_t i = 0; i < inner->inputs().size(); ++i) {
        const std::size_t at = isLoop && i ? order[i - 1] + 1 : i;
        out_ += " " + named(inner->inputs()[at]);
      }
      out_ += "\n";
      block(inner, order, level + 1);
    }
  }

  const CompilationUnit& unit_;
  const std::shared_ptr<const OpSet> ops_ = OpSet::sharedBuiltin();
  std::string out_;
  std::map<const Value*, std::string> values_;
  std::size_t number_ = 0;
  std::vector<std::unique_ptr<Graph>> copies_;
};

} // namespace

std::string canonical(const CompilationUnit& unit) { return Writer(unit).unit(); }

} // namespace tine::testing
