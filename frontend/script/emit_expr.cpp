#include "frontend/script/emitter.h"
#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/ops.h"

#include <algorithm>

namespace tine::script {

Value* Emitter::asValue(const Meaning& meaning, Range range) {
  if (meaning.isValue()) return meaning.value;
  if (meaning.kind == Meaning::Tuple) {
    llvm::SmallVector<Value*, 4> items;
    llvm::SmallVector<const Type*, 4> types;
    for (const Meaning& child : meaning.children) {
      items.push_back(asValue(child, range));
      types.push_back(items.back()->type());
    }
    return insert("prim::TupleConstruct", items, tupleOf(context_, types))->output();
  }
  if (meaning.kind == Meaning::None) return constant(IValue());
  if (meaning.kind == Meaning::Caught) // its text
    return builtin("tine::error_message", range, {given(meaning.value)}, {}, std::nullopt, false);
  if (meaning.kind == Meaning::Poison) throw Stop();
  const char* what = meaning.kind == Meaning::Module     ? "a module"
                     : meaning.kind == Meaning::Function ? "a function"
                                                         : nullptr;
  fail(range, (what ? what : meaning.describe()) + " cannot be used as a value");
}

Value* Emitter::value(const Expr* expr, const Type* hint) {
  Value* result = asValue(meaning(expr, hint), expr->range);
  if (hint && hint->is(TypeKind::Any) && !result->type()->is(TypeKind::Any))
    result = castTo(hint, result);
  return result;
}

/// What is called, or has the attribute or element; null when it is none of these.
static const Expr* objectOf(const Expr* expr) {
  if (auto* node = llvm::dyn_cast<Attribute>(expr)) return node->object;
  if (auto* node = llvm::dyn_cast<Call>(expr)) return node->callee;
  if (auto* node = llvm::dyn_cast<Subscript>(expr)) return node->object;
  return nullptr;
}

Meaning Emitter::meaning(const Expr* expr, const Type* hint) {
  llvm::SmallVector<const Expr*, 4> spine; // of `a.b(c)[d]`, the outermost first
  const Expr* first = expr;
  for (; const Expr* object = objectOf(first); first = object) spine.push_back(first);
  Meaning result = primary(first, spine.empty() ? hint : nullptr);
  for (const Expr* node : llvm::reverse(spine)) {
    if (auto* attribute = llvm::dyn_cast<Attribute>(node))
      result = memberOf(result, attribute->name.text, node->range, attribute->name.range);
    else if (auto* call = llvm::dyn_cast<Call>(node))
      result = this->call(result, *call, node == expr ? hint : nullptr);
    else
      result = subscript(result, *llvm::cast<Subscript>(node));
  }
  return result;
}

Meaning Emitter::primary(const Expr* expr, const Type* hint) {
  if (auto* name = llvm::dyn_cast<Name>(expr)) return lookup(name->name, name->range);
  if (auto* node = llvm::dyn_cast<Lambda>(expr)) {
    auto info = std::make_shared<ClosureInfo>();
    info->lambda = node;
    keepDefaults(*info);
    Meaning meaning = Meaning::of(Meaning::Closure, "lambda");
    meaning.closure = std::move(info);
    return meaning;
  }
  return simple(expr, hint);
}

llvm::SmallVector<Value*, 6> Emitter::values(Exprs list, bool unpackStarred) {
  llvm::SmallVector<Value*, 6> out;
  for (const Given& given : givens(list, unpackStarred)) out.push_back(given.value);
  return out;
}

Givens Emitter::givens(Exprs list, bool unpackStarred) {
  Givens out;
  for (const Expr* expr : list) {
    auto* starred = llvm::dyn_cast<Starred>(expr);
    if (!starred) {
      out.push_back(given(value(expr), expr->range));
      continue;
    }
    if (!unpackStarred) fail(expr->range, "'*' has no place here", error_kind::Syntax);
    for (const Meaning& item : asTuple(meaning(starred->value), expr->range))
      out.push_back(given(asValue(item, expr->range), expr->range));
  }
  return out;
}

Value* Emitter::simple(const Expr* expr, const Type* hint) {
  const Range range = expr->range;
  switch (expr->kind) {
  case ExprKind::Number: {
    const auto& number = llvm::cast<Number>(expr)->value;
    if (auto* integer = std::get_if<std::int64_t>(&number)) return pooledInt(*integer, range);
    if (auto* real = std::get_if<double>(&number)) return pooledFloat(*real, range);
    return pooledComplex(std::get<std::complex<double>>(number), range);
  }
  case ExprKind::String:
    return constant(IValue(llvm::cast<String>(expr)->value.str()), range);
  case ExprKind::FString:
    return formatted(*llvm::cast<FString>(expr));
  case ExprKind::Formatted: {
    const auto& part = *llvm::cast<Formatted>(expr);
    Value* text = value(part.value);
    return builtin("tine::format", range,
                   {given(text), given(constant(IValue(part.spec.str()), range))});
  }
  case ExprKind::Constant:
    switch (llvm::cast<Constant>(expr)->value) {
    case Constant::True:
      return constant(true, range);
    case Constant::False:
      return constant(false, range);
    case Constant::None:
      return constant(IValue(), range);
    case Constant::Ellipsis:
      fail(range, "'...' has no place here", error_kind::Syntax);
    }
    break;
  case ExprKind::Unary:
    return unary(*llvm::cast<Unary>(expr));
  case ExprKind::Binary:
    return binary(*llvm::cast<Binary>(expr));
  case ExprKind::Compare:
    return comparison(*llvm::cast<Compare>(expr));
  case ExprKind::Logical:
    return condition(expr).value;
  case ExprKind::Ternary:
    return ternary(*llvm::cast<Ternary>(expr), hint);
  case ExprKind::List:
    return listLiteral(*llvm::cast<List>(expr), hint);
  case ExprKind::Tuple: {
    const auto& items = llvm::cast<Tuple>(expr)->items;
    llvm::SmallVector<Value*, 6> list;
    const auto hints =
        hint && hint->is(TypeKind::Tuple) ? hint->elements() : llvm::ArrayRef<const Type*>();
    const bool starred = std::any_of(items.begin(), items.end(),
                                     [](const Expr* item) { return llvm::isa<Starred>(item); });
    if (hints.size() == items.size() && !starred)
      for (std::size_t i = 0; i < items.size(); ++i) list.push_back(value(items[i], hints[i]));
    else
      list = values(items, true);
    llvm::SmallVector<const Type*, 4> types;
    for (Value* item : list) types.push_back(item->type());
    return insert("prim::TupleConstruct", list, tupleOf(context_, types))->output();
  }
  case ExprKind::Dict:
    return dictLiteral(*llvm::cast<Dict>(expr), hint);
  case ExprKind::Comprehension:
    return comprehension(*llvm::cast<Comprehension>(expr), hint);
  case ExprKind::Set:
    fail(range, "sets are not part of TorchScript", error_kind::Unsupported);
  case ExprKind::Slice:
  case ExprKind::Starred:
    fail(range, "this has no place here", error_kind::Syntax);
  case ExprKind::Name:
  case ExprKind::Call:
  case ExprKind::Attribute:
  case ExprKind::Subscript:
  case ExprKind::Lambda:
    break;
  }
  TINE_UNREACHABLE("expression");
}

Value* Emitter::formatted(const FString& expr) {
  Value* format = constant(IValue(expr.format.str()), expr.range);
  return builtin("aten::format", expr.range, givens(expr.values, false), {},
                 given(format, expr.range));
}

// ---- operators ----------------------------------------------------------------------------------

/// TorchScript computes some expressions twice, and throws one of the values away, which numbers
/// show. Tine does so where it cannot be noticed otherwise.
bool Emitter::isSimple(const Expr* expr) {
  if (llvm::isa<Name>(expr) || llvm::isa<Number>(expr) || llvm::isa<String>(expr) ||
      llvm::isa<Constant>(expr))
    return true;
  const auto simple = [](const Expr* part) { return isSimple(part); };
  if (auto* unary = llvm::dyn_cast<Unary>(expr)) return isSimple(unary->operand);
  if (auto* list = llvm::dyn_cast<List>(expr))
    return std::all_of(list->items.begin(), list->items.end(), simple);
  if (auto* compare = llvm::dyn_cast<Compare>(expr))
    return compare->rest.size() == 1 && compare->ops[0] < CompareOp::Is &&
           isSimple(compare->first) && isSimple(compare->rest[0]);
  if (auto* call = llvm::dyn_cast<Call>(expr)) { // torch.tensor([0, 2])
    auto* name = llvm::dyn_cast<Attribute>(call->callee);
    return name && name->name.text == "tensor" && llvm::isa<Name>(name->object) &&
           call->keywords.empty() &&
           std::all_of(call->arguments.begin(), call->arguments.end(), simple);
  }
  for (int i = 0; i < 8; ++i) { // a spine of a few operators
    auto* binary = llvm::dyn_cast<Binary>(expr);
    if (!binary || binary->op == BinaryOp::Modulo || !isSimple(binary->rhs)) break;
    expr = binary->lhs;
    if (!llvm::isa<Binary>(expr)) return isSimple(expr);
  }
  return false;
}

/// The same, with attributes, items and lengths.
bool Emitter::isRepeatable(const Expr* expr) {
  const auto simple = [](const Expr* part) { return isSimple(part); };
  while (auto* attribute = llvm::dyn_cast<Attribute>(expr)) expr = attribute->object;
  if (isSimple(expr)) return true;
  if (auto* subscript = llvm::dyn_cast<Subscript>(expr))
    return isSimple(subscript->object) &&
           std::all_of(subscript->indices.begin(), subscript->indices.end(), simple);
  if (auto* call = llvm::dyn_cast<Call>(expr)) {
    auto* name = llvm::dyn_cast<Name>(call->callee);
    return name && (name->name == "len" || name->name == "abs" || name->name == "int") &&
           call->keywords.empty() &&
           std::all_of(call->arguments.begin(), call->arguments.end(), simple);
  }
  auto* binary = llvm::dyn_cast<Binary>(expr);
  if (!binary || binary->op == BinaryOp::Modulo || llvm::isa<Binary>(binary->rhs)) return false;
  return isRepeatable(binary->rhs) && !llvm::isa<Binary>(binary->lhs) && isRepeatable(binary->lhs);
}

/// `a + b + c` leans to the left as long as it is: down in a loop, and up again.
Value* Emitter::binary(const Binary& expr) {
  llvm::SmallVector<const Binary*, 8> spine{&expr};
  while (auto* lower = llvm::dyn_cast<Binary>(spine.back()->lhs)) spine.push_back(lower);
  Value* result = nullptr;
  for (const Expr* lhs = spine.back()->lhs; !spine.empty(); spine.pop_back()) {
    const Binary& node = *spine.back();
    // TorchScript computes the left side of `%` twice, which numbers show, and uses the second.
    const bool twice = node.op == BinaryOp::Modulo && isRepeatable(node.lhs);
    if (!result) result = value(lhs);
    if (twice) result = value(node.lhs);
    if (node.op == BinaryOp::Modulo && result->type()->is(TypeKind::Str)) {
      Value* rhs = value(node.rhs);
      result = insert("aten::percentFormat", {result, rhs}, Type::strType(), node.range)->output();
      continue;
    }
    Value* rhs = value(node.rhs);
    if (node.op == BinaryOp::Add && result->type()->is(TypeKind::Tuple) &&
        rhs->type()->is(TypeKind::Tuple)) {
      llvm::SmallVector<Value*, 4> items = unpack(result);
      llvm::SmallVector<Value*, 4> more = unpack(rhs);
      items.append(more.begin(), more.end());
      llvm::SmallVector<const Type*, 4> types;
      for (Value* item : items) types.push_back(item->type());
      result = insert("prim::TupleConstruct", items, tupleOf(context_, types))->output();
      continue;
    }
    result = binaryOf(node.op, node.range, given(result, lhs->range), given(rhs, node.rhs->range));
  }
  return result;
}

Value* Emitter::binaryOf(BinaryOp op, Range range, Given lhs, Given rhs) {
  return builtin(kindOf(op), range, {lhs, rhs});
}

Value* Emitter::unary(const Unary& expr) {
  if (expr.op == UnaryOp::Not) return condition(&expr).value;
  Value* operand = value(expr.operand);
  if (expr.op == UnaryOp::Positive) {
    const Type* type = operand->type();
    if (!isTensor(type)) {
      if (type->is(TypeKind::Int) || type->is(TypeKind::Float)) return operand;
      fail(expr.range, "'+' before a value of type " + spelled(type));
    }
  }
  Value* result = builtin(kindOf(expr.op), expr.range, {given(operand, expr.operand->range)});
  // `-1` is a constant.
  auto folded = runOnConstants(compiler_.ops(), *result->node());
  return folded ? constant(*std::move(folded), expr.range) : result;
}

/// `a < b < c` is `a < b and b < c`, with b computed once; names may be looked up again.
Value* Emitter::comparison(const Compare& expr) {
  const bool identity = expr.ops[0] == CompareOp::Is || expr.ops[0] == CompareOp::IsNot;
  if (expr.ops.size() == 1) {
    if (identity || expr.ops[0] == CompareOp::NotIn) return condition(&expr).value;
    Value* lhs = value(expr.first);
    Value* rhs = value(expr.rest[0]);
    return compareOf(expr.ops[0], expr.range, given(lhs, expr.first->range),
                     given(rhs, expr.rest[0]->range));
  }
  const bool repeatable = std::all_of(expr.rest.begin(), expr.rest.end() - 1, isRepeatable);
  return repeatable ? comparisonCondition(expr).value : chained(expr, 0, value(expr.first));
}

Condition Emitter::comparisonCondition(const Compare& expr) {
  const auto pair = [&](std::size_t i) {
    const Expr *lhs = i ? expr.rest[i - 1] : expr.first, *rhs = expr.rest[i];
    const Range range{lhs->range.begin, rhs->range.end};
    Value* left = value(lhs);
    Condition out;
    out.value = truth(range, compareOf(expr.ops[i], range, given(left), given(value(rhs))));
    return out;
  };
  Condition all = pair(0);
  for (std::size_t i = 1; i < expr.ops.size(); ++i)
    all = joined(true, all, {expr.range.begin, expr.rest[i]->range.end}, [&] { return pair(i); });
  return all;
}

Value* Emitter::compareOf(CompareOp op, Range range, Given lhs, Given rhs) {
  if (op == CompareOp::In || op == CompareOp::NotIn) std::swap(lhs, rhs);
  Value* result = builtin(kindOf(op), range, {lhs, rhs});
  if (op != CompareOp::NotIn) return result;
  return builtin("aten::__not__", range, {given(truth(range, result))});
}

Value* Emitter::chained(const Compare& expr, std::size_t i, Value* lhs) {
  Value* rhs = value(expr.rest[i]);
  Value* first = compareOf(expr.ops[i], expr.range, given(lhs), given(rhs));
  if (i + 1 == expr.ops.size()) return first;
  Condition holds;
  holds.value = truth(expr.range, first);
  return branchValue(
      expr.range, holds, [&] { return truth(expr.range, chained(expr, i + 1, rhs)); },
      [&] { return constant(false, expr.range); });
}

// ---- conditions ---------------------------------------------------------------------------------

namespace {

/// What holds when both hold: of two types for one variable, none.
Refinements both(const Refinements& a, const Refinements& b) {
  Refinements out = a;
  for (const Refinement& r : b) {
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const Refinement& e) { return e.variable == r.variable; });
    if (same == out.end())
      out.push_back(r);
    else if (same->type != r.type)
      out.erase(same);
  }
  return out;
}

/// What holds when one of them holds.
Refinements either(const Refinements& a, const Refinements& b) {
  Refinements out;
  for (const Refinement& r : a)
    for (const Refinement& s : b)
      if (r.variable == s.variable && r.type == s.type) out.push_back(r);
  return out;
}

enum class Noneness : std::uint8_t { Always, Maybe, Never };
Noneness noneness(const Value* value) {
  if (value->type()->is(TypeKind::None)) return Noneness::Always;
  const Node* node = value->node();
  if (node->op() == Builtin::Constant && !node->attributes().has(Builtin::Value) &&
      !node->attributes().has(Builtin::Name))
    return Noneness::Always;
  return withoutNone(value->node()->context(), value->type()) ? Noneness::Maybe : Noneness::Never;
}

bool isNone(const Expr* expr) {
  auto* node = llvm::dyn_cast<Constant>(expr);
  return node && node->value == Constant::None;
}

} // namespace

Condition Emitter::constantCondition(bool value, Range range) {
  Condition out;
  out.value = constant(value, range);
  out.known = value;
  return out;
}

/// A bool for any value that has a truth.
Value* Emitter::truth(Range range, Value* value) {
  Meaning cast = Meaning::of(Meaning::Cast, "aten::Bool"); // whatever the file calls `bool`
  cast.type = Type::boolType();
  return asValue(apply(cast, range, {given(value, range)}, {}), range);
}

Condition Emitter::condition(const Expr* expr) {
  if (auto* node = llvm::dyn_cast<Logical>(expr)) return logical(*node);
  if (auto* node = llvm::dyn_cast<Unary>(expr); node && node->op == UnaryOp::Not) {
    Condition inside = condition(node->operand);
    inside.value = builtin("aten::__not__", expr->range, {given(inside.value)});
    std::swap(inside.whenTrue, inside.whenFalse);
    if (inside.known) inside.known = !*inside.known;
    return inside;
  }
  if (auto* node = llvm::dyn_cast<Compare>(expr);
      node && node->ops.size() == 1 &&
      (node->ops[0] == CompareOp::Is || node->ops[0] == CompareOp::IsNot))
    return identity(*node);
  if (auto* node = llvm::dyn_cast<Compare>(expr);
      node && node->ops.size() == 1 && node->ops[0] == CompareOp::NotIn) {
    Value* lhs = value(node->first);
    Value* rhs = value(node->rest[0]);
    Condition out;
    out.value = compareOf(CompareOp::NotIn, expr->range, given(lhs), given(rhs));
    return out;
  }
  if (auto* node = llvm::dyn_cast<Compare>(expr);
      node && node->ops.size() > 1 &&
      std::all_of(node->rest.begin(), node->rest.end() - 1, isRepeatable))
    return comparisonCondition(*node);
  if (auto* node = llvm::dyn_cast<Call>(expr)) {
    if (auto* callee = llvm::dyn_cast<Name>(node->callee); callee && callee->name == "isinstance" &&
                                                           node->arguments.size() == 2 &&
                                                           meaning(callee).isSpecial("isinstance"))
      return isInstance(node->arguments[0], node->arguments[1]);
    // TorchScript looks at the callee once more.
    if (isRepeatable(node->callee)) meaning(node->callee);
  }
  Condition out;
  out.value = truth(expr->range, value(expr));
  if (auto known = this->known(out.value); known && known->isBool()) out.known = known->toBool();
  return out;
}

Condition Emitter::identity(const Compare& expr) {
  const bool is = expr.ops[0] == CompareOp::Is;
  const Expr *left = expr.first, *right = expr.rest[0];
  Value* lhs = value(left);
  Value* rhs = value(right);
  const Noneness a = noneness(lhs), b = noneness(rhs);
  if (a == Noneness::Always && b == Noneness::Always) return constantCondition(is, expr.range);
  if ((a == Noneness::Always && b == Noneness::Never) ||
      (a == Noneness::Never && b == Noneness::Always))
    return constantCondition(!is, expr.range);
  Condition out;
  out.value = builtin(kindOf(expr.ops[0]), expr.range, {given(lhs), given(rhs)});
  if (isNone(left) && !isNone(right)) {
    std::swap(left, right);
    std::swap(lhs, rhs);
  }
  auto* name = llvm::dyn_cast<Name>(left);
  const Type* rest = withoutNone(context_, lhs->type());
  if (!name || !isNone(right) || !rest) return out;
  (is ? out.whenFalse : out.whenTrue).push_back({name->name.str(), rest});
  return out;
}

Condition Emitter::logical(const Logical& expr) {
  Condition all = condition(expr.operands[0]);
  for (const Expr* operand : expr.operands.drop_front())
    all = joined(expr.isAnd, all, {expr.range.begin, operand->range.end},
                 [&] { return condition(operand); });
  return all;
}

/// `left and right`, where right is computed only if left does not decide.
Condition Emitter::joined(bool isAnd, const Condition& left, Range range,
                          llvm::function_ref<Condition()> emitRight) {
  Condition right, out;
  const auto more = [&] {
    right = emitRight();
    return right.value;
  };
  const auto done = [&] { return constant(!isAnd, range); };
  if (isAnd) {
    out.value = branchValue(range, left, more, done);
    out.whenTrue = both(left.whenTrue, right.whenTrue);
    out.whenFalse = either(left.whenFalse, right.whenFalse);
  } else {
    out.value = branchValue(range, left, done, more);
    out.whenTrue = either(left.whenTrue, right.whenTrue);
    out.whenFalse = both(left.whenFalse, right.whenFalse);
  }
  const auto decides = [&](const Condition& c) { return c.known && *c.known != isAnd; };
  if (decides(left) || decides(right))
    out.known = !isAnd;
  else if (left.known && right.known)
    out.known = isAnd;
  return out;
}

Condition Emitter::isInstance(const Expr* object, const Expr* classes) {
  llvm::SmallVector<const Type*, 2> types;
  llvm::SmallVector<const Expr*, 4> work{classes};
  while (!work.empty()) {
    const Expr* expr = work.pop_back_val();
    if (auto* tuple = llvm::dyn_cast<Tuple>(expr))
      work.append(tuple->items.rbegin(), tuple->items.rend());
    else
      types.push_back(compiler_.classType(expr));
  }
  Value* operand = value(object);
  const Type* actual = operand->type();
  Condition out;
  auto* name = llvm::dyn_cast<Name>(object);
  const auto of = [](const Type* type, TypeKind any, TypeKind kind) {
    return type->is(any) || type->is(kind);
  };
  const auto subtype = [&](const Type* a, const Type* b) {
    if (b->is(TypeKind::AnyList)) return of(a, TypeKind::AnyList, TypeKind::List);
    if (b->is(TypeKind::AnyTuple)) return of(a, TypeKind::AnyTuple, TypeKind::Tuple);
    return isSubtype(a, b);
  };
  bool always = false, never = true;
  // What an Optional, Union or Any may be.
  llvm::SmallVector<const Type*, 4> members;
  if (actual->is(TypeKind::Optional))
    members = {actual->element(), Type::noneType()};
  else if (actual->is(TypeKind::Union))
    members.assign(actual->elements().begin(), actual->elements().end());
  else
    members = {actual};
  llvm::SmallVector<const Type*, 4> yes, no;
  for (const Type* member : members) {
    const bool matches = std::any_of(types.begin(), types.end(),
                                     [&](const Type* type) { return subtype(member, type); });
    (matches ? yes : no).push_back(member);
    if (matches || !member->is(TypeKind::Interface)) continue;
    std::string lacks;
    for (const Type* type : types) // it may be an object of each class with the methods
      if (type->is(TypeKind::Class) && compiler_.implements(type, member, lacks))
        yes.push_back(type);
  }
  always = no.empty();
  never = yes.empty();
  if (actual->is(TypeKind::Any)) always = always && false, never = false;
  for (const Type* type : types)
    if (actual->is(TypeKind::Number) && isSubtype(type, actual)) never = false;
  if (name) {
    const auto joined = [&](llvm::ArrayRef<const Type*> list) -> const Type* {
      if (list.empty()) return nullptr;
      return unify(context_, list, true);
    };
    if (actual->is(TypeKind::Any) || actual->is(TypeKind::Number)) {
      if (types.size() == 1) out.whenTrue.push_back({name->name.str(), types[0]});
      if (actual->is(TypeKind::Any)) out.whenFalse.push_back({name->name.str(), actual});
    } else {
      if (const Type* type = joined(yes); type && type != actual)
        out.whenTrue.push_back({name->name.str(), type});
      if (const Type* type = joined(no); type && type != actual)
        out.whenFalse.push_back({name->name.str(), type});
    }
  }
  if (always || never) {
    Condition fixed = constantCondition(always, object->range);
    fixed.whenTrue = std::move(out.whenTrue);
    fixed.whenFalse = std::move(out.whenFalse);
    return fixed;
  }
  Node* node = insert("prim::isinstance", operand, Type::boolType());
  node->attributes().setTypes(context_.symbol(Builtin::Types), types);
  out.value = node->output();
  return out;
}

/// `a if b else c if d else e`: each is in the second block of the one before.
Value* Emitter::ternary(const Ternary& expr, const Type* hint) {
  struct Level {
    const Ternary* expr;
    Node* node;
    std::unique_ptr<Frame> frame;
  };
  std::vector<Level> levels;
  struct Restore {
    Emitter& emitter;
    Frame* frame;
    Node* before;
    ~Restore() { emitter.frame_ = frame, emitter.before_ = before; }
  } restore{*this, frame_, before_};
  const Expr* at = &expr;
  while (auto* choice = llvm::dyn_cast<Ternary>(at)) {
    const Condition holds = condition(choice->condition);
    if (holds.known) {
      at = *holds.known ? choice->yes : choice->no;
      continue;
    }
    Node* node = insert("prim::If", holds.value, {}, choice->range);
    Block *yes = node->addBlock(), *no = node->addBlock();
    scoped(yes, [&] {
      refine(choice->range, holds.whenTrue);
      yes->addOutput(value(choice->yes, hint));
    });
    levels.push_back({choice, node, std::make_unique<Frame>(Frame{no, frame_, {}, {}})});
    frame_ = levels.back().frame.get();
    before_ = no->ret();
    refine(choice->range, holds.whenFalse);
    at = choice->no;
  }
  Value* result = value(at, hint);
  for (Level& level : llvm::reverse(levels)) {
    level.node->blocks()[1]->addOutput(result);
    frame_ = level.frame->outer;
    before_ = level.node->next();
    result = choiceOf(level.expr->range, level.node, hint);
  }
  return result;
}

/// `prim::If` with one result.
Value* Emitter::branchValue(Range range, const Condition& condition, Emit yes, Emit no,
                            const Type* hint) {
  Node* node = insert("prim::If", condition.value, {}, range);
  Block *yesBlock = node->addBlock(), *noBlock = node->addBlock();
  const auto fill = [&](Block* block, const Refinements& refinements, Emit value) {
    scoped(block, [&] {
      refine(range, refinements);
      block->addOutput(value());
    });
  };
  fill(yesBlock, condition.whenTrue, yes);
  fill(noBlock, condition.whenFalse, no);
  return choiceOf(range, node, hint);
}

/// The result of a prim::If whose blocks have one each.
Value* Emitter::choiceOf(Range range, Node* node, const Type* hint) {
  const Type *a = node->blocks()[0]->outputs()[0]->type(),
             *b = node->blocks()[1]->outputs()[0]->type();
  const Type* type = unify(context_, a, b, hint && hint->is(TypeKind::Union));
  if (!type)
    fail(range, "the sides of a conditional expression are " + spelled(a) + " and " + spelled(b));
  return node->addOutput(type);
}

// ---- literals -----------------------------------------------------------------------------------

Value* Emitter::listLiteral(const List& expr, const Type* hint) {
  const Type* element = nullptr;
  if (hint) {
    const Type* wanted = withoutOptional(hint);
    if (wanted->is(TypeKind::Union))
      for (const Type* member : wanted->elements())
        if (member->is(TypeKind::List)) wanted = member;
    if (wanted->is(TypeKind::List))
      element = wanted->element();
    else if (!wanted->is(TypeKind::Any))
      fail(expr.range, "a list where " + spelled(hint) + " is wanted");
  }
  llvm::SmallVector<Value*, 6> items;
  if (element && !std::any_of(expr.items.begin(), expr.items.end(),
                              [](const Expr* item) { return llvm::isa<Starred>(item); }))
    for (const Expr* item : expr.items) items.push_back(value(item, element));
  else
    items = values(expr.items, true);
  if (items.empty() && !element)
    return insert("prim::EmptyListLiteral", {}, listOf(context_, Type::tensorType()))->output();
  if (!element) {
    llvm::SmallVector<const Type*, 6> types;
    for (Value* item : items) types.push_back(item->type());
    element = unify(context_, types, true);
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!isSubtype(items[i]->type(), element))
      fail(expr.items.size() == items.size() ? expr.items[i]->range : expr.range,
           "a list of " + spelled(element) + " cannot hold " + spelled(items[i]->type()));
  return insert("prim::ListConstruct", items, listOf(context_, plain(element)))->output();
}

Value* Emitter::dictLiteral(const Dict& expr, const Type* hint) {
  const Type *key = nullptr, *mapped = nullptr;
  if (hint) {
    const Type* wanted = withoutOptional(hint);
    if (wanted->is(TypeKind::Dict))
      key = wanted->elements()[0], mapped = wanted->elements()[1];
    else if (!wanted->is(TypeKind::Any) && !wanted->is(TypeKind::Union))
      fail(expr.range, "a dict where " + spelled(hint) + " is wanted");
  }
  llvm::SmallVector<Value*, 8> parts;
  for (std::size_t i = 0; i < expr.keys.size(); ++i) {
    parts.push_back(value(expr.keys[i], key));
    parts.push_back(value(expr.values[i], mapped));
  }
  if (!key && parts.empty()) key = Type::strType(), mapped = Type::tensorType();
  if (!key) {
    key = parts[0]->type();
    mapped = parts[1]->type();
    for (std::size_t i = 2; mapped && i < parts.size(); i += 2)
      mapped = unify(context_, mapped, parts[i + 1]->type(), true);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Type* wanted = i % 2 ? mapped : key;
    if (!isSubtype(parts[i]->type(), wanted))
      fail((i % 2 ? expr.values : expr.keys)[i / 2]->range,
           std::string("the ") + (i % 2 ? "values" : "keys") + " of this dict are " +
               spelled(wanted) + ", not " + spelled(parts[i]->type()));
  }
  return insert("prim::DictConstruct", parts, dictOf(context_, key, mapped))->output();
}

/// A list or dict that a loop fills, in a scope of its own.
Value* Emitter::comprehension(const Comprehension& expr, const Type* hint) {
  const bool isDict = expr.form == Comprehension::Dict;
  if (expr.form == Comprehension::Set || expr.form == Comprehension::Generator)
    fail(expr.range, "only lists and dicts are made by comprehensions", error_kind::Unsupported);
  const Type* wanted = hint ? withoutOptional(hint) : nullptr;
  if (wanted && !wanted->is(isDict ? TypeKind::Dict : TypeKind::List)) {
    if (!wanted->is(TypeKind::Any) && !wanted->is(TypeKind::Union))
      fail(expr.range,
           std::string(isDict ? "a dict" : "a list") + " where " + spelled(hint) + " is wanted");
    wanted = nullptr;
  }
  const Type* type = wanted   ? wanted
                     : isDict ? dictOf(context_, Type::strType(), Type::tensorType())
                              : listOf(context_, Type::tensorType());
  Value* made = insert(isDict ? "prim::DictConstruct" : "prim::ListConstruct", {}, type)->output();
  bool typed = wanted;
  Node* scope = insert("prim::ComprehensionScope", {}, {}, expr.range);
  Block* block = scope->addBlock();
  auto kept = std::exchange(kept_, {}); // its variables are others
  const auto reasons = reasons_;
  const auto add = [&] {
    if (isDict) {
      Value* key = value(expr.key);
      Value* element = value(expr.element);
      if (!typed) made->setType(dictOf(context_, key->type(), element->type()));
      typed = true;
      builtin("aten::_set_item", expr.range,
              {given(made, expr.range, "self"), given(key), given(element)});
    } else {
      Value* element = value(expr.element);
      if (!typed) made->setType(listOf(context_, plain(element->type())));
      typed = true;
      builtin("aten::append", expr.range, {given(element, expr.range)}, {},
              given(made, expr.range, "self"));
    }
  };
  scoped(block, [&] { clauses(expr, 0, add); });
  kept_ = std::move(kept);
  reasons_ = reasons;
  return made;
}

/// The loops and conditions of a comprehension, from the `loop`th on.
void Emitter::clauses(const Comprehension& expr, std::size_t loop,
                      llvm::function_ref<void()> body) {
  if (loop == expr.loops.size()) return body();
  const auto conditions = [&](auto& self, std::size_t i) -> void {
    const auto& tests = expr.loops[loop].conditions;
    if (i == tests.size()) return clauses(expr, loop + 1, body);
    branches(
        tests[i]->range, condition(tests[i]), [&] { self(self, i + 1); }, [] {});
  };
  const Comprehension::For& part = expr.loops[loop];
  const Meaning over = meaning(part.iterable);
  Expr* target = part.target;
  forEach(Exprs(target), expr.range, iterator(over, expr.range, part.iterable->range), expr.range,
          [&] { conditions(conditions, 0); });
}

} // namespace tine::script
