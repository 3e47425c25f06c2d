#include "frontend/script/code.h"

#include "frontend/script/inlining.h"
#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "ir/builder.h"
#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <unordered_map>

namespace tine::script {
namespace {

/// What no variable is called: words of the language, and names that serialised source uses.
constexpr llvm::StringLiteral kReserved[] = {
    "_",       "as",     "aten",  "attribute", "CONSTANTS", "fork",      "getattr",
    "inf",     "nan",    "infj",  "nanj",      "ops",       "__torch__", "and",
    "assert",  "break",  "class", "continue",  "def",       "del",       "elif",
    "else",    "except", "exec",  "finally",   "for",       "from",      "global",
    "if",      "import", "in",    "is",        "lambda",    "None",      "not",
    "or",      "pass",   "print", "raise",     "return",    "try",       "uninitialized",
    "while",   "with",   "yield", "True",      "False",     "async",     "await",
    "nonlocal"};

bool isEndless(const Node* loop) {
  auto trips = knownValue(loop->input(0));
  return trips && trips->isInt() && trips->toInt() == std::numeric_limits<std::int64_t>::max() &&
         !loop->blocks()[0]->inputs()[0]->hasUses();
}
bool isTrue(const Value* value) {
  auto known = knownValue(value);
  return known && known->isBool() && known->toBool();
}
/// Does it run as often as it counts?
bool isFor(const Node* loop) {
  return isTrue(loop->input(1)) && isTrue(loop->blocks()[0]->outputs()[0]) && !isEndless(loop);
}

/// Before: `for i < n while c`   After: `while i < n and c`, which counts i itself.
/// \source TorchScript's serializer, which has no other way to write such loops
void splitLoops(Graph& graph) {
  std::vector<Node*> loops;
  std::vector<Graph*> graphs{&graph};
  while (!graphs.empty()) {
    Graph* inner = graphs.back();
    graphs.pop_back();
    inner->forEachNode([&](Node* node) {
      if (node->op() == Builtin::Loop && !isEndless(node) && !isFor(node)) loops.push_back(node);
      if (node->subgraph()) graphs.push_back(node->subgraph());
    });
  }
  for (Node* loop : loops) {
    Block* body = loop->blocks()[0];
    Builder before(loop);
    Value *zero = before.constant(std::int64_t(0)), *one = before.constant(std::int64_t(1));
    Value* trips = loop->input(0);
    Value* condition = before.call("aten::gt", {trips, zero}, Type::boolType());
    loop->setInput(0, before.constant(std::numeric_limits<std::int64_t>::max()));
    if (!isTrue(loop->input(1)))
      condition = before.call("aten::__and__", {condition, loop->input(1)}, Type::boolType());
    loop->setInput(1, condition);
    loop->addInput(zero);
    loop->addOutput(Type::intType());
    Value* count = body->addInput(Type::intType());
    body->inputs()[0]->setName("");
    body->inputs()[0]->replaceAllUsesWith(count);
    Builder after(body);
    Value* next = after.call("aten::add", {count, one}, Type::intType());
    Value* more = after.call("aten::lt", {next, trips}, Type::boolType());
    Value* goesOn = after.call("aten::__and__", {more, body->outputs()[0]}, Type::boolType());
    body->addOutput(next);
    body->ret()->setInput(0, goesOn);
  }
}

/// Writes one graph. What a node prints may depend on nodes inside of it, however deep: a stack of
/// steps instead of recursion.
class Printer {
public:
  Printer(const OpSet& ops, const CodeOptions& options) : ops_(ops), options_(options) {}

  Result<std::string> function(const NamedGraph& function) {
    refuseClasses(*function.graph);
    if (!errors_.empty()) return std::move(errors_);
    header(function);
    body(function.graph->block(), [] {});
    while (!steps_.empty()) {
      auto step = std::move(steps_.back());
      steps_.pop_back();
      step();
    }
    if (!errors_.empty()) return std::move(errors_);
    std::string comments;
    for (const std::string& foreign : foreign_)
      comments += "# uses " + foreign + ", which TorchScript lacks\n";
    if (tensors_)
      comments += "# the tensors CONSTANTS.c0 to CONSTANTS.c" + std::to_string(tensors_ - 1) +
                  " are not part of the text\n";
    return comments + out_;
  }

private:
  using Step = std::function<void()>;
  /// The steps happen next, in this order.
  void next(std::vector<Step> steps) {
    for (Step& step : llvm::reverse(steps)) steps_.push_back(std::move(step));
  }
  void fail(const Node* node, const std::string& what) {
    const Location& at = node->location();
    Place place;
    if (!at.file.empty()) {
      place.file = at.file.str().str();
      place.line = at.line;
      place.column = at.column + 1;
    }
    errors_.push_back(Error(error_kind::Unsupported, what + " cannot be written as source", place));
  }

  /// Only functions are written, and their source says nothing without its classes.
  void refuseClasses(const Graph& graph) {
    const auto isOfClass = [](const Type* type) {
      llvm::SmallVector<const Type*, 4> todo{type};
      while (!todo.empty()) {
        const Type* part = todo.pop_back_val();
        if (part->is(TypeKind::Class) || part->is(TypeKind::Interface) ||
            part->is(TypeKind::Enum) || (part->is(TypeKind::Tuple) && !part->names().empty()))
          return true;
        todo.append(part->elements().begin(), part->elements().end());
      }
      return false;
    };
    const auto look = [&](const Value* value, const Node* node) {
      if (errors_.empty() && isOfClass(value->type()))
        fail(node, value->type()->str() + ", and what uses a class,");
    };
    for (const Value* input : graph.inputs()) look(input, graph.block()->param());
    graph.forEachNode([&](const Node* node) {
      for (const Value* output : node->outputs()) look(output, node);
    });
  }

  // ---- names and texts ----
  std::string freshName(llvm::StringRef base) {
    std::string name = base.str();
    while (llvm::is_contained(kReserved, name) || used_.contains(name))
      name = base.str() + std::to_string(nextNumber_[name]++);
    used_.insert(name);
    return name;
  }
  static std::string identifier(llvm::StringRef text) {
    std::string out = text.str();
    for (char& c : out)
      if (!llvm::isAlnum(c) && c != '_') c = '_';
    if (out.empty() || llvm::isDigit(out[0])) out.insert(out.begin(), '_');
    return out;
  }
  /// The name without the number that makes it unique.
  static llvm::StringRef baseName(const Value* value) {
    llvm::StringRef name = value->name().str();
    const auto [base, number] = name.rsplit('.');
    return number.empty() || !llvm::all_of(number, llvm::isDigit) ? name : base;
  }
  void nameAll(llvm::ArrayRef<Value*> values) {
    for (const Value* value : values)
      text_[value] = freshName(value->hasName() ? identifier(baseName(value)) : "_");
  }
  const std::string& use(const Value* value) { return text_[value]; }
  template <class Values> std::string list(const Values& values) {
    std::string out;
    for (const Value* value : values) out += (out.empty() ? "" : ", ") + use(value);
    return out;
  }
  void line(const std::string& text) {
    out_.append(2 * static_cast<std::size_t>(level_), ' ');
    out_ += text;
    out_ += '\n';
  }
  bool isLong(const std::string& text) const {
    return text.size() + 2 * static_cast<std::size_t>(level_) >= 40;
  }
  static std::string annotation(const Type* type) {
    std::string out;
    type->printAnnotation(out);
    // A graph says Scalar, source number.
    for (std::size_t at = 0; (at = out.find("Scalar", at)) != std::string::npos; at += 6) {
      const bool word = (!at || !llvm::isAlnum(out[at - 1])) &&
                        (at + 6 == out.size() || !llvm::isAlnum(out[at + 6]));
      if (word) out.replace(at, 6, "number");
    }
    return out;
  }

  void header(const NamedGraph& function) {
    const Graph& graph = *function.graph;
    out_ += "def " + identifier(function.name) + "(";
    for (Value* input : graph.inputs()) {
      const std::string name = freshName(input->hasName() ? identifier(baseName(input)) : "arg");
      text_[input] = name;
      out_ += (input->index() ? ",\n    " : "") + name + ": " + annotation(input->type());
      if (const IValue* value = function.defaultOf(input->index())) {
        out_ += "=";
        printValue(out_, *value, input->type(), Style::Compat);
      }
    }
    out_ += ") -> ";
    const Operands outputs = graph.outputs();
    if (outputs.size() == 1) {
      out_ += annotation(outputs[0]->type());
    } else {
      std::string types;
      for (const Value* output : outputs)
        types += (types.empty() ? "" : ", ") + annotation(output->type());
      out_ += outputs.empty() ? "NoneType" : "Tuple[" + types + "]";
    }
    out_ += ":\n";
  }

  // ---- blocks ----
  /// A function's, or a fork's, with its return; then `after`.
  void body(Block* block, Step after) {
    std::vector<Node*> constants = constantsOf(block);
    inlined_.scan(block);
    ++level_;
    for (Node* constant : constants) node(constant, true);
    Node* ret = block->ret();
    next({[=, this] { nodes(block->param()->next(), ret); },
          [=, this] {
            split(ret);
            if (ret->numInputs()) line("return " + list(ret->inputs()));
            --level_;
          },
          std::move(after)});
  }
  /// In the order of their first use.
  static std::vector<Node*> constantsOf(Block* block) {
    std::vector<Node*> out;
    llvm::DenseSet<const Node*> seen;
    const auto look = [&](const Node* node) {
      for (Value* input : node->inputs())
        if (Inlining::isConstant(input->node()) && seen.insert(input->node()).second)
          out.push_back(input->node());
    };
    struct Frame {
      Node* at;
      std::size_t block;
    };
    std::vector<Frame> stack{{block->param()->next(), 0}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.block == 0) look(frame.at);
      if (frame.block < frame.at->blocks().size()) {
        Block* inner = frame.at->blocks()[frame.block++];
        stack.push_back({inner->param()->next(), 0});
      } else if (frame.at == frame.at->block()->ret()) {
        stack.pop_back();
      } else {
        frame = {frame.at->next(), 0};
      }
    }
    return out;
  }
  void nodes(Node* from, Node* end) {
    for (Node* at = from; at != end; at = at->next()) {
      if (at->blocks().empty() && !at->subgraph()) {
        node(at, false);
        continue;
      }
      Node* rest = at->next();
      steps_.push_back([=, this] { nodes(rest, end); });
      return node(at, false);
    }
  }
  /// The nodes of a block, then the assignments; `pass` when there is nothing.
  void inside(Block* block, Step assign, Step after) {
    ++level_;
    const std::size_t start = out_.size();
    next({[=, this] { nodes(block->param()->next(), block->ret()); },
          [=, this, assign = std::move(assign)] {
            assign();
            if (out_.size() == start) line("pass");
            --level_;
          },
          std::move(after)});
  }

  // ---- statements ----
  template <class To, class From> void assignment(const To& to, const From& from) {
    if (to.empty()) return;
    std::string text = list(to);
    const Type* type = to[0]->type();
    const bool open = type->is(TypeKind::Union) || type->is(TypeKind::Optional);
    if (to.size() == 1 && open && to[0]->node()->op() != Builtin::Param &&
        annotated_.insert(to[0]).second)
      text += " : " + annotation(type);
    line(text + " = " + list(from));
  }
  void annotatedAssignment(const Value* to, const Value* from) {
    const Type* type = to->type();
    const bool open = type->is(TypeKind::Union) || type->is(TypeKind::Optional);
    const bool differs = open && type != from->type();
    line(use(to) + (differs ? ": " + annotation(type) : "") + " = " + use(from));
  }
  void definition(const Node* node, const std::string& text) {
    nameAll(node->outputs());
    line(node->outputs().empty() ? text : list(node->outputs()) + " = " + text);
  }

  void results(Node* node, Block* block) {
    split(block->ret());
    assignment(node->outputs(), block->outputs());
  }
  void ifStatement(Node* node) {
    nameAll(node->outputs());
    line("if " + use(node->input(0)) + ":");
    Block *yes = node->blocks()[0], *no = node->blocks()[1];
    inside(
        yes, [=, this] { results(node, yes); },
        [=, this] {
          line("else:");
          inside(
              no, [=, this] { results(node, no); }, [] {});
        });
  }

  void loop(Node* node) {
    Block* block = node->blocks()[0];
    const auto inputs = block->inputs();
    const bool counts = isFor(node);
    nameAll(node->outputs());
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      text_[inputs[i + 1]] = use(node->output(i));
    for (std::size_t i = 0; i < node->numOutputs(); ++i)
      annotatedAssignment(node->output(i), node->input(i + 2));
    nameAll(inputs.take_front(1));
    if (counts) {
      line("for " + use(inputs[0]) + " in range(" + use(node->input(0)) + "):");
    } else {
      line(use(inputs[0]) + " = " + use(node->input(1)));
      line("while " + use(inputs[0]) + ":");
    }
    inside(
        block,
        [=, this] {
          split(block->ret());
          llvm::SmallVector<Value*, 4> from(block->outputs().begin(), block->outputs().end());
          if (counts) from.erase(from.begin());
          assignment(counts ? inputs.drop_front() : inputs, from);
        },
        [] {});
  }

  void fork(Node* node) {
    const std::string name = freshName("__forked_function");
    Graph* graph = node->subgraph();
    line("def " + name + "():");
    for (std::size_t i = 0; i < node->numInputs(); ++i)
      text_[graph->inputs()[i]] = use(node->input(i));
    body(graph->block(), [=, this] { definition(node, "fork(" + name + ")"); });
  }

  void node(Node* node, bool asConstant) {
    if (!asConstant && Inlining::isConstant(node)) return;
    split(node);
    if (node->op() == Builtin::If) return ifStatement(node);
    if (node->op() == Builtin::Loop) return loop(node);
    if (node->op() == Builtin::Fork) return fork(node);
    if (node->op() == Builtin::TupleUnpack || node->op() == Builtin::ListUnpack) {
      nameAll(node->outputs());
      std::string names;
      for (const Value* output : node->outputs()) names += use(output) + ", ";
      return line(names.empty() ? use(node->input(0)) : names + "= " + use(node->input(0)));
    }
    if (node->op() == Builtin::SetAttr)
      return line(use(node->input(0)) + "." + node->attributes().string(Builtin::Name).str() +
                  " = " + use(node->input(1)));
    if (!node->blocks().empty() || node->subgraph())
      return fail(node, node->kind().str().str() + " with a graph inside");
    std::string text = expression(node);
    const bool longConstant = node->op() == Builtin::Constant && isLong(text);
    if (!inlined_.contains(node) || longConstant)
      definition(node, text);
    else
      text_[node->output()] = std::move(text);
  }

  // ---- expressions that got too long ----
  /// Gives names to operands whose expressions are too long, and to all that are computed before
  /// them, so that the order stays.
  void split(const Node* user) {
    for (std::size_t i = 0; i < user->numInputs(); ++i) {
      const Value* value = user->input(i);
      if (!inlined_.contains(value->node()) || !isLong(use(value))) continue;
      std::vector<const Value*> named;
      const Node* at = user;
      std::int64_t index = static_cast<std::int64_t>(i);
      while (at) {
        auto [visited, fresh] = split_.try_emplace(at, -1);
        for (std::int64_t j = index; j > visited->second; --j) {
          const Value* before = at->input(static_cast<std::size_t>(j));
          if (inlined_.contains(before->node()) && before->node()->op() != Builtin::Constant)
            named.push_back(before);
        }
        visited->second = std::max(visited->second, index);
        if (!fresh || !inlined_.contains(at)) break;
        const Use& outer = *at->output()->uses().begin();
        index = static_cast<std::int64_t>(outer.index) - 1;
        at = outer.user;
      }
      for (const Value* each : llvm::reverse(named)) {
        const std::string text = use(each);
        definition(each->node(), text);
      }
    }
  }

  // ---- expressions ----
  std::string expression(const Node* node) {
    const std::string kind = node->kind().str().str();
    switch (node->op()) {
    case Builtin::Constant:
      return constant(node);
    case Builtin::TupleConstruct: {
      const Type* type = node->output()->type();
      std::string text = "(" + list(node->inputs()) + (node->numInputs() == 1 ? ",)" : ")");
      return type->names().empty() ? text : annotation(type) + text;
    }
    case Builtin::TupleIndex:
      return "(" + use(node->input(0)) + ")[" + use(node->input(1)) + "]";
    case Builtin::TupleSlice:
      return "(" + use(node->input(0)) + ")[" +
             std::to_string(node->attributes().integer(Builtin::Beg)) + ":" +
             std::to_string(node->attributes().integer(Builtin::End)) + "]";
    case Builtin::ListConstruct:
      return container(node, "[" + list(node->inputs()) + "]");
    case Builtin::DictConstruct: {
      std::string items;
      for (std::size_t i = 0; i + 1 < node->numInputs(); i += 2)
        items += (i ? ", " : "") + use(node->input(i)) + ": " + use(node->input(i + 1));
      return container(node, "{" + items + "}");
    }
    case Builtin::UncheckedCast:
      return "unchecked_cast(" + annotation(node->output()->type()) + ", " + use(node->input(0)) +
             ")";
    case Builtin::Uninitialized:
      return "uninitialized(" + annotation(node->output()->type()) + ")";
    case Builtin::IsInstance: {
      std::string types;
      const auto& all = node->attributes().find(Builtin::Types)->types;
      for (const Type* type : all) types += (types.empty() ? "" : ", ") + annotation(type);
      return "isinstance(" + use(node->input(0)) + ", " +
             (all.size() == 1 ? types : "(" + types + ")") + ")";
    }
    case Builtin::CallFunction: {
      std::string text = use(node->input(0)) + "(";
      for (std::size_t i = 1; i < node->numInputs(); ++i) text += use(node->input(i)) + ", ";
      return text + ")";
    }
    case Builtin::CallMethod: {
      std::string text =
          use(node->input(0)) + "." + node->attributes().string(Builtin::Name).str() + "(";
      for (std::size_t i = 1; i < node->numInputs(); ++i)
        text += (i > 1 ? ", " : "") + use(node->input(i));
      return text + ")";
    }
    case Builtin::GetAttr:
      return use(node->input(0)) + "." + node->attributes().string(Builtin::Name).str();
    case Builtin::CreateObject: {
      const std::string type = annotation(node->output()->type());
      return type + ".__new__(" + type + ")";
    }
    case Builtin::Print:
      return "print(" + list(node->inputs()) + ")";
    case Builtin::Try:
    case Builtin::Reraise:
      fail(node, kind);
      return "";
    case Builtin::None:
    case Builtin::Param:
    case Builtin::Return:
    case Builtin::If:
    case Builtin::Loop:
    case Builtin::Fork:
    case Builtin::Wait:
    case Builtin::TupleUnpack:
    case Builtin::ListUnpack:
    case Builtin::SetAttr:
    case Builtin::HasAttr:
    case Builtin::RaiseException:
    case Builtin::UncheckedUnwrapOptional:
    case Builtin::Enter:
    case Builtin::Exit:
    case Builtin::Closure:
    case Builtin::DifferentiableGraph:
    case Builtin::PythonOp:
    case Builtin::Value:
    case Builtin::PyName:
    case Builtin::PyScalars:
    case Builtin::Name:
    case Builtin::Subgraph:
    case Builtin::Types:
    case Builtin::Beg:
    case Builtin::End:
      break;
    }
    if (!node->attributes().empty())
      fail(node, kind + "[" + node->attributes().begin()->name.str().str() + "=...]");
    if (kind == "aten::__getitem__" && node->numInputs() == 2)
      return operand(node->input(0)) + "[" + use(node->input(1)) + "]";
    for (const auto& [name, word] :
         {std::pair("aten::Int", "int"), std::pair("aten::Float", "float"),
          std::pair("aten::Bool", "bool"), std::pair("aten::str", "str"),
          std::pair("aten::sorted", "sorted")})
      if (kind == name) return std::string(word) + "(" + list(node->inputs()) + ")";
    if (kind == "aten::ScalarImplicit" || kind == "aten::FloatImplicit" ||
        kind == "aten::IntImplicit")
      return "annotate(" + annotation(node->output()->type()) + ", " + use(node->input(0)) + ")";
    if (kind == "prim::tolist")
      return "annotate(" + annotation(node->output()->type()) + ", " + use(node->input(0)) +
             ".tolist())";
    return call(node, kind);
  }

  /// A list or dict, with its type where the parts do not tell it.
  std::string container(const Node* node, const std::string& text) {
    const Type* type = node->output()->type();
    const bool told = node->numInputs() && llvm::none_of(type->elements(), [](const Type* element) {
                        return element->is(TypeKind::Optional) || element->is(TypeKind::Union) ||
                               element->is(TypeKind::Interface) || element->is(TypeKind::Any);
                      });
    return told ? text : "annotate(" + annotation(type) + ", " + text + ")";
  }

  /// In parentheses when it is more than a name.
  std::string operand(const Value* value) {
    const bool part =
        inlined_.contains(value->node()) && !Inlining::isConstant(value->node()) &&
        llvm::any_of(use(value), [](char c) { return !llvm::isAlnum(c) && c != '_'; });
    return part ? "(" + use(value) + ")" : use(value);
  }

  std::string call(const Node* node, const std::string& kind) {
    auto op = resolve(ops_, *node);
    const Schema* schema = op ? &(*op)->schema : nullptr;
    std::size_t count = node->numInputs();
    while (schema && !schema->varargs && count && count <= schema->arguments.size()) {
      const auto& preset = schema->arguments[count - 1].defaultValue;
      const auto given = knownValue(node->input(count - 1));
      if (!preset || !given || !sameDefault(*preset, *given)) break;
      --count;
    }
    if (node->op() == Builtin::RaiseException && count == 2) {
      const auto cls = knownValue(node->input(1));
      if (cls && cls->isNone()) count = 1;
    }
    std::string text = operatorName(kind) + "(";
    for (std::size_t i = 0; i < count; ++i) {
      if (i) text += ", ";
      if (schema && i < schema->arguments.size() && schema->arguments[i].keywordOnly)
        text += schema->arguments[i].name + "=";
      text += use(node->input(i));
    }
    return text + ")";
  }
  static bool sameDefault(const IValue& a, const IValue& b) {
    if (a.tag() != b.tag()) return false;
    if (a.isString()) return a.toStringRef() == b.toStringRef();
    if (a.isList()) return a.toList().items.empty() && b.toList().items.empty();
    return a.isSame(b);
  }
  std::string operatorName(llvm::StringRef kind) {
    auto [space, name] = kind.split("::");
    if (space == "aten") return "torch." + name.str();
    if (space != "prim") foreign_.insert(kind.str());
    return "ops." + space.str() + "." + name.str();
  }

  /// TorchScript writes 1e10 as an int, D-8, and has no way to write other letters than ASCII's.
  static bool compatLoses(const IValue& value) {
    if (value.isDouble()) return std::abs(value.toDouble()) >= 1e10;
    if (value.isString())
      return llvm::any_of(value.toStringRef(), [](char c) { return (c & 0x80) != 0; });
    if (value.isTuple()) return llvm::any_of(value.toTuple().items, compatLoses);
    return value.isList() && llvm::any_of(value.toList().items, compatLoses);
  }
  std::string constant(const Node* node) {
    if (node->attributes().has(Builtin::Name))
      return options_.qualifier + node->attributes().string(Builtin::Name).str();
    const auto value = knownValue(node->output());
    std::string text;
    if (!value || value->isTensor() || value->isObject())
      return "CONSTANTS.c" + std::to_string(tensors_++);
    printValue(text, *value, node->output()->type(),
               compatLoses(*value) ? Style::Lossless : Style::Compat);
    return text;
  }

  const OpSet& ops_;
  const CodeOptions& options_;
  std::string out_;
  std::vector<Error> errors_;
  std::set<std::string> foreign_; ///< operators that TorchScript lacks
  unsigned tensors_ = 0;
  int level_ = 0;
  std::vector<Step> steps_;
  Inlining inlined_;
  std::unordered_map<const Value*, std::string> text_; ///< of references that stay valid
  llvm::DenseMap<const Node*, std::int64_t> split_; ///< up to which operand expressions have names
  llvm::DenseSet<const Value*> annotated_;
  llvm::StringSet<> used_;
  llvm::StringMap<std::uint64_t> nextNumber_;
};

} // namespace

Result<std::string> code(const NamedGraph& function, const OpSet& ops, const CodeOptions& options) {
  NamedGraph copy{function.name, function.graph->copy(), function.defaults};
  splitLoops(*copy.graph);
  return Printer(ops, options).function(copy);
}

Result<std::string> code(const CompilationUnit& unit, const OpSet& ops,
                         const CodeOptions& options) {
  std::string out;
  std::vector<Error> errors;
  for (const NamedGraph& function : unit.functions()) {
    auto text = code(function, ops, options);
    if (text)
      out += (out.empty() ? "" : "\n") + *text;
    else
      for (Error& error : text.takeErrors()) errors.push_back(std::move(error));
  }
  if (!errors.empty()) return errors;
  return out;
}

} // namespace tine::script
