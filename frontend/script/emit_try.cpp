#include "frontend/script/emitter.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tine::script {
namespace {

/// The variables that statements assign to, but for those inside of functions.
void assigned(Stmts block, std::set<std::string>& names) {
  llvm::SmallVector<Stmts, 8> work{block};
  const auto target = [&](const Expr* expr) {
    llvm::SmallVector<const Expr*, 4> parts{expr};
    while (!parts.empty()) {
      const Expr* part = parts.pop_back_val();
      if (!part) continue;
      if (auto* name = llvm::dyn_cast<Name>(part)) names.insert(name->name.str());
      if (auto* tuple = llvm::dyn_cast<Tuple>(part))
        parts.append(tuple->items.begin(), tuple->items.end());
      if (auto* starred = llvm::dyn_cast<Starred>(part)) parts.push_back(starred->value);
    }
  };
  while (!work.empty())
    for (const Stmt* stmt : work.pop_back_val()) {
      if (auto* node = llvm::dyn_cast<Assign>(stmt))
        for (const Expr* expr : node->targets) target(expr);
      if (auto* node = llvm::dyn_cast<AugAssign>(stmt)) target(node->target);
      if (auto* node = llvm::dyn_cast<If>(stmt)) work.append({node->body, node->orElse});
      if (auto* node = llvm::dyn_cast<While>(stmt)) work.append({node->body, node->orElse});
      if (auto* node = llvm::dyn_cast<For>(stmt)) {
        target(node->target);
        work.append({node->body, node->orElse});
      }
      if (auto* node = llvm::dyn_cast<With>(stmt)) {
        for (const Expr* expr : node->targets) target(expr);
        work.push_back(node->body);
      }
      if (auto* node = llvm::dyn_cast<Try>(stmt)) {
        work.append({node->body, node->orElse, node->finally});
        for (const Try::Handler& handler : node->handlers) work.push_back(handler.body);
      }
    }
}

/// The first statement that would leave a `finally`.
const Stmt* leaving(Stmts whole) {
  llvm::SmallVector<std::pair<const Stmt*, bool>, 16> work; // is it in a loop?
  const auto add = [&](Stmts block, bool inLoop) {          // the first one on top
    for (const Stmt* stmt : llvm::reverse(block)) work.push_back({stmt, inLoop});
  };
  add(whole, false);
  while (!work.empty()) {
    const auto [stmt, inLoop] = work.pop_back_val();
    if (llvm::isa<Return>(stmt)) return stmt;
    if (!inLoop && (llvm::isa<Break>(stmt) || llvm::isa<Continue>(stmt))) return stmt;
    if (auto* node = llvm::dyn_cast<If>(stmt)) add(node->orElse, inLoop), add(node->body, inLoop);
    if (auto* node = llvm::dyn_cast<While>(stmt)) add(node->orElse, inLoop), add(node->body, true);
    if (auto* node = llvm::dyn_cast<For>(stmt)) add(node->orElse, inLoop), add(node->body, true);
    if (auto* node = llvm::dyn_cast<With>(stmt)) add(node->body, inLoop);
    if (auto* node = llvm::dyn_cast<Try>(stmt)) {
      add(node->finally, inLoop), add(node->orElse, inLoop);
      for (const Try::Handler& handler : llvm::reverse(node->handlers)) add(handler.body, inLoop);
      add(node->body, inLoop);
    }
  }
  return nullptr;
}

} // namespace

// ---- with ---------------------------------------------------------------------------------------

/// `prim::Enter(%o)  body  prim::Exit(%o)`
void Emitter::withStatement(const With& stmt) {
  llvm::SmallVector<Value*, 2> entered;
  for (std::size_t i = 0; i < stmt.items.size(); ++i) {
    const Expr* item = stmt.items[i];
    Value* object = value(item);
    const Type* type = object->type();
    const Type* result = nullptr;
    if (type->is(TypeKind::Class) && type->name().starts_with("__torch__.torch.autograd.grad_mode"))
      result = Type::noneType();
    if (ClassInfo* info = compiler_.classOf(type); info && type->is(TypeKind::Class)) {
      compiler_.complete(*info);
      Function *enter = info->method("__enter__"), *exit = info->method("__exit__");
      if (enter && exit && info->isNative)
        fail(item->range,
             "'with' needs a class that is written in source, which " + info->name + " is not",
             error_kind::Unsupported);
      if (enter && exit) {
        const Schema& schema = compiler_.signature(*exit, item->range);
        bool fits = schema.arguments.size() == 4;
        for (std::size_t k = 1; fits && k < 4; ++k)
          fits = isSubtype(Type::noneType(), schema.arguments[k].type);
        if (!fits)
          fail(exit->def->name.range,
               "__exit__ takes the object and three arguments that may be None");
        const Schema& entering = compiler_.signature(*enter, item->range);
        if (entering.arguments.size() != 1)
          fail(enter->def->name.range, "__enter__ takes the object alone");
        result = entering.results[0].type;
      }
    }
    if (!result) fail(item->range, spelled(type) + " has no __enter__ and __exit__");
    Value* made = insert("prim::Enter", object, result)->output();
    entered.push_back(object);
    const Expr* target = stmt.targets[i];
    if (!target) continue;
    auto* name = llvm::dyn_cast<Name>(target);
    if (!name) fail(target->range, "'as' of 'with' names a variable", error_kind::Unsupported);
    assign(name->range, name->name, Meaning(made));
  }
  statements(stmt.body);
  for (std::size_t i = entered.size(); i-- > 0;)
    insert("prim::Exit", entered[i], Type::tensorType());
}

/// torch.no_grad() and its like: objects of TorchScript's own classes. \source no_grad.ir
Meaning Emitter::gradMode(const Meaning& callee, const Call& expr) {
  const bool takesMode = callee.name == "set_grad_enabled";
  Givens args = givens(expr.arguments, false);
  if (!expr.keywords.empty() || args.size() != (takesMode ? 1u : 0u))
    fail(expr.range, callee.name + " takes " + (takesMode ? "one bool" : "no arguments"));
  const Type* type = classOf(context_, "__torch__.torch.autograd.grad_mode." + callee.name);
  Value* object = insert("prim::CreateObject", {}, type, expr.range)->output();
  llvm::SmallVector<Value*, 2> inputs{object};
  for (const Given& arg : args) inputs.push_back(arg.value);
  Node* init = insert("prim::CallMethod", inputs, Type::noneType(), expr.range);
  init->attributes().setString(context_.symbol(Builtin::Name), "__init__");
  return Meaning(object);
}

// ---- try ----------------------------------------------------------------------------------------

/// Variables that a body changes have to be known where it failed, which no SSA value tells: until
/// the statement's end each is also an item of a list.
void Emitter::keep(llvm::StringRef name, Value* value, Range range) {
  for (const auto& lists : kept_)
    if (auto found = lists.find(name.str()); found != lists.end())
      builtin("aten::_set_item", range,
              {given(found->second), given(constant(std::int64_t(0))), given(value)}, {},
              std::nullopt, false);
}

void Emitter::reload(Range range) {
  for (const auto& [name, list] : kept_.back()) {
    Value* value =
        builtin("aten::__getitem__", range, {given(list), given(constant(std::int64_t(0)))}, {},
                std::nullopt, false);
    frame_->meanings.erase(name);
    store(name, value, std::nullopt);
    frame_->types[name] = value->type();
  }
}

/// `tine::try()  block0(): body  block1(%error): handler`
void Emitter::attempt(const Try& stmt, llvm::function_ref<void()> body,
                      llvm::function_ref<void(Value*)> handler) {
  Node* node = insert("tine::try", {}, {}, stmt.range);
  Block *tried = node->addBlock(), *failed = node->addBlock();
  std::unique_ptr<Frame> triedFrame = scopedFrame(tried, body);
  Value* error = failed->addInput(futureOf(context_, Type::noneType()));
  std::unique_ptr<Frame> failedFrame = scopedFrame(failed, [&] {
    reload(stmt.range);
    handler(error);
  });
  static constexpr JoinWords kWords{"after the try block", "when the try block fails",
                                    "when it fails"};
  join(stmt.range, node, *triedFrame, *failedFrame, kWords);
}

void Emitter::tryStatement(const Try& stmt) {
  std::set<std::string> names;
  assigned(stmt.body, names);
  if (!stmt.finally.empty()) {
    assigned(stmt.orElse, names);
    for (const Try::Handler& handler : stmt.handlers) assigned(handler.body, names);
    if (const Stmt* stmtOut = leaving(stmt.finally))
      fail(stmtOut->range, "a 'finally' that is left is not supported", error_kind::Unsupported);
  }
  if (!broken_.empty()) names.insert(broken_); // what `break` would say to the loop's else
  std::map<std::string, Value*> lists;
  for (const std::string& name : names) {
    auto before = find(frame_, name);
    if (!before || !before->isValue()) continue;
    Value* value = before->value;
    lists[name] =
        insert("prim::ListConstruct", value, listOf(context_, plain(value->type())))->output();
  }
  kept_.push_back(std::move(lists));
  struct Pop {
    std::vector<std::map<std::string, Value*>>& kept;
    ~Pop() { kept.pop_back(); }
  } pop{kept_};

  const std::string done = stmt.orElse.empty() ? "" : temporary("$done_");
  const auto guarded = [&] {
    if (stmt.handlers.empty()) return statements(stmt.body);
    if (!done.empty()) assign(stmt.range, done, constant(false, stmt.range));
    attempt(
        stmt,
        [&] {
          statements(stmt.body);
          if (!done.empty() && !exits_.contains(frame_->block))
            assign(stmt.range, done, constant(true, stmt.range));
        },
        [&](Value* error) { handlers(stmt, 0, error); });
    if (done.empty() || exits_.contains(frame_->block)) return;
    Condition succeeded;
    succeeded.value = asValue(lookup(done, stmt.range), stmt.range);
    branches(
        stmt.range, succeeded, [&] { statements(stmt.orElse); }, [] {});
  };
  if (stmt.finally.empty()) return guarded();
  attempt(stmt, guarded, [&](Value* error) {
    Value* const before = std::exchange(caught_, nullptr);
    finallyBody(stmt);
    caught_ = before;
    if (!exits_.contains(frame_->block)) reraise(error);
  });
  finally(stmt);
}

/// It is written twice, so that those inside of each other double.
void Emitter::finallyBody(const Try& stmt) {
  constexpr int kDeepest = 5;
  if (finallyDepth_ == kDeepest)
    fail(stmt.range, "'finally' inside of 'finally' deeper than " + std::to_string(kDeepest),
         error_kind::Unsupported);
  struct Around {
    int& depth;
    ~Around() { --depth; }
  } around{++finallyDepth_};
  statements(stmt.finally);
}

/// Runs however the try was left, hence the marks for exits.cpp.
void Emitter::finally(const Try& stmt) {
  const bool exits = exits_.erase(frame_->block);
  insert("prim::FinallyBegin", {}, {});
  reload(stmt.range);
  finallyBody(stmt);
  insert("prim::FinallyEnd", {}, {});
  if (exits) exits_.insert(frame_->block);
}

/// The except clauses from the `i`th on.
void Emitter::handlers(const Try& stmt, std::size_t i, Value* error) {
  if (i == stmt.handlers.size()) return reraise(error);
  const Try::Handler& handler = stmt.handlers[i];
  // `ops.tine.error`, which code.h writes: every error, and the name is the future that failed.
  const auto* any = handler.type ? llvm::dyn_cast<Attribute>(handler.type) : nullptr;
  const bool isAny = any && any->name.text == "error" && llvm::isa<Attribute>(any->object) &&
                     meaning(any->object).name == "torch.ops.tine";
  const auto body = [&] {
    Value* const before = std::exchange(caught_, error);
    if (!handler.name.text.empty()) {
      Meaning caught = isAny ? Meaning(error) : Meaning::of(Meaning::Caught, "Exception");
      caught.value = error;
      frame_->meanings[handler.name.text.str()] = std::move(caught);
    }
    statements(handler.body);
    frame_->meanings.erase(handler.name.text.str());
    caught_ = before;
  };
  if (!handler.type || isAny) {
    if (i + 1 < stmt.handlers.size())
      fail(handler.range, "'except' without a kind comes last", error_kind::Syntax);
    return body();
  }
  Condition is;
  is.value = matches(handler.type, error);
  branches(handler.range, is, body, [&] { handlers(stmt, i + 1, error); });
}

/// Is the error of the kind, or of one of the tuple of kinds?
Value* Emitter::matches(const Expr* type, Value* error) {
  if (auto* tuple = llvm::dyn_cast<Tuple>(type)) {
    Value* any = nullptr;
    for (const Expr* item : tuple->items) {
      Value* is = matches(item, error);
      any = any ? builtin("aten::__or__", item->range, {given(any), given(is)}) : is;
    }
    if (!any) fail(type->range, "a kind of exception is wanted here, not an empty tuple");
    return any;
  }
  const bool isName = llvm::isa<Name>(type) || llvm::isa<Attribute>(type);
  if (!isName)
    fail(type->range, std::string("a kind of exception is wanted here, not ") +
                          (llvm::isa<Number>(type)   ? "a number"
                           : llvm::isa<String>(type) ? "a string"
                           : llvm::isa<Call>(type)   ? "a call"
                                                     : "an expression"));
  const Meaning kind = meaning(type);
  if (kind.kind != Meaning::Exception)
    fail(type->range, "a kind of exception is wanted here, not " + kind.describe());
  Value* is = nullptr;
  for (const std::string& name : compiler_.kindsOf(kind.name)) {
    Value* text = constant(IValue(name), type->range);
    Value* one = builtin("tine::error_is", type->range, {given(error), given(text)});
    is = is ? builtin("aten::__or__", type->range, {given(is), given(one)}) : one;
  }
  return is;
}

void Emitter::reraise(Value* error) {
  insert("tine::reraise", error, {}, statement_);
  exits_.insert(frame_->block);
}

} // namespace tine::script
