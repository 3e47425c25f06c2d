#include "frontend/script/emitter.h"
#include "frontend/script/types.h"

#include <set>

namespace tine::script {

void Emitter::statements(Stmts list) {
  for (const Stmt* stmt : list) {
    statement_ = stmt->range;
    try {
      if (graph_.numValues() > kMaxValues) tooLarge(stmt->range);
      statement(stmt);
    } catch (const Stop&) {
      stopped_ = true;
      poison(stmt);
    }
    if (exits_.contains(frame_->block)) return; // nothing gets to the rest
  }
}

void Emitter::tooLarge(Range range) {
  fail(range, "the function becomes too large", error_kind::Unsupported);
}

/// What a statement that failed would have assigned is not to be complained about again.
void Emitter::poison(const Stmt* whole) {
  llvm::SmallVector<const Expr*, 4> targets;
  llvm::SmallVector<const Stmt*, 8> work{whole};
  const auto blocks = [&](std::initializer_list<Stmts> list) {
    for (Stmts block : list) work.append(block.begin(), block.end());
  };
  while (!work.empty()) {
    const Stmt* stmt = work.pop_back_val();
    if (auto* assign = llvm::dyn_cast<Assign>(stmt))
      targets.append(assign->targets.begin(), assign->targets.end());
    if (auto* branch = llvm::dyn_cast<If>(stmt)) blocks({branch->body, branch->orElse});
    if (auto* loop = llvm::dyn_cast<While>(stmt)) blocks({loop->body});
    if (auto* with = llvm::dyn_cast<With>(stmt)) blocks({with->body});
    if (auto* attempt = llvm::dyn_cast<Try>(stmt)) blocks({attempt->body});
    if (auto* loop = llvm::dyn_cast<For>(stmt)) {
      targets.push_back(loop->target);
      blocks({loop->body});
    }
  }
  while (!targets.empty()) {
    const Expr* expr = targets.pop_back_val();
    if (auto* tuple = llvm::dyn_cast<Tuple>(expr))
      targets.append(tuple->items.begin(), tuple->items.end());
    if (auto* starred = llvm::dyn_cast<Starred>(expr)) targets.push_back(starred->value);
    if (auto* name = llvm::dyn_cast<Name>(expr))
      frame_->meanings[name->name.str()] = Meaning::of(Meaning::Poison);
  }
}

void Emitter::statement(const Stmt* stmt) {
  const auto unsupported = [&](const char* what) {
    fail(stmt->range, std::string(what) + " is not supported yet", error_kind::Unsupported);
  };
  switch (stmt->kind) {
  case StmtKind::ExprStmt:
    meaning(llvm::cast<ExprStmt>(stmt)->value);
    return;
  case StmtKind::Assign:
    return assignment(*llvm::cast<Assign>(stmt));
  case StmtKind::AugAssign:
    return augmented(*llvm::cast<AugAssign>(stmt));
  case StmtKind::If:
    return ifStatement(*llvm::cast<If>(stmt));
  case StmtKind::While:
    return whileStatement(*llvm::cast<While>(stmt));
  case StmtKind::For:
    return forStatement(*llvm::cast<For>(stmt));
  case StmtKind::Break:
  case StmtKind::Continue: {
    const bool isBreak = stmt->kind == StmtKind::Break;
    if (isBreak && !broken_.empty() && loop_ == LoopState::Loop)
      assign(stmt->range, broken_, constant(true, stmt->range));
    if (loop_ == LoopState::None)
      fail(stmt->range, isBreak ? "'break' outside a loop" : "'continue' outside a loop",
           error_kind::Syntax);
    if (loop_ == LoopState::Unrolled)
      fail(stmt->range,
           std::string(isBreak ? "'break'" : "'continue'") +
               " is not possible in a loop over a tuple",
           error_kind::Unsupported);
    insert(isBreak ? "prim::BreakStmt" : "prim::ContinueStmt", {}, {}, stmt->range);
    return;
  }
  case StmtKind::Pass:
    return;
  case StmtKind::Return: {
    auto* node = llvm::cast<Return>(stmt);
    return returnStatement(stmt->range, node->value, stmt->range);
  }
  case StmtKind::Assert:
    return assertion(*llvm::cast<Assert>(stmt));
  case StmtKind::Raise:
    return raise(*llvm::cast<Raise>(stmt));
  case StmtKind::Delete:
    return deletion(*llvm::cast<Delete>(stmt));
  case StmtKind::With:
    return withStatement(*llvm::cast<With>(stmt));
  case StmtKind::Try:
    return tryStatement(*llvm::cast<Try>(stmt));
  case StmtKind::FunctionDef:
    return nestedFunction(*llvm::cast<FunctionDef>(stmt));
  case StmtKind::ClassDef:
    return unsupported("a class in a function");
  case StmtKind::Import:
    fail(stmt->range, "imports stand at the top of the file", error_kind::Unsupported);
  }
  TINE_UNREACHABLE("statement");
}

void Emitter::returnStatement(Range range, const Expr* expr, Range valueRange) {
  const Type* type = definitions_.back().declared;
  Value* result = expr ? value(expr, type) : constant(IValue(), valueRange);
  if (!expr && type && type->is(TypeKind::Any)) result = castTo(type, result);
  Definition& definition = definitions_.back();
  if (type) {
    if (!(isTensor(type) && result->type()->is(TypeKind::None)))
      result = convert(range, type, result, true);
    if (!isSubtype(result->type(), type))
      fail(expr ? expr->range : range,
           definition.name + " returns " + spelled(type) + ", not " +
               (result->type()->is(TypeKind::None) ? "None" : spelled(result->type())));
  } else {
    type = definition.merged ? definition.merged : result->type();
    const Type* merged = unify(context_, type, result->type());
    if (!merged)
      fail(expr ? expr->range : range, "this return gives " + spelled(result->type()) +
                                           ", and one before gave " + spelled(type));
    type = merged;
  }
  definition.merged = type;
  if (type->is(TypeKind::Any) && !result->type()->is(TypeKind::Any)) result = castTo(type, result);
  insert("prim::ReturnStmt", result, {});
  exits_.insert(frame_->block);
}

// ---- assignment ---------------------------------------------------------------------------------

namespace {
constexpr std::int64_t kMaxUnrolled = 1000; ///< values that a loop goes through one by one
bool isEmptyLiteral(const Expr* expr) {
  if (auto* list = llvm::dyn_cast<List>(expr)) return list->items.empty();
  auto* dict = llvm::dyn_cast<Dict>(expr);
  return dict && dict->keys.empty();
}
} // namespace

void Emitter::assignment(const Assign& stmt) {
  // What a list or dict holds, for `d[k] = []`, without computing it: of variables and fields.
  const auto held = [&](const Expr* container) -> const Type* {
    auto* attribute = llvm::dyn_cast<Attribute>(container);
    auto* name = llvm::dyn_cast<Name>(attribute ? attribute->object : container);
    const Type* type = nullptr;
    for (Frame* frame = name ? frame_ : nullptr; frame && !type; frame = frame->outer)
      if (auto known = frame->types.find(name->name); known != frame->types.end())
        type = known->second;
    if (type && attribute) {
      ClassInfo* info = compiler_.classOf(type);
      const ClassInfo::Field* field = info ? info->field(attribute->name.text) : nullptr;
      type = field ? field->type : nullptr;
    }
    const bool holds = type && (type->is(TypeKind::List) || type->is(TypeKind::Dict));
    return holds ? type->elements().back() : nullptr;
  };
  const Type* type = stmt.type ? compiler_.type(stmt.type) : nullptr;
  if (!stmt.value) fail(stmt.range, "a declaration without a value", error_kind::Unsupported);
  if (stmt.targets.size() == 1) {
    const Expr* target = stmt.targets[0];
    if (auto* name = llvm::dyn_cast<Name>(target)) {
      Meaning value = meaning(stmt.value, type);
      return assign(name->range, name->name, std::move(value), type, stmt.value->range);
    }
    if (auto* tuple = llvm::dyn_cast<Tuple>(target)) {
      bool starred = false;
      binders(tuple->items, tuple->range, starred);
      return assignTuple(*tuple, meaning(stmt.value), stmt.value->range);
    }
    if (auto* subscript = llvm::dyn_cast<Subscript>(target)) {
      const Type* hint = isEmptyLiteral(stmt.value) ? held(subscript->object) : nullptr;
      return assignSubscript(stmt.range, *subscript,
                             given(value(stmt.value, hint), stmt.value->range));
    }
    if (auto* attribute = llvm::dyn_cast<Attribute>(target)) {
      Value* object = value(attribute->object);
      return assignAttribute(*attribute, object, given(value(stmt.value, type), stmt.value->range),
                             type);
    }
    notAssignable(target);
  }
  // The value is computed once, and then assigned from left to right.
  const std::string name = temporary("$tmp_assign_");
  assign(stmt.value->range, name, meaning(stmt.value));
  for (const Expr* target : stmt.targets) {
    if (auto* simple = llvm::dyn_cast<Name>(target)) {
      assign(simple->range, simple->name, lookup(name, stmt.value->range));
    } else if (auto* tuple = llvm::dyn_cast<Tuple>(target)) {
      assignTuple(*tuple, lookup(name, stmt.value->range), stmt.value->range);
    } else if (auto* subscript = llvm::dyn_cast<Subscript>(target)) {
      assignSubscript(
          stmt.range, *subscript,
          given(asValue(lookup(name, stmt.value->range), stmt.value->range), stmt.value->range));
    } else if (auto* attribute = llvm::dyn_cast<Attribute>(target)) {
      Value* object = value(attribute->object);
      assignAttribute(
          *attribute, object,
          given(asValue(lookup(name, stmt.value->range), stmt.value->range), stmt.value->range));
    } else {
      notAssignable(target);
    }
  }
}

/// What kind of expression it is, for messages.
static const char* describe(const Expr* expr) {
  if (llvm::isa<Call>(expr)) return "a call";
  if (llvm::isa<Tuple>(expr)) return "a tuple";
  if (llvm::isa<Number>(expr) || llvm::isa<String>(expr) || llvm::isa<Constant>(expr))
    return "a literal";
  return "an expression";
}

void Emitter::notAssignable(const Expr* target) {
  fail(target->range, std::string(describe(target)) + " cannot be assigned to", error_kind::Syntax);
}

/// How many values the targets take one by one.
std::size_t Emitter::binders(Exprs targets, Range range, bool& starred) {
  std::size_t stars = 0;
  for (const Expr* target : targets) {
    if (llvm::isa<Starred>(target))
      ++stars;
    else if (!llvm::isa<Name>(target) && !llvm::isa<Subscript>(target) &&
             !llvm::isa<Tuple>(target) && !llvm::isa<Attribute>(target))
      notAssignable(target);
  }
  if (stars > 1) fail(range, "two targets with '*'", error_kind::Syntax);
  if (stars && targets.size() == 1)
    fail(range, "a target with '*' stands alone", error_kind::Syntax);
  starred = stars > 0;
  return targets.size() - stars;
}

void Emitter::assignTuple(const Tuple& target, const Meaning& value, Range range) {
  bool starred = false;
  const std::size_t count = binders(target.items, target.range, starred);
  std::vector<Meaning> values =
      asTuple(value, range, starred ? std::nullopt : std::optional<std::size_t>(count));
  if (values.size() < count || (values.size() > count && !starred))
    fail(target.range, (starred ? "at least " : "") + std::to_string(count) +
                           " names for a tuple of " + std::to_string(values.size()));
  assignTargets(target.items, values, range, count);
}

void Emitter::assignTargets(Exprs targets, llvm::ArrayRef<Meaning> values, Range range,
                            std::size_t count) {
  std::size_t i = 0;
  for (const Expr* target : targets) {
    if (auto* name = llvm::dyn_cast<Name>(target)) {
      assign(name->range, name->name, values[i++]);
    } else if (auto* subscript = llvm::dyn_cast<Subscript>(target)) {
      assignSubscript(range, *subscript, given(asValue(values[i++], range), range));
    } else if (auto* tuple = llvm::dyn_cast<Tuple>(target)) {
      assignTuple(*tuple, values[i++], range);
    } else if (auto* attribute = llvm::dyn_cast<Attribute>(target)) {
      Value* object = value(attribute->object);
      assignAttribute(*attribute, object, given(asValue(values[i++], range), range));
    } else if (auto* starred = llvm::dyn_cast<Starred>(target)) {
      auto* variable = llvm::dyn_cast<Name>(starred->value);
      if (!variable) fail(target->range, "'*' stands before a variable", error_kind::Syntax);
      const std::size_t taken = values.size() - count;
      llvm::SmallVector<Value*, 4> items;
      llvm::SmallVector<const Type*, 4> types;
      for (const Meaning& value : values.slice(i, taken)) {
        items.push_back(asValue(value, target->range));
        types.push_back(items.back()->type());
      }
      assign(variable->range, variable->name,
             insert("prim::TupleConstruct", items, tupleOf(context_, types))->output());
      i += taken;
    } else {
      notAssignable(target);
    }
  }
}

/// TorchScript's operators of `x op= y`, in place on tensors and lists.
std::string Emitter::augmentedKind(BinaryOp op, const Type* type) {
  const bool inPlace = isTensor(type) || type->is(TypeKind::List);
  if (op == BinaryOp::Modulo) return inPlace ? "aten::fmod_" : "aten::fmod";
  if (op == BinaryOp::BitOr) return inPlace ? "aten::bitwise_or" : "aten::__or__";
  if (op == BinaryOp::BitAnd) return inPlace ? "aten::bitwise_and" : "aten::__and__";
  if (op == BinaryOp::BitXor) return inPlace ? "aten::bitwise_xor" : "aten::__xor__";
  if (op == BinaryOp::ShiftRight) return inPlace ? "aten::__irshift__" : "aten::__rshift__";
  const bool hasNone = op == BinaryOp::ShiftLeft || op == BinaryOp::Power ||
                       op == BinaryOp::FloorDivide || op == BinaryOp::MatrixMultiply;
  return kindOf(op).str() + (inPlace && !hasNone ? "_" : "");
}

void Emitter::augmented(const AugAssign& stmt) {
  if (auto* subscript = llvm::dyn_cast<Subscript>(stmt.target))
    return augmentedSubscript(stmt, *subscript);
  if (auto* attribute = llvm::dyn_cast<Attribute>(stmt.target))
    return augmentedAttribute(stmt, *attribute);
  auto* name = llvm::dyn_cast<Name>(stmt.target);
  if (!name)
    fail(stmt.target->range,
         std::string(describe(stmt.target)) + " cannot be assigned to with an operator",
         error_kind::Syntax);
  Value* lhs = value(name);
  Value* rhs = value(stmt.value);
  Value* result = augmentedOf(stmt, lhs, given(rhs, stmt.value->range));
  assign(name->range, name->name, result);
}

void Emitter::deletion(const Delete& stmt) {
  for (const Expr* target : stmt.targets) {
    if (auto* subscript = llvm::dyn_cast<Subscript>(target)) {
      if (subscript->indices.size() != 1 || llvm::isa<Slice>(subscript->indices[0]))
        fail(target->range, "'del' takes one index", error_kind::Unsupported);
      const Meaning object = meaning(subscript->object);
      Value* index = value(subscript->indices[0]);
      Value* from = asValue(object, subscript->object->range);
      if (Function* method = objectMethod(from->type(), "__delitem__")) {
        callMethod(from, *method, stmt.range, {given(index)}, {});
        continue;
      }
      insert("aten::Delete", {from, index}, {}, target->range);
    } else if (auto* name = llvm::dyn_cast<Name>(target)) {
      bool removed = false;
      for (Frame* frame = frame_; frame; frame = frame->outer) {
        removed |= frame->types.erase(name->name.str()) != 0;
        removed |= frame->meanings.erase(name->name.str()) != 0;
      }
      if (!removed) fail(target->range, "there is no variable '" + name->name.str() + "'");
    } else {
      const llvm::StringRef what = describe(target);
      fail(target->range,
           what == "an expression" ? "only elements of lists and dicts are deleted, and names"
                                   : what.str() + " cannot be deleted",
           error_kind::Syntax);
    }
  }
}

// ---- errors -------------------------------------------------------------------------------------

void Emitter::raise(const Raise& stmt) {
  if (!stmt.exception && caught_) return reraise(caught_);
  if (!stmt.exception)
    fail(stmt.range, "'raise' alone is only possible in an except clause", error_kind::Unsupported);
  const Meaning raised = meaning(stmt.exception);
  if (raised.kind != Meaning::Exception && raised.kind != Meaning::Raised &&
      raised.kind != Meaning::Caught)
    fail(stmt.exception->range,
         "what is raised is an exception, not " +
             (raised.isValue() ? spelled(raised.value->type()) : raised.describe()));
  raiseMessage(raised, stmt.range);
}

void Emitter::raiseMessage(const Meaning& exception, Range range) {
  if (exception.kind == Meaning::Caught) return reraise(exception.value);
  Value *message = nullptr, *kind = nullptr;
  if (exception.kind == Meaning::Raised) {
    message = exception.value;
    if (!exception.children.empty()) kind = exception.children[0].value;
  } else if (exception.kind == Meaning::Exception) {
    message = constant(IValue(std::string()), range);
    kind = constant(IValue("builtins." + exception.name), range);
  } else {
    fail(range, "only exceptions are raised, not " + exception.describe());
  }
  if (!message->type()->is(TypeKind::Str))
    message = builtin("aten::str", range, {given(message)}, {}, std::nullopt, false);
  if (!kind) kind = constant(IValue());
  insert("prim::RaiseException", {message, kind}, {}, range);
  insert("prim::TupleConstruct", {}, tupleOf(context_, {})); // TorchScript makes a result of none
  exits_.insert(frame_->block);
}

void Emitter::assertion(const Assert& stmt) {
  const Condition holds = condition(stmt.condition);
  branches(
      stmt.range, holds, [] {},
      [&] {
        Given message;
        if (stmt.message)
          message = given(value(stmt.message), stmt.message->range);
        else
          message = given(constant(IValue(std::string()), stmt.range));
        Value* text = constant(IValue(std::string("AssertionError: ")), stmt.range);
        if (!message.value->type()->is(TypeKind::Str))
          message.value = builtin("aten::str", stmt.range, {message});
        text = builtin("aten::add", stmt.range, {given(text), message});
        Meaning raised = Meaning::of(Meaning::Raised, "AssertionError");
        raised.value = text;
        raiseMessage(raised, stmt.range);
      });
}

// ---- branches -----------------------------------------------------------------------------------

/// Each `elif` is an If in the other block of the one before, however many there are.
void Emitter::ifStatement(const If& stmt) {
  struct Level {
    const If* stmt;
    Node* node;
    std::unique_ptr<Frame> yes, no;
  };
  std::vector<Level> levels;
  const auto leave = [&] {
    frame_ = levels.back().no->outer;
    before_ = levels.back().node->next();
  };
  const auto wrong = [&](const If* at) { // as statements() does
    if (levels.empty()) throw Stop();
    stopped_ = true;
    poison(at);
  };
  Stmts rest;
  const If* at = &stmt;
  try {
    while (true) {
      const Condition holds = condition(at->condition);
      if (holds.known) {
        refine(at->range, *holds.known ? holds.whenTrue : holds.whenFalse);
        rest = *holds.known ? at->body : at->orElse;
      } else {
        Node* node = insert("prim::If", holds.value, {}, at->range);
        Block *yes = node->addBlock(), *no = node->addBlock();
        std::unique_ptr<Frame> yesFrame = scopedFrame(yes, [&] {
          refine(at->range, holds.whenTrue);
          statements(at->body);
        });
        levels.push_back(
            {at, node, std::move(yesFrame), std::make_unique<Frame>(Frame{no, frame_, {}, {}})});
        frame_ = levels.back().no.get();
        before_ = no->ret();
        try {
          refine(at->range, holds.whenFalse);
        } catch (const Stop&) {
          leave();
          levels.pop_back();
          throw;
        }
        rest = at->orElse;
      }
      auto* next = rest.size() == 1 ? llvm::dyn_cast<If>(rest[0]) : nullptr;
      if (!next) break;
      at = next;
      statement_ = at->range;
      if (graph_.numValues() > kMaxValues) tooLarge(at->range);
    }
    statements(rest);
  } catch (const Stop&) {
    wrong(at);
  }
  static constexpr JoinWords kWords{"when the condition is true", "when the condition is false",
                                    "when it is false"};
  while (!levels.empty()) {
    leave();
    const Level level = std::move(levels.back());
    levels.pop_back();
    try {
      join(level.stmt->range, level.node, *level.yes, *level.no, kWords);
    } catch (const Stop&) {
      wrong(level.stmt);
    }
  }
}

/// A variable whose type is narrower from here on.
void Emitter::refine(Range range, const Refinements& refinements) {
  for (const Refinement& refinement : refinements) {
    Value* value = asValue(lookup(refinement.variable, range), range);
    assign(range, refinement.variable, castTo(refinement.type, value));
  }
}

void Emitter::branches(Range range, const Condition& condition, llvm::function_ref<void()> yes,
                       llvm::function_ref<void()> no) {
  if (condition.known) {
    refine(range, *condition.known ? condition.whenTrue : condition.whenFalse);
    return *condition.known ? yes() : no();
  }
  Node* node = insert("prim::If", condition.value, {}, range);
  Block *yesBlock = node->addBlock(), *noBlock = node->addBlock();
  std::unique_ptr<Frame> yesFrame = scopedFrame(yesBlock, [&] {
    refine(range, condition.whenTrue);
    yes();
  });
  std::unique_ptr<Frame> noFrame = scopedFrame(noBlock, [&] {
    refine(range, condition.whenFalse);
    no();
  });
  static constexpr JoinWords kWords{"when the condition is true", "when the condition is false",
                                    "when it is false"};
  join(range, node, *yesFrame, *noFrame, kWords);
}

/// After the two blocks of an if or try.
void Emitter::join(Range range, Node* node, Frame& yesFrame, Frame& noFrame,
                   const JoinWords& words) {
  Block *yesBlock = node->blocks()[0], *noBlock = node->blocks()[1];
  const bool yesExits = exits_.contains(yesBlock), noExits = exits_.contains(noBlock);
  if (yesExits && noExits) exits_.insert(frame_->block);

  // A variable lives on when both branches that go on have it.
  const auto inside = [&](Block* block, auto f) {
    Node* const saved = std::exchange(before_, block->ret());
    auto result = f();
    before_ = saved;
    return result;
  };
  std::set<std::string> changed;
  const auto gather = [&](Frame& frame, Frame& other, Block* otherBlock, bool otherExits,
                          const char* branch) {
    std::vector<std::string> names;
    for (const auto& [name, type] : frame.types) names.push_back(name);
    for (const std::string& name : names) {
      const bool found = inside(otherBlock, [&] { return find(&other, name).has_value(); });
      if (found || otherExits)
        changed.insert(name);
      else
        reasons_[name] = std::string("is not defined ") + branch;
    }
    for (const auto& [name, meaning] : frame.meanings)
      if (meaning.kind == Meaning::Poison) frame_->meanings[name] = meaning;
  };
  gather(yesFrame, noFrame, noBlock, noExits, words.no);
  gather(noFrame, yesFrame, yesBlock, yesExits, words.yes);
  for (const std::string& name : changed) {
    const auto valueIn = [&](Frame& frame, Block* block) {
      return inside(block, [&]() -> Value* {
        auto found = find(&frame, name);
        return found && found->isValue() ? found->value : nullptr;
      });
    };
    Value* yesValue = yesExits ? nullptr : valueIn(yesFrame, yesBlock);
    Value* noValue = noExits ? nullptr : valueIn(noFrame, noBlock);
    if (yesExits && noExits) continue;
    const auto missing = [&](Block* block, const Type* type) {
      return inside(block, [&] {
        Value* none = insert("prim::Uninitialized", {}, type)->output();
        store(name, none, std::nullopt);
        return none;
      });
    };
    if (yesExits && noValue) yesValue = missing(yesBlock, noValue->type());
    if (noExits && yesValue) noValue = missing(noBlock, yesValue->type());
    if (!yesValue || !noValue) continue;
    auto outer = find(frame_, name);
    const Type* declared = outer && outer->isValue() ? outer->value->type() : nullptr;
    const Type* type = unify(context_, yesValue->type(), noValue->type(), declared != nullptr);
    if (!type || (declared && !isSubtype(type, declared))) {
      const std::string both = "is " + spelled(yesValue->type()) + " " + words.yes + " and " +
                               spelled(noValue->type()) + " " + words.brief;
      if (declared) fail(range, "'" + name + "' " + both);
      reasons_[name] = both;
      continue;
    }
    frame_->types[name] = type;
  }
}

// ---- loops --------------------------------------------------------------------------------------

void Emitter::whileStatement(const While& stmt) {
  withElse(stmt.range, stmt.orElse,
           [&] { loop(stmt.range, nullptr, {}, stmt.condition, [&] { statements(stmt.body); }); });
}

void Emitter::forStatement(const For& stmt) {
  withElse(stmt.range, stmt.orElse, [&] {
    const Meaning over = meaning(stmt.iterable);
    Expr* target = stmt.target;
    forEach(Exprs(target), target->range, iterator(over, stmt.range, stmt.iterable->range),
            stmt.range, [&] { statements(stmt.body); });
  });
}

/// A loop whose `else` runs unless it was left by `break`, which a variable tells.
void Emitter::withElse(Range range, Stmts orElse, llvm::function_ref<void()> loop) {
  struct Restore {
    std::string& name;
    std::string before;
    ~Restore() { name = before; }
  } restore{broken_, broken_};
  broken_.clear();
  if (orElse.empty()) return loop();
  const std::string name = temporary("$broken_");
  assign(range, name, constant(false, range));
  broken_ = name;
  loop();
  broken_ = restore.before;
  Condition left;
  left.value = asValue(lookup(name, range), range);
  branches(
      range, left, [] {}, [&] { statements(orElse); });
}

void Emitter::forEach(Exprs targets, Range targetsRange, const Meaning& iterable, Range range,
                      llvm::function_ref<void()> body) {
  if (!iterable.length) return loop(range, &iterable, targets, nullptr, body);
  struct Restore {
    LoopState& state;
    LoopState before;
    ~Restore() { state = before; }
  } restore{loop_, std::exchange(loop_, LoopState::Unrolled)};
  if (*iterable.length > kMaxUnrolled)
    fail(range, "a loop over a tuple of more than " + std::to_string(kMaxUnrolled) + " values",
         error_kind::Unsupported);
  for (std::int64_t i = 0; i < *iterable.length; ++i) {
    Value* index = pooledInt(i, range);
    const Meaning element = item(iterable, index, range);
    assignTargets(targets, element, targetsRange, 1);
    body();
  }
}

/// `prim::LoopCondition() block0(): ... -> (%c)  prim::Loop(%trips) block0(%i): ...`
void Emitter::loop(Range range, const Meaning* iterable, Exprs targets, const Expr* goOn,
                   llvm::function_ref<void()> body) {
  Value* trips = iterable ? length(*iterable, range) : pooledInt(INT64_MAX, range);
  Node* holder = insert("prim::LoopCondition", {}, {}, range);
  Node* node = insert("prim::Loop", {}, {}, range);
  Block *bodyBlock = node->addBlock(), *conditionBlock = holder->addBlock();
  scoped(conditionBlock, [&] {
    Value* holds;
    if (goOn) {
      holds = truth(goOn->range, value(goOn));
    } else {
      Node* const saved = std::exchange(before_, holder);
      holds = constant(true, range);
      before_ = saved;
    }
    conditionBlock->addOutput(holds);
  });
  node->addInput(trips);
  struct Restore {
    LoopState& state;
    LoopState before;
    ~Restore() { state = before; }
  } restore{loop_, std::exchange(loop_, LoopState::Loop)};
  Value* trip = bodyBlock->addInput(Type::intType());
  std::unique_ptr<Frame> inside = scopedFrame(bodyBlock, [&] {
    if (iterable) {
      Value* element = asValue(item(*iterable, trip, range), range);
      assignTargets(targets, Meaning(element), range, 1);
    }
    body();
  });
  for (const auto& [name, type] : inside->types)
    reasons_.try_emplace(name, "is not defined when the loop does not run");
  for (const auto& [name, meaning] : inside->meanings)
    if (meaning.kind == Meaning::Poison) frame_->meanings[name] = meaning;
}

void Emitter::nestedFunction(const FunctionDef& def) {
  auto info = std::make_shared<ClosureInfo>();
  info->def = &def;
  keepDefaults(*info);
  Meaning meaning = Meaning::of(Meaning::Closure, def.name.text.str());
  meaning.closure = std::move(info);
  assign(def.name.range, def.name.text, std::move(meaning));
}

} // namespace tine::script
