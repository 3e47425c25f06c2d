#include "frontend/script/code_printer.h"
#include "frontend/script/normalize.h"
#include "ir/print_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tine::script {
namespace {

/// The name without the number that makes it unique.
llvm::StringRef baseName(const Value* value) {
  llvm::StringRef name = value->name().str();
  const auto [base, number] = name.rsplit('.');
  return number.empty() || !llvm::all_of(number, llvm::isDigit) ? name : base;
}

bool isOpen(const Type* type) { return type->is(TypeKind::Union) || type->is(TypeKind::Optional); }

/// In the order of their first use.
std::vector<Node*> constantsOf(Block* block) {
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

} // namespace

void Printer::next(std::vector<Step> steps) {
  for (Step& step : llvm::reverse(steps)) steps_.push_back(std::move(step));
}

void Printer::fail(const Node* node, const std::string& what) {
  const Location& at = node->location();
  Place place;
  if (!at.file.empty()) {
    place.file = at.file.str().str();
    place.line = at.line;
    place.column = at.column + 1;
  }
  shared_.errors.push_back(
      Error(error_kind::Unsupported, what + " cannot be written as source", place));
}

// ---- names and texts ----------------------------------------------------------------------------

std::string Printer::freshName(llvm::StringRef base) {
  std::string name = base.str();
  while (Vocabulary::isReserved(name) || used_.contains(name) || shared_.words.isTaken(name))
    name = base.str() + std::to_string(nextNumber_[name]++);
  used_.insert(name);
  return name;
}

void Printer::nameAll(llvm::ArrayRef<Value*> values) {
  for (const Value* value : values)
    text_[value] =
        freshName(value->hasName() ? Vocabulary::identifier(baseName(value)) : std::string("_"));
}

void Printer::line(const std::string& text) {
  out_.append(2 * static_cast<std::size_t>(level_), ' ');
  out_ += text;
  out_ += '\n';
}

// ---- functions ----------------------------------------------------------------------------------

std::string Printer::function(const NamedGraph& function, llvm::StringRef name) {
  const Operands outputs = function.graph->outputs();
  std::string result;
  if (outputs.size() == 1) {
    result = annotation(outputs[0]->type());
  } else {
    for (const Value* output : outputs)
      result += (result.empty() ? "" : ", ") + annotation(output->type());
    result = outputs.empty() ? "NoneType" : "Tuple[" + result + "]";
  }
  line("def " + name.str() + "(" + parameters(function) + ") -> " + result + ":");
  body(function.graph->block(), [] {});
  while (!steps_.empty()) {
    auto step = std::move(steps_.back());
    steps_.pop_back();
    step();
  }
  return std::move(out_);
}

std::string Printer::parameters(const NamedGraph& function) {
  std::string out;
  for (Value* input : function.graph->inputs()) {
    const std::string name =
        freshName(input->hasName() ? Vocabulary::identifier(baseName(input)) : std::string("arg"));
    text_[input] = name;
    out += (input->index() ? ",\n    " : "") + name + ": " + annotation(input->type());
    if (const IValue* value = function.defaultOf(input->index())) {
      out += "=";
      shared_.words.literal(out, *value, input->type());
    }
  }
  return out;
}

// ---- blocks -------------------------------------------------------------------------------------

/// A function's, or a fork's, with its return; then `after`.
void Printer::body(Block* block, Step after) {
  std::vector<Node*> constants = constantsOf(block);
  inlined_.scan(block);
  ++level_;
  for (Node* constant : constants) node(constant, true);
  Node* ret = block->ret();
  const std::size_t entered = entered_.size();
  next({[=, this] { nodes(block->param()->next(), ret); },
        [=, this] {
          if (entered_.size() > entered) return fail(entered_.back().first, "an open `with`");
          split(ret);
          if (ret->numInputs()) line("return " + list(ret->inputs()));
          --level_;
        },
        std::move(after)});
}

void Printer::nodes(Node* from, Node* end) {
  for (Node* at = from; at != end; at = at->next()) {
    if (at->blocks().empty() && !at->subgraph() && !local(at)) {
      node(at, false);
      continue;
    }
    Node* rest = at->next();
    steps_.push_back([=, this] { nodes(rest, end); });
    return node(at, false);
  }
}

/// The nodes of a block, then the assignments; `pass` when there is nothing.
void Printer::inside(Block* block, Step assign, Step after) {
  ++level_;
  const std::size_t start = out_.size(), entered = entered_.size();
  next({[=, this] { nodes(block->param()->next(), block->ret()); },
        [=, this, assign = std::move(assign)] {
          if (entered_.size() > entered) return fail(entered_.back().first, "an open `with`");
          assign();
          if (out_.size() == start) line("pass");
          --level_;
        },
        std::move(after)});
}

// ---- statements ---------------------------------------------------------------------------------

void Printer::assignment(llvm::ArrayRef<Value*> to, llvm::ArrayRef<Value*> from) {
  if (to.empty()) return;
  std::string text = list(to);
  if (to.size() == 1 && isOpen(to[0]->type()) && to[0]->node()->op() != Builtin::Param &&
      annotated_.insert(to[0]).second)
    text += " : " + annotation(to[0]->type());
  line(text + " = " + list(from));
}

void Printer::annotatedAssignment(const Value* to, const Value* from) {
  const bool differs = isOpen(to->type()) && to->type() != from->type();
  line(use(to) + (differs ? ": " + annotation(to->type()) : "") + " = " + use(from));
}

void Printer::definition(const Node* node, const std::string& text) {
  nameAll(node->outputs());
  line(node->outputs().empty() ? text : list(node->outputs()) + " = " + text);
}

void Printer::node(Node* node, bool asConstant) {
  if (!asConstant && Inlining::isConstant(node)) return;
  split(node);
  if (node->op() == Builtin::If) return ifStatement(node);
  if (node->op() == Builtin::Loop) return loop(node);
  if (node->op() == Builtin::Try) return tryStatement(node);
  if (node->op() == Builtin::Fork) return fork(node);
  if (node->op() == Builtin::Enter) return enter(node);
  if (node->op() == Builtin::Exit) return exit(node);
  if (node->op() == Builtin::SetAttr) return setAttribute(node);
  if (local(node)) return localFunction(node);
  if (node->op() == Builtin::TupleUnpack || node->op() == Builtin::ListUnpack) {
    nameAll(node->outputs());
    std::string names;
    for (const Value* output : node->outputs()) names += use(output) + ", ";
    return line(names.empty() ? use(node->input(0)) : names + "= " + use(node->input(0)));
  }
  if (const std::string property = settersProperty(node); !property.empty())
    return line(use(node->input(0)) + "." + property + " = " + use(node->input(1)));
  if (!node->blocks().empty() || node->subgraph())
    return fail(node, node->kind().str().str() + " with a graph inside");
  if (shared_.words.isFile() && isGradMode(node)) {
    if (node->op() == Builtin::CreateObject) return; // with its __init__
    nameAll(node->input(0)->node()->outputs());
    return line(use(node->input(0)) + " = " + method(node));
  }
  std::string text = expression(node);
  const bool longConstant = node->op() == Builtin::Constant && isLong(text);
  if (!inlined_.contains(node) || longConstant)
    definition(node, text);
  else
    text_[node->output()] = std::move(text);
}

void Printer::results(Node* node, Block* block) {
  split(block->ret());
  llvm::SmallVector<Value*, 4> from(block->outputs().begin(), block->outputs().end());
  assignment(node->outputs(), from);
}

void Printer::ifStatement(Node* node) {
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

void Printer::loop(Node* node) {
  Block* block = node->blocks()[0];
  const auto inputs = block->inputs();
  const bool counts = isCounted(node);
  nameAll(node->outputs());
  for (std::size_t i = 0; i < node->numOutputs(); ++i) text_[inputs[i + 1]] = use(node->output(i));
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

/// The clause takes every error; which it is, the statements of the block ask.
void Printer::tryStatement(Node* node) {
  shared_.foreign.insert("try");
  nameAll(node->outputs());
  line("try:");
  Block *tried = node->blocks()[0], *failed = node->blocks()[1];
  inside(
      tried, [=, this] { results(node, tried); },
      [=, this] {
        text_[failed->inputs()[0]] = freshName("_e");
        line("except ops.tine.error as " + use(failed->inputs()[0]) + ":");
        inside(
            failed, [=, this] { results(node, failed); }, [] {});
      });
}

// ---- functions inside of functions --------------------------------------------------------------

void Printer::fork(Node* node) {
  const std::string name = freshName("__forked_function");
  Graph* graph = node->subgraph();
  for (std::size_t i = 0; i < node->numInputs(); ++i)
    text_[graph->inputs()[i]] = use(node->input(i));
  line("def " + name + "():");
  body(graph->block(), [=, this] { definition(node, "fork(" + name + ")"); });
}

/// The function that only this node calls; null when it calls another one.
const NamedGraph* Printer::local(const Node* node) const {
  const bool isThen = node->kind().str() == "tine::then" && node->numInputs() >= 2;
  if (!isThen && node->op() != Builtin::CallFunction) return nullptr;
  const Node* constant = node->input(isThen)->node();
  if (!Inlining::isConstant(constant) || !constant->attributes().has(Builtin::Name)) return nullptr;
  return shared_.locals.lookup(constant->attributes().string(Builtin::Name));
}

/// The operands are what the function captures, but for the future that a callback is of.
void Printer::localFunction(Node* node) {
  const NamedGraph& function = *local(node);
  const bool isThen = node->op() != Builtin::CallFunction;
  const std::size_t first = isThen ? 2 : 1;
  auto copy = function.graph->copy();
  for (std::size_t i = first; i < node->numInputs(); ++i)
    if (const Node* constant = node->input(i)->node(); Inlining::isConstant(constant))
      giveConstant(*copy, copy->inputs()[i - first + isThen], *constant);
  copies_.push_back(writable(*copy, shared_.words.isFile()));
  Graph& graph = *copies_.back();
  for (std::size_t i = first; i < node->numInputs(); ++i)
    text_[graph.inputs()[i - first + isThen]] = use(node->input(i));
  const std::string name =
      freshName(Vocabulary::identifier(llvm::StringRef(function.name).rsplit('.').second));
  std::string parameter;
  if (isThen) {
    Value* result = graph.inputs()[0];
    nameAll(result);
    parameter = use(result) + ": " + annotation(result->type());
  }
  line("def " + name + "(" + parameter + "):");
  std::string text = name + "()";
  if (isThen) {
    shared_.foreign.insert("tine::then");
    text = operand(node->input(0)) + ".then(" + name + ")";
  }
  body(graph.block(), [=, this] { definition(node, text); });
}

// ---- objects ------------------------------------------------------------------------------------

/// `prim::Enter(%o)  body  prim::Exit(%o)`
void Printer::enter(Node* node) {
  std::string name;
  if (node->output()->hasUses()) {
    nameAll(node->outputs());
    name = " as " + use(node->output());
  }
  line("with " + use(node->input(0)) + name + ":");
  ++level_;
  entered_.emplace_back(node, out_.size());
}

void Printer::exit(Node* node) {
  if (entered_.empty() || entered_.back().first->input(0) != node->input(0) ||
      entered_.back().first->block() != node->block() || node->output()->hasUses())
    return fail(node, "a prim::Exit that ends no `with`");
  if (out_.size() == entered_.back().second) line("pass");
  entered_.pop_back();
  --level_;
}

/// The property that a call sets, in a file; else empty.
std::string Printer::settersProperty(const Node* node) const {
  if (!shared_.words.isFile() || node->op() != Builtin::CallMethod || node->numInputs() != 2 ||
      node->output()->hasUses())
    return "";
  return Vocabulary::propertyOf(node->attributes().string(Builtin::Name), "_setter");
}

void Printer::setAttribute(const Node* node) {
  const llvm::StringRef name = node->attributes().string(Builtin::Name);
  if (!Vocabulary::isWord(name)) return fail(node, "the attribute '" + name.str() + "'");
  line(use(node->input(0)) + "." + name.str() + " = " + use(node->input(1)));
}

// ---- expressions that got too long --------------------------------------------------------------

/// Gives names to operands whose expressions are too long, and to all that are computed before
/// them, so that the order stays.
void Printer::split(const Node* user) {
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

} // namespace tine::script
