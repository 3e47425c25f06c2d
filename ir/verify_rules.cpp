#include "ir/verify_rules.h"

#include "ir/builder.h"
#include "ir/graph_access.h"
#include "llvm/ADT/Twine.h"

#include <array>
#include <limits>

namespace tine {
namespace {

constexpr std::size_t kShown = 8; ///< operands of a node that a note shows
constexpr int kSearched = 100;    ///< blocks outwards, for a place
constexpr int kAny = std::numeric_limits<int>::max();

/// The type of a value, as far as it is known.
const Type* known(const Value* value) {
  return value && value->type() ? value->type() : Type::AnyType();
}

bool isUnknown(const Type* type) { return type->is(TypeKind::Any) || type->is(TypeKind::Var); }

/// Plain Tensor is what TorchScript calls a value whose type nobody said.
bool isPlainTensor(const Type* type) {
  return type->is(TypeKind::Tensor) && type->tensor().isPlain();
}

/// Is it what TorchScript writes for a bool?
bool isFlag(std::int64_t value) { return value == 0 || value == 1; }

/// May a constant of this type have this value? Iterative.
bool holds(const IValue& whole, const Type* wanted) {
  std::vector<std::pair<const IValue*, const Type*>> pending{{&whole, wanted}};
  auto all = [&](const std::vector<IValue>& items, const Type* type) {
    for (const IValue& item : items) pending.push_back({&item, type});
  };
  while (!pending.empty()) {
    auto [value, type] = pending.back();
    pending.pop_back();
    if (type->is(TypeKind::Optional)) {
      if (value->isNone()) continue;
      type = type->element();
    }
    if (isUnknown(type) || type->is(TypeKind::Union)) continue;
    switch (value->tag()) {
    case Tag::None:
      if (!type->is(TypeKind::None)) return false;
      continue;
    case Tag::Bool:
      if (!type->is(TypeKind::Bool)) return false;
      continue;
    case Tag::Int: // enums and dtypes are ints, too
      if (type->is(TypeKind::Bool) && !isFlag(value->toInt())) return false;
      if (!type->is(TypeKind::Int) && !type->is(TypeKind::SymInt) && !type->is(TypeKind::Bool) &&
          !type->is(TypeKind::Number))
        return false;
      continue;
    case Tag::Double:
      if (!type->is(TypeKind::Float) && !type->is(TypeKind::Number)) return false;
      continue;
    case Tag::Complex:
      if (!type->is(TypeKind::Complex) && !type->is(TypeKind::Number)) return false;
      continue;
    case Tag::String: // what has no literal of its own is written as a string
      if (type->is(TypeKind::Int) || type->is(TypeKind::Float) || type->is(TypeKind::Tensor) ||
          !type->elements().empty())
        return false;
      continue;
    case Tag::Tensor:
      if (!type->is(TypeKind::Tensor)) return false;
      continue;
    case Tag::List:
      if (type->is(TypeKind::AnyList)) continue;
      if (!type->is(TypeKind::List)) return false;
      all(value->toList().items, type->element());
      continue;
    case Tag::Tuple: {
      if (type->is(TypeKind::AnyTuple)) continue;
      const std::vector<IValue>& items = value->toTuple().items;
      if (!type->is(TypeKind::Tuple) || items.size() != type->elements().size()) return false;
      for (std::size_t i = 0; i < items.size(); ++i)
        pending.push_back({&items[i], type->elements()[i]});
      continue;
    }
    case Tag::Dict:
      if (!type->is(TypeKind::Dict)) return false;
      for (const auto& [key, mapped] : value->toDict().items) {
        pending.push_back({&key, type->elements()[0]});
        pending.push_back({&mapped, type->elements()[1]});
      }
      continue;
    case Tag::Device:
    case Tag::Function:
    case Tag::Uninitialized:
    case Tag::Object:
    case Tag::Future:
    case Tag::RRef:
      continue;
    }
  }
  return true;
}

/// Is it of that kind, or may it be?
bool mayBe(const Value* value, TypeKind kind) {
  return isUnknown(known(value)) || known(value)->is(kind);
}

Place placeOf(const Node* node) {
  for (int i = 0; node && i < kSearched; ++i) {
    const Location& location = node->location();
    if (!location.file.empty())
      return {location.file.str().str(), location.line, location.column + 1u, 1, {}};
    const Block* block = node->block();
    node = block ? block->owner() : nullptr;
  }
  return {};
}

/// What a call of the graph gives, when that does not fit where `wanted` is; else nothing.
std::string misfit(const Graph& graph, const Type* wanted) {
  auto outputs = graph.outputs();
  if (outputs.size() == 1) return fits(known(outputs[0]), wanted) ? "" : known(outputs[0])->str();
  if (isUnknown(wanted)) return "";
  if (outputs.empty()) return fits(Type::noneType(), wanted) ? "" : "nothing";
  bool ok = wanted->is(TypeKind::Tuple) && wanted->elements().size() == outputs.size();
  for (std::size_t i = 0; ok && i < outputs.size(); ++i)
    ok = fits(known(outputs[i]), wanted->elements()[i]);
  return ok ? "" : "other results";
}

/// One node at a time against the rules of its kind.
class Check {
public:
  Check(const Node& node, const CompilationUnit* unit, VerifyReport& report)
      : node_(node), unit_(unit), report_(report) {}
  void run();

  void none() {}
  void constant();
  void ifNode();
  void loop();
  void wait();
  void tupleConstruct();
  void tupleUnpack();
  void tupleIndex();
  void tupleSlice();
  void listConstruct();
  void listUnpack();
  void dictConstruct();
  void named() { attribute(Builtin::Name, AttrKind::s); }
  void callFunction();
  void callMethod();
  void tryNode();
  void reraise();
  void isInstance() { attribute(Builtin::Types, AttrKind::tys); }
  void raise() { operand(0, Type::strType()); }

private:
  Error& fail(const llvm::Twine& message) {
    return report_.add(&node_, (node_.kind().str() + " " + message).str());
  }
  std::string text(const Value* value) {
    return report_.describe(value) + " of type " + known(value)->str();
  }
  std::size_t numInputs() { return node_.numInputs(); }
  std::size_t numOutputs() { return node_.numOutputs(); }
  Value* input(std::size_t i) { return node_.input(i); }
  Value* output(std::size_t i) { return node_.output(i); }

  void operand(std::size_t i, const Type* wanted);
  const Attribute* attribute(Builtin name, AttrKind kind);
  /// `from` gives its value to `to`.
  void flow(const Value* from, const Value* to, llvm::StringRef what);
  void flow(const Type* from, const Value* to, llvm::StringRef what);
  void sizes(std::size_t got, std::size_t wanted, const llvm::Twine& what);
  /// The node calls `callee`, with its operands from `first` on.
  void call(const Graph& callee, std::size_t first);

  const Node& node_;
  const CompilationUnit* unit_;
  VerifyReport& report_;
};

/// What the IR itself says of a kind of node: numbers of operands, results and blocks (-1: any),
/// and the rest.
struct Rule {
  Builtin op;
  int minInputs, maxInputs;
  int outputs, blocks;
  void (Check::*check)();
};

constexpr Rule kRules[] = {
    {Builtin::Constant, 0, 0, 1, 0, &Check::constant},
    {Builtin::If, 1, 1, -1, 2, &Check::ifNode},
    {Builtin::Loop, 2, kAny, -1, 1, &Check::loop},
    {Builtin::Try, 0, 0, -1, 2, &Check::tryNode},
    {Builtin::Reraise, 1, 1, 0, 0, &Check::reraise},
    {Builtin::Fork, 0, kAny, 1, 0, &Check::none}, // the rest: verifySubgraph
    {Builtin::DifferentiableGraph, 0, kAny, -1, 0, &Check::none},
    {Builtin::Wait, 1, 1, 1, 0, &Check::wait},
    {Builtin::TupleConstruct, 0, kAny, 1, 0, &Check::tupleConstruct},
    {Builtin::TupleUnpack, 1, 1, -1, 0, &Check::tupleUnpack},
    {Builtin::TupleIndex, 2, 2, 1, 0, &Check::tupleIndex},
    {Builtin::TupleSlice, 1, 1, 1, 0, &Check::tupleSlice},
    {Builtin::ListConstruct, 0, kAny, 1, 0, &Check::listConstruct},
    {Builtin::ListUnpack, 1, 1, -1, 0, &Check::listUnpack},
    {Builtin::DictConstruct, 0, kAny, 1, 0, &Check::dictConstruct},
    {Builtin::GetAttr, 1, 1, 1, 0, &Check::named},
    {Builtin::SetAttr, 2, 2, 0, 0, &Check::named},
    {Builtin::HasAttr, 1, 1, 1, 0, &Check::named},
    {Builtin::CreateObject, 0, 0, 1, 0, &Check::none},
    {Builtin::CallFunction, 1, kAny, -1, 0, &Check::callFunction},
    {Builtin::CallMethod, 1, kAny, -1, 0, &Check::callMethod},
    {Builtin::Uninitialized, 0, 0, 1, 0, &Check::none},
    {Builtin::RaiseException, 1, 2, 0, 0, &Check::raise},
    {Builtin::UncheckedCast, 1, 1, 1, 0, &Check::none},
    {Builtin::UncheckedUnwrapOptional, 1, 1, 1, 0, &Check::none},
    {Builtin::IsInstance, 1, 1, 1, 0, &Check::isInstance},
    {Builtin::Print, 0, kAny, 0, 0, &Check::none},
};

constexpr auto kRuleOf = [] {
  std::array<const Rule*, kBuiltins> rules{};
  for (const Rule& rule : kRules) rules[static_cast<int>(rule.op)] = &rule;
  return rules;
}();

void Check::run() {
  const Rule* rule = kRuleOf[static_cast<int>(node_.op())];
  if (!rule) return;
  std::size_t before = report_.count();
  auto count = [&](std::size_t got, const char* what, int least, int most) {
    if (got >= std::size_t(least) && got <= std::size_t(most)) return;
    std::string wanted = std::to_string(least);
    if (most == kAny)
      wanted = "at least " + wanted;
    else if (most != least)
      wanted += " or " + std::to_string(most);
    fail("has " + llvm::Twine(got) + " " + what + " and wants " + wanted);
  };
  count(numInputs(), "operands", rule->minInputs, rule->maxInputs);
  if (rule->outputs >= 0) count(numOutputs(), "results", rule->outputs, rule->outputs);
  count(node_.blocks().size(), "blocks", rule->blocks, rule->blocks);
  if (report_.count() == before) (this->*rule->check)();
}

void Check::operand(std::size_t i, const Type* wanted) {
  if (mayBe(input(i), wanted->kind())) return;
  fail("has operand " + llvm::Twine(i) + ", " + text(input(i)) + ", where " + wanted->str() +
       " is wanted");
}

const Attribute* Check::attribute(Builtin name, AttrKind kind) {
  const Attribute* found = node_.attributes().find(name);
  if (found && (found->kind == kind || found->isVerbatim())) return found;
  fail((found ? "has the wrong kind of attribute `" : "has no attribute `") +
       node_.context().symbol(name).str() + "`");
  return nullptr;
}

void Check::flow(const Type* from, const Value* to, llvm::StringRef what) {
  if (!fits(from, known(to)))
    fail(what + " is " + from->str() + ", which does not fit " + text(to));
}

void Check::flow(const Value* from, const Value* to, llvm::StringRef what) {
  if (!fits(known(from), known(to))) fail(what + ", " + text(from) + ", does not fit " + text(to));
}

void Check::sizes(std::size_t got, std::size_t wanted, const llvm::Twine& what) {
  if (got != wanted)
    fail("has " + llvm::Twine(got) + " " + what + " and wants " + llvm::Twine(wanted));
}

void Check::constant() {
  const Type* type = known(output(0));
  if (const Attribute* name = node_.attributes().find(Builtin::Name)) {
    if (name->kind != AttrKind::s || !name->value.isString()) {
      fail("has the wrong kind of attribute `name`");
      return;
    }
    if (!mayBe(output(0), TypeKind::Function))
      fail("names a function, but has type " + type->str());
    std::string function = name->value.toStringRef().str();
    if (!unit_ || unit_->find(function)) return;
    Error& error = fail("names the function `" + function + "`, which does not exist");
    const NamedGraph* nearest = nullptr;
    unsigned best = static_cast<unsigned>(function.size() / 3 + 1);
    for (const NamedGraph& candidate : unit_->functions()) {
      unsigned distance = llvm::StringRef(function).edit_distance(candidate.name, true, best);
      if (distance > best || (nearest && distance == best)) continue;
      best = distance;
      nearest = &candidate;
    }
    if (nearest) error.notes.push_back({"did you mean `" + nearest->name + "`?", {}});
    return;
  }
  const Attribute* value = node_.attributes().find(Builtin::Value);
  if (!value) {
    if (!isUnknown(type) && !fits(Type::noneType(), type))
      fail("has no value, but has type " + type->str());
    return;
  }
  if (value->isVerbatim() || isUnknown(type)) return;
  auto wants = [&](std::initializer_list<TypeKind> kinds, llvm::StringRef what) {
    const Type* bare = type->is(TypeKind::Optional) ? type->element() : type;
    for (TypeKind kind : kinds)
      if (bare->is(kind)) return;
    if (!bare->is(TypeKind::Union)) fail("holds " + what + ", but has type " + type->str());
  };
  switch (value->kind) {
  case AttrKind::i: // also flags, dtypes, layouts
    if (type->is(TypeKind::Bool) && !isFlag(value->value.toInt()))
      fail("holds " + std::to_string(value->value.toInt()) + ", but has type bool");
    return wants({TypeKind::Int, TypeKind::Bool, TypeKind::Number, TypeKind::SymInt}, "an int");
  case AttrKind::f:
    return wants({TypeKind::Float, TypeKind::Number}, "a float");
  case AttrKind::c:
    return wants({TypeKind::Complex, TypeKind::Number}, "a complex number");
  case AttrKind::s:
    return wants({TypeKind::Str, TypeKind::Device, TypeKind::Storage, TypeKind::Generator,
                  TypeKind::Stream, TypeKind::QScheme},
                 "a string");
  case AttrKind::t:
    return wants({TypeKind::Tensor}, "a tensor");
  case AttrKind::fs:
  case AttrKind::cs:
  case AttrKind::is:
  case AttrKind::ss:
  case AttrKind::ts:
    return wants({TypeKind::List, TypeKind::AnyList}, "a list");
  case AttrKind::ival:
    if (!holds(value->value, type))
      fail("holds " + typeOf(node_.context(), value->value)->str() + ", but has type " +
           type->str());
    return;
  case AttrKind::g:
  case AttrKind::gs:
  case AttrKind::ty:
  case AttrKind::tys:
    fail("has the wrong kind of attribute `value`");
    return;
  }
}

void Check::ifNode() {
  operand(0, Type::boolType());
  for (const Block* block : node_.blocks()) {
    if (!block->inputs().empty()) fail("has a block with inputs");
    if (block->outputs().size() != numOutputs()) {
      sizes(block->outputs().size(), numOutputs(), "outputs of a block");
      continue;
    }
    for (std::size_t i = 0; i < numOutputs(); ++i)
      flow(block->outputs()[i], output(i), "has a block whose output");
  }
}

/// block0 has no inputs; block1 has the error, a future that failed.
void Check::tryNode() {
  const Block *body = node_.blocks()[0], *handler = node_.blocks()[1];
  sizes(body->inputs().size(), 0, "inputs of its first block");
  sizes(handler->inputs().size(), 1, "inputs of its second block");
  for (const Value* error : handler->inputs())
    if (!mayBe(error, TypeKind::Future)) fail("has the error as " + text(error));
  for (const Block* block : node_.blocks()) {
    sizes(block->outputs().size(), numOutputs(), "outputs of a block");
    if (block->outputs().size() != numOutputs()) continue;
    for (std::size_t i = 0; i < numOutputs(); ++i)
      flow(block->outputs()[i], output(i), "has a block whose output");
  }
}

void Check::reraise() {
  if (!mayBe(input(0), TypeKind::Future)) fail("wants a Future, not " + text(input(0)));
}

void Check::loop() {
  operand(0, Type::intType());
  operand(1, Type::boolType());
  const Block* body = node_.blocks()[0];
  std::size_t carried = numInputs() - 2, before = report_.count();
  sizes(numOutputs(), carried, "results");
  sizes(body->inputs().size(), carried + 1, "inputs of its block");
  sizes(body->outputs().size(), carried + 1, "outputs of its block");
  if (report_.count() != before) return;
  flow(Type::intType(), body->inputs()[0], "has a trip count that");
  if (!mayBe(body->outputs()[0], TypeKind::Bool))
    fail("goes on by " + text(body->outputs()[0]) + ", which is not a bool");
  for (std::size_t i = 0; i < carried; ++i) {
    flow(input(i + 2), body->inputs()[i + 1], "has a carried value that");
    flow(body->outputs()[i + 1], body->inputs()[i + 1], "has a block whose output");
    flow(body->outputs()[i + 1], output(i), "has a block whose output");
  }
}

void Check::callFunction() {
  operand(0, Type::FunctionType());
  const Node* constant = input(0)->node();
  if (!unit_ || !constant || constant->op() != Builtin::Constant) return;
  const Attribute* name = constant->attributes().find(Builtin::Name);
  if (!name || !name->value.isString()) return; // reported at the constant
  if (const Graph* callee = unit_->find(name->value.toStringRef())) call(*callee, 1);
}

void Check::callMethod() {
  const Attribute* name = attribute(Builtin::Name, AttrKind::s);
  if (!unit_ || !name || name->isVerbatim() || !name->value.isString()) return;
  if (const Graph* callee = unit_->findMethod(known(input(0)), name->value.toStringRef()))
    call(*callee, 0);
}

void Check::call(const Graph& callee, std::size_t first) {
  std::size_t before = report_.count();
  sizes(numInputs() - first, callee.inputs().size(), "arguments");
  sizes(numOutputs(), 1, "results");
  if (report_.count() != before) return;
  for (std::size_t i = first; i < numInputs(); ++i) {
    const Type* wanted = known(callee.inputs()[i - first]);
    if (!fits(known(input(i)), wanted))
      fail("has operand " + llvm::Twine(i) + ", " + text(input(i)) + ", where " + wanted->str() +
           " is wanted");
  }
  std::string given = misfit(callee, known(output(0)));
  if (!given.empty()) fail("gives " + text(output(0)) + ", but what it calls gives " + given);
}

void Check::wait() {
  const Type* type = known(input(0));
  if (isUnknown(type) || isPlainTensor(type)) return;
  if (type->is(TypeKind::Future))
    flow(type->element(), output(0), "has a result that");
  else
    fail("wants a Future, not " + text(input(0)));
}

void Check::tupleConstruct() {
  const Type* type = known(output(0));
  if (isUnknown(type) || type->is(TypeKind::AnyTuple)) return;
  if (!type->is(TypeKind::Tuple)) {
    fail("makes no tuple, but " + text(output(0)));
    return;
  }
  sizes(numInputs(), type->elements().size(), "operands");
  if (numInputs() != type->elements().size()) return;
  for (std::size_t i = 0; i < numInputs(); ++i)
    if (!fits(known(input(i)), type->elements()[i]))
      fail("has operand " + llvm::Twine(i) + ", " + text(input(i)) + ", where " +
           type->elements()[i]->str() + " is wanted");
}

void Check::tupleUnpack() {
  const Type* type = known(input(0));
  if (isUnknown(type) || type->is(TypeKind::AnyTuple)) return;
  if (!type->is(TypeKind::Tuple)) {
    fail("wants a tuple, not " + text(input(0)));
    return;
  }
  sizes(numOutputs(), type->elements().size(), "results");
  if (numOutputs() != type->elements().size()) return;
  for (std::size_t i = 0; i < numOutputs(); ++i)
    flow(type->elements()[i], output(i), "has an element that");
}

void Check::tupleIndex() {
  if (!mayBe(input(0), TypeKind::Tuple) && !mayBe(input(0), TypeKind::AnyTuple))
    fail("wants a tuple, not " + text(input(0)));
  operand(1, Type::intType());
}

void Check::tupleSlice() {
  if (!mayBe(input(0), TypeKind::Tuple) && !mayBe(input(0), TypeKind::AnyTuple))
    fail("wants a tuple, not " + text(input(0)));
  attribute(Builtin::Beg, AttrKind::i);
  attribute(Builtin::End, AttrKind::i);
}

void Check::listConstruct() {
  const Type* type = known(output(0));
  if (isUnknown(type) || type->is(TypeKind::AnyList)) return;
  if (!type->is(TypeKind::List)) {
    fail("makes no list, but " + text(output(0)));
    return;
  }
  for (std::size_t i = 0; i < numInputs(); ++i)
    if (!fits(known(input(i)), type->element()))
      fail("has operand " + llvm::Twine(i) + ", " + text(input(i)) + ", where " +
           type->element()->str() + " is wanted");
}

void Check::listUnpack() {
  const Type* type = known(input(0));
  if (isUnknown(type) || type->is(TypeKind::AnyList)) return;
  if (!type->is(TypeKind::List)) {
    fail("wants a list, not " + text(input(0)));
    return;
  }
  for (std::size_t i = 0; i < numOutputs(); ++i)
    flow(type->element(), output(i), "has an element that");
}

void Check::dictConstruct() {
  const Type* type = known(output(0));
  if (numInputs() % 2) fail("has a key without a value");
  if (isUnknown(type)) return;
  if (!type->is(TypeKind::Dict)) {
    fail("makes no dict, but " + text(output(0)));
    return;
  }
  for (std::size_t i = 0; i < numInputs(); ++i)
    if (!fits(known(input(i)), type->elements()[i % 2]))
      fail("has " + llvm::Twine(i % 2 ? "value " : "key ") + text(input(i)) + ", where " +
           type->elements()[i % 2]->str() + " is wanted");
}

/// Is it what TorchScript leaves of a number's type when it erases those?
bool isErasedNumber(const Type* type) {
  return type->is(TypeKind::Tensor) && type->tensor().dtype && type->tensor().sizes.empty();
}

/// Do the two tensor types contradict each other?
bool agree(const TensorInfo& a, const TensorInfo& b) {
  if (a.dtype && b.dtype && a.dtype != b.dtype) return false;
  return !a.hasRank || !b.hasRank || a.sizes.size() == b.sizes.size();
}

} // namespace

Error& VerifyReport::add(const Node* node, std::string message) {
  Error error(error_kind::Verify, std::move(message), placeOf(node));
  std::string where = "in ";
  if (node) where += describe(*node) + " of ";
  error.notes.push_back({where + "`" + function_.str() + "`", {}});
  errors_.push_back(std::move(error));
  return errors_.back();
}

void VerifyReport::note(Error& error, std::string message, const Value& definition) {
  const Node* node = definition.node();
  if (node) message += ": " + describe(*node);
  error.notes.push_back({std::move(message), placeOf(node)});
}

std::string VerifyReport::describe(const Value* value) const {
  if (!value) return "null";
  return GraphAccess::owns(graph_, value) ? "%" + value->displayName() : "%?";
}

std::string VerifyReport::describe(const Node& node) const {
  std::string out;
  auto values = [&](std::size_t count, auto value, bool typed) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i) out += ", ";
      if (i == kShown) {
        out += "...";
        break;
      }
      out += describe(value(i));
      if (typed && GraphAccess::owns(graph_, value(i)))
        out += " : " + (value(i)->type() ? value(i)->type()->str() : "?");
    }
  };
  auto inputs = [&] {
    out += '(';
    values(
        node.numInputs(), [&](std::size_t i) { return node.input(i); }, false);
    out += ')';
  };
  auto outputs = [&] {
    values(
        node.numOutputs(), [&](std::size_t i) { return node.output(i); }, true);
  };
  if (node.kind().is(Builtin::Return)) {
    out = "return ";
    inputs();
  } else if (node.kind().is(Builtin::Param)) {
    out = "inputs (";
    outputs();
    out += ')';
  } else {
    outputs();
    if (node.numOutputs()) out += " = ";
    out += node.kind().str();
    inputs();
  }
  return out;
}

void verifyNode(const Node& node, const CompilationUnit* unit, VerifyReport& report) {
  Check(node, unit, report).run();
}

void verifySubgraph(const Node& node, const Graph& body, VerifyReport& report) {
  // A closure is given its captures as one tuple; operators outside prim pass what they like.
  if (node.op() == Builtin::Closure || node.kind().ns() != "prim") return;
  auto fail = [&](const llvm::Twine& message) {
    report.add(&node, (node.kind().str() + " " + message).str());
  };
  auto type = [](const Value* value) { return known(value)->str(); };
  if (body.inputs().size() != node.numInputs()) {
    fail("has " + llvm::Twine(node.numInputs()) + " operands, but its body has " +
         llvm::Twine(body.inputs().size()) + " inputs");
  } else {
    for (std::size_t i = 0; i < node.numInputs(); ++i)
      if (!fits(known(node.input(i)), known(body.inputs()[i])))
        fail("has operand " + llvm::Twine(i) + ", " + report.describe(node.input(i)) + " of type " +
             type(node.input(i)) + ", where its body takes " + type(body.inputs()[i]));
  }
  if (node.op() != Builtin::Fork) return; // graphs for autodiff have more outputs than results
  const Type* future = known(node.output());
  if (isUnknown(future) || isPlainTensor(future)) return;
  if (!future->is(TypeKind::Future)) {
    fail("gives a Future, not " + future->str());
    return;
  }
  std::string given = misfit(body, future->element());
  if (!given.empty()) fail("gives " + future->str() + ", but its body gives " + given);
}

bool fits(const Type* from, const Type* to) {
  struct Pair {
    const Type *from, *to;
    bool exact; ///< inside a container that can be written to
  };
  llvm::SmallVector<Pair, 8> pending{{from, to, false}};
  while (!pending.empty()) {
    auto [a, b, exact] = pending.pop_back_val();
    if (a == b || isUnknown(a) || isUnknown(b)) continue;
    if (a->is(TypeKind::Tensor) && b->is(TypeKind::Tensor)) {
      if (!exact && !agree(a->tensor(), b->tensor())) return false;
      continue;
    }
    if (!exact && b->is(TypeKind::Optional) && !a->is(TypeKind::Union)) {
      if (!a->is(TypeKind::None))
        pending.push_back({a->is(TypeKind::Optional) ? a->element() : a, b->element(), false});
      continue;
    }
    if (isErasedNumber(a) &&
        (b->is(TypeKind::Number) || isSubtype(b, Type::NumberType()) || b->is(TypeKind::Bool)))
      continue;
    // TorchScript leaves the list of futures when it replaces forks by their bodies.
    if (isPlainTensor(a) && b->is(TypeKind::Future)) continue;
    bool container = a->is(TypeKind::List) || a->is(TypeKind::Dict);
    if (a->kind() == b->kind() && !a->elements().empty() && !a->is(TypeKind::Union)) {
      if (a->elements().size() != b->elements().size()) return false;
      for (std::size_t i = 0; i < a->elements().size(); ++i)
        pending.push_back({a->elements()[i], b->elements()[i], exact || container});
      continue;
    }
    if (exact ? !equal(a, b) : !isSubtype(a, b)) return false;
  }
  return true;
}

} // namespace tine
