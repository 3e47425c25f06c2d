#include "frontend/script/emitter.h"
#include "frontend/script/lex.h"
#include "frontend/script/types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tine::script {
namespace {

/// `x.float()` is `x.to(6)`. \source TorchScript's ScalarType
std::optional<std::int64_t> dtypeOfMethod(llvm::StringRef name) {
  const int number = llvm::StringSwitch<int>(name)
                         .Case("byte", 0)
                         .Case("char", 1)
                         .Case("short", 2)
                         .Case("int", 3)
                         .Case("long", 4)
                         .Case("half", 5)
                         .Case("float", 6)
                         .Case("double", 7)
                         .Case("cfloat", 9)
                         .Case("cdouble", 10)
                         .Default(-1);
  return number < 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

/// What a tensor or device has without being called.
const char* propertyOf(const Type* type, llvm::StringRef name) {
  if (isTensor(type))
    return llvm::StringSwitch<const char*>(name)
        .Case("dtype", "prim::dtype")
        .Case("device", "prim::device")
        .Case("grad", "prim::grad")
        .Case("data", "prim::data")
        .Case("shape", "aten::size")
        .Case("is_cuda", "prim::is_cuda")
        .Case("is_sparse", "prim::is_sparse")
        .Case("is_quantized", "prim::is_quantized")
        .Case("is_leaf", "aten::is_leaf")
        .Case("requires_grad", "prim::requires_grad")
        .Case("layout", "prim::layout")
        .Case("T", "aten::numpy_T")
        .Case("H", "aten::matrix_H")
        .Case("mT", "aten::mT")
        .Case("mH", "aten::mH")
        .Case("itemsize", "prim::itemsize")
        .Case("ndim", "aten::dim")
        .Case("name", "prim::name")
        .Default(nullptr);
  if (type->is(TypeKind::Device))
    return llvm::StringSwitch<const char*>(name)
        .Case("type", "prim::type")
        .Case("index", "prim::index")
        .Default(nullptr);
  return nullptr;
}

} // namespace

std::vector<std::string> propertiesOf(const Type* type) {
  std::vector<std::string> names;
  for (const char* name : {"dtype", "device", "shape", "requires_grad", "ndim", "T", "layout",
                           "type", "index", "is_cuda", "is_sparse", "itemsize"})
    if (propertyOf(type, name)) names.push_back(name);
  for (Symbol field : type->names()) names.push_back(field.str().str());
  return names;
}

namespace {

constexpr int kMaxClosures = 20; ///< of local functions that call each other

/// Methods of futures, which are Tine's.
const char* futureMethod(llvm::StringRef name) {
  return llvm::StringSwitch<const char*>(name)
      .Case("wait", "aten::wait")
      .Case("done", "tine::done")
      .Case("value", "tine::value")
      .Default(nullptr);
}

} // namespace

// ---- attributes ---------------------------------------------------------------------------------

Meaning Emitter::memberOf(const Meaning& object, llvm::StringRef name, Range range,
                          Range nameRange) {
  if (object.kind == Meaning::Module) {
    const std::string path = object.name + "." + name.str();
    if (const IValue* value = compiler_.constant(path))
      return constant(*value, range, value->isTensor() ? Type::tensorType() : nullptr);
    Meaning meaning = compiler_.member(object.name, name);
    if (meaning.kind == Meaning::None)
      compiler_.fail(range, object.name + " has no function '" + name.str() + "'" +
                                compiler_.nearMember(object.name, name));
    return meaning;
  }
  if (object.kind == Meaning::Poison) throw Stop();
  if (object.kind == Meaning::Class) return classMember(*object.klass, name, range);
  if (object.kind == Meaning::Special || object.kind == Meaning::Method ||
      object.kind == Meaning::Function || object.kind == Meaning::Builtin ||
      object.kind == Meaning::Closure)
    fail(nameRange, object.describe() + " has no attributes");
  Value* self = asValue(object, range);
  const Type* type = self->type();
  if (auto member = objectMember(self, name, range)) return *std::move(member);
  if (isTensor(type))
    if (auto dtype = dtypeOfMethod(name)) {
      Meaning cast = Meaning::of(Meaning::DtypeCast);
      cast.value = self;
      cast.number = *dtype;
      return cast;
    }
  if (const char* property = propertyOf(type, name))
    return builtin(property, range, {given(self)}, {}, std::nullopt, name == "shape");
  if (type->is(TypeKind::Tuple) && !type->names().empty())
    for (std::size_t i = 0; i < type->names().size(); ++i)
      if (type->names()[i].str() == name) {
        Value* index = constant(static_cast<std::int64_t>(i));
        return insert("prim::TupleIndex", {self, index}, type->elements()[i])->output();
      }
  if (type->is(TypeKind::Future)) {
    if (name == "then") {
      Meaning method = Meaning::of(Meaning::Special, "then");
      method.value = self;
      return method;
    }
    if (const char* kind = futureMethod(name)) {
      Meaning method = Meaning::of(Meaning::Builtin, kind);
      method.value = self;
      return method;
    }
  }
  if (isTensor(type) && name == "tolist") {
    Meaning method = Meaning::of(Meaning::Special, "tolist");
    method.value = self;
    return method;
  }
  // Of Python's collect_all they would be futures, which are done.
  if (collected_.contains(type) && (name == "wait" || name == "value" || name == "done")) {
    Meaning method = Meaning::of(Meaning::Special, name == "done" ? "done" : "itself");
    method.value = self;
    return method;
  }
  const std::string kind = "aten::" + (name == "type" ? "to" : name.str());
  if (hasMethod(kind, type)) {
    Meaning method = Meaning::of(Meaning::Builtin, kind);
    method.value = self;
    return method;
  }
  const bool maybe = type->is(TypeKind::Optional);
  compiler_.fail(range,
                 "'" + compiler_.nameOf(type) + "' has no attribute '" + name.str() + "'" +
                     (maybe ? "; it may be None" : nearMethod(type, name)),
                 error_kind::Type);
}

// ---- calls --------------------------------------------------------------------------------------

Meaning Emitter::call(const Meaning& callee, const Call& expr, const Type* hint) {
  if (callee.kind == Meaning::Special) return special(callee, expr, hint);
  if (callee.kind == Meaning::Closure) return callClosure(callee, expr);
  Givens args = givens(expr.arguments, true), keywords;
  for (const Keyword& keyword : expr.keywords) {
    if (keyword.name.text.empty())
      fail(keyword.name.range, "'**' is not part of TorchScript", error_kind::Unsupported);
    keywords.push_back(keywordGiven(keyword));
  }
  callee_ = expr.callee->range;
  call_ = expr.range;
  return apply(callee, expr.callee->range, args, keywords);
}

Given Emitter::keywordGiven(const Keyword& keyword) {
  Given out = given(value(keyword.value), keyword.value->range, keyword.name.text);
  out.nameRange = keyword.name.range;
  return out;
}

Meaning Emitter::apply(const Meaning& callee, Range range, const Givens& args,
                       const Givens& keywords) {
  switch (callee.kind) {
  case Meaning::Function:
    return callFunction(*callee.function, range, args, keywords);
  case Meaning::Class:
    return construct(callee, range, args, keywords);
  case Meaning::Method:
    return callMethod(callee.value, *callee.function, range, args, keywords);
  case Meaning::Builtin: {
    std::optional<Given> self;
    if (callee.value) self = given(callee.value, range, "self");
    return builtin(callee.name, range, args, keywords, self);
  }
  case Meaning::Cast: {
    if (args.size() != 1 || !keywords.empty()) return builtin(callee.name, range, args, keywords);
    Value* zero = constant(std::int64_t(0));
    Value* operand = args[0].value;
    const Type* type = operand->type();
    if (isSubtype(type, callee.type)) return operand;
    if (Value* made = magic(callee.name, range, args, keywords, std::nullopt)) return made;
    if (callee.type->is(TypeKind::Bool) &&
        (type->is(TypeKind::List) || type->is(TypeKind::Str) || type->is(TypeKind::Dict))) {
      Value* length = builtin("aten::len", range, {given(operand)});
      return builtin("aten::gt", range, {given(length), given(zero)});
    }
    return builtin(callee.name, range, args);
  }
  case Meaning::DtypeCast: {
    if (!args.empty() || !keywords.empty()) fail(range, "this method takes no arguments");
    Value* dtype = constant(callee.number, range);
    return builtin("aten::to", range, {}, {given(dtype, range, "dtype")},
                   given(callee.value, range, "self"));
  }
  case Meaning::Exception: {
    if (!keywords.empty()) fail(range, "an exception takes no keyword arguments");
    Meaning raised = Meaning::of(Meaning::Raised, callee.name);
    if (args.empty()) {
      raised.value = constant(IValue(std::string()), range);
    } else if (args.size() == 1) {
      raised.value = args[0].value;
    } else {
      llvm::SmallVector<Value*, 4> items;
      llvm::SmallVector<const Type*, 4> types;
      for (const Given& arg : args) {
        items.push_back(arg.value);
        types.push_back(arg.value->type());
      }
      raised.value = insert("prim::TupleConstruct", items, tupleOf(context_, types))->output();
    }
    raised.children.push_back(constant(IValue("builtins." + callee.name), range));
    return raised;
  }
  case Meaning::Poison:
    throw Stop();
  case Meaning::Value: // an object that can be called
    if (Function* method = calledMethod(callee.value->type()))
      return callMethod(callee.value, *method, range, args, keywords);
    break;
  case Meaning::Special:
    if (callee.name == "print") {
      llvm::SmallVector<Value*, 6> inputs;
      for (const Given& arg : args) inputs.push_back(arg.value);
      insert("prim::Print", inputs, {}, range);
      return Meaning();
    }
    break;
  case Meaning::None:
  case Meaning::Module:
  case Meaning::Type:
  case Meaning::Raised:
  case Meaning::Caught:
  case Meaning::Closure:
  case Meaning::Range:
  case Meaning::Tuple:
  case Meaning::Zip:
    break;
  }
  if (const llvm::StringRef name = callee.name;
      callee.kind == Meaning::Module && name.starts_with("__torch__."))
    compiler_.fail(range,
                   "there is no '" + callee.name + "'" +
                       compiler_.nearMember(name.rsplit('.').first, name.rsplit('.').second));
  fail(range, callee.isValue() ? "'" + spelled(callee.value->type()) + "' cannot be called"
                               : callee.describe() + " cannot be called");
}

void Emitter::arity(const Call& expr, std::size_t count, const char* name) {
  if (expr.arguments.size() != count || !expr.keywords.empty())
    fail(expr.range, std::string(name) + " takes " + std::to_string(count) +
                         (count == 1 ? " argument" : " arguments") + ", not " +
                         std::to_string(expr.arguments.size() + expr.keywords.size()));
}

/// Functions that look at their arguments before these have values.
Meaning Emitter::special(const Meaning& callee, const Call& expr, const Type* hint) {
  const std::string& name = callee.name;
  const Range range = expr.range;
  if (name == "print") {
    if (!expr.keywords.empty()) fail(range, "print takes no keyword arguments");
    return apply(callee, expr.callee->range, givens(expr.arguments, true), {});
  }
  if (name == "fork") return fork(expr);
  if (name == "then") return then(callee, expr);
  if (name == "annotate") return annotate(expr);
  if (name == "isinstance") {
    arity(expr, 2, "isinstance");
    return isInstance(expr.arguments[0], expr.arguments[1]).value;
  }
  if (name == "range") {
    if (!expr.keywords.empty()) fail(range, "range takes no keyword arguments");
    const Givens bounds = givens(expr.arguments, true);
    llvm::SmallVector<Value*, 3> inputs;
    for (const Given& bound : bounds) {
      static constexpr const char* kNames[] = {"start", "stop", "step"};
      const char* which = kNames[std::min<std::size_t>(inputs.size() + (bounds.size() == 1), 2)];
      const Type* type = bound.value->type();
      if (!type->is(TypeKind::Int) && !type->is(TypeKind::Number) && !isTensor(type))
        fail(bound.range,
             std::string("argument '") + which + "' of range must be int, not " + spelled(type));
      inputs.push_back(bound.value);
    }
    return rangeOf(inputs, range);
  }
  if (name == "enumerate") return enumerate(expr);
  if (name == "zip") {
    if (expr.arguments.empty() || !expr.keywords.empty())
      fail(range, "zip takes at least one argument, and no keyword arguments");
    Meaning zip = Meaning::of(Meaning::Zip);
    for (const Expr* argument : expr.arguments)
      addIterable(zip, iterator(meaning(argument), range), range);
    return zip;
  }
  if (name == "getattr" || name == "hasattr") return attributeCall(expr, name == "hasattr");
  if (name == "list") return listCall(expr, hint);
  if (name == "dict") return dictCall(expr, hint);
  if (name == "tuple") {
    arity(expr, 1, "tuple");
    Meaning items = Meaning::of(Meaning::Tuple);
    items.children = asTuple(meaning(expr.arguments[0]), range);
    return asValue(items, range);
  }
  if (name == "is_scripting") return Meaning(constant(true, range));
  if (name == "no_grad" || name == "enable_grad" || name == "inference_mode" ||
      name == "set_grad_enabled")
    return gradMode(callee, expr);
  if (name == "_unwrap_optional") {
    arity(expr, 1, "_unwrap_optional");
    return builtin("aten::_unwrap_optional", expr.callee->range, givens(expr.arguments, false));
  }
  if (name == "itself" || name == "done") {
    arity(expr, 0, "it");
    return name == "itself" ? callee.value : constant(true, range);
  }
  if (name == "tolist") {
    arity(expr, 0, "tolist");
    auto* attribute = llvm::dyn_cast<Attribute>(expr.callee);
    return toList(attribute && hint ? again(attribute->object, callee.value) : callee.value, range,
                  hint);
  }
  if (name == "__new__") {
    arity(expr, 1, "__new__");
    if (meaning(expr.arguments[0]).klass != callee.klass)
      fail(expr.arguments[0]->range, "__new__ takes the class itself: " + callee.klass->name);
    return insert("prim::CreateObject", {}, callee.klass->type, expr.callee->range)->output();
  }
  if (name == "unchecked_cast") {
    arity(expr, 2, "unchecked_cast");
    const Type* type = compiler_.type(expr.arguments[0]);
    return castTo(type, value(expr.arguments[1]));
  }
  if (name == "uninitialized") {
    arity(expr, 1, "uninitialized");
    return insert("prim::Uninitialized", {}, compiler_.type(expr.arguments[0]))->output();
  }
  if (name == "collect_all" || name == "wait_all" || name == "wait_any") {
    arity(expr, 1, name.c_str());
    Value* futures = value(expr.arguments[0]);
    if (name == "collect_all") {
      Value* all = builtin("tine::collect_all", range, {given(futures)});
      collected_.insert(all->type()->element()->element());
      return all;
    }
    if (name == "wait_any") return builtin("tine::wait_any", range, {given(futures)});
    Value* all = builtin("tine::collect_all", range, {given(futures)});
    return builtin("aten::wait", range, {given(all)});
  }
  fail(range, "'" + name + "' is not supported yet", error_kind::Unsupported);
}

/// What was just computed, computed once more, and the first time taken back: TorchScript does it
/// twice, which takes numbers of values.
Value* Emitter::again(const Expr* expr, Value* before) {
  Node* const last = before_->prev();
  Value* result = value(expr);
  llvm::SmallVector<Node*, 8> first;
  bool isAlike = before->node() == last && result->node() == before_->prev();
  Node* old = last;
  for (Node* node = before_->prev(); isAlike && node != last; node = node->prev()) {
    isAlike = old->prev() && old->kind() == node->kind();
    first.push_back(old);
    old = old->prev();
  }
  while (!isAlike && before_->prev() != last) before_->prev()->destroy();
  if (!isAlike) return before;
  for (Node* node : first) node->destroy();
  return result;
}

/// `x: List[int] = t.tolist()`: what the result is, its place says.
Value* Emitter::toList(Value* tensor, Range range, const Type* type) {
  if (!type) fail(range, "the result of tolist needs a type: x: List[int] = t.tolist()");
  std::int64_t dim = 0;
  const Type* element = type;
  for (; element->is(TypeKind::List); element = element->element()) ++dim;
  const std::int64_t kind = element->is(TypeKind::Int)       ? 0
                            : element->is(TypeKind::Float)   ? 1
                            : element->is(TypeKind::Bool)    ? 2
                            : element->is(TypeKind::Complex) ? 3
                                                             : -1;
  if (kind < 0)
    fail(range, "tolist gives ints, floats, bools, and lists of them, not " + spelled(type));
  Value* dimValue = constant(dim);
  return insert("prim::tolist", {tensor, dimValue, constant(kind)}, type)->output();
}

/// One more thing that is gone through with the others.
void Emitter::addIterable(Meaning& zip, Meaning child, Range range) {
  if (!zip.children.empty() && zip.length.has_value() != child.length.has_value())
    fail(range, "a tuple cannot be gone through together with what has no known length");
  if (child.length)
    zip.length = zip.children.empty() ? *child.length : std::min(*zip.length, *child.length);
  zip.children.push_back(std::move(child));
}

Meaning Emitter::enumerate(const Call& expr) {
  const Range range = expr.range;
  const std::size_t count = expr.arguments.size();
  Value* start = nullptr;
  if (count == 2) start = value(expr.arguments[1]);
  for (const Keyword& keyword : expr.keywords)
    if (keyword.name.text == "start" && !start)
      start = value(keyword.value);
    else
      fail(keyword.name.range, "enumerate has no argument '" + keyword.name.text.str() + "'");
  if (count == 0 || count > 2) fail(range, "enumerate takes one or two arguments");
  llvm::SmallVector<Value*, 2> inputs;
  if (start) inputs.push_back(start);
  inputs.push_back(pooledInt(INT64_MAX, range));
  Meaning over = iterator(meaning(expr.arguments[0]), range);
  Meaning zip = Meaning::of(Meaning::Zip);
  addIterable(zip, rangeOf(inputs, range, over.length), range);
  addIterable(zip, std::move(over), range);
  return zip;
}

Meaning Emitter::annotate(const Call& expr) {
  arity(expr, 2, "annotate");
  const Type* type = compiler_.type(expr.arguments[0]);
  Value* result = convert(expr.range, type, value(expr.arguments[1], type), true);
  if (!isSubtype(result->type(), type))
    fail(expr.arguments[1]->range,
         "annotate: " + spelled(result->type()) + " does not fit " + spelled(type));
  // A None that remembers what it may become.
  if (type->is(TypeKind::Optional) && result->type()->is(TypeKind::None))
    result = constant(IValue(), std::nullopt, type);
  return result;
}

Meaning Emitter::listCall(const Call& expr, const Type* hint) {
  const Range range = expr.range;
  if (expr.arguments.empty()) {
    const Type* type = hint ? withoutOptional(hint) : listOf(context_, Type::tensorType());
    if (!type->is(TypeKind::List)) fail(range, "a list where " + spelled(hint) + " is wanted");
    return insert("prim::ListConstruct", {}, type)->output();
  }
  arity(expr, 1, "list");
  Meaning over = meaning(expr.arguments[0]);
  if (over.isValue() &&
      (over.value->type()->is(TypeKind::List) || over.value->type()->is(TypeKind::Str)))
    return builtin("aten::list", range, {given(over.value)});
  return filled(iterator(over, range), range, hint);
}

/// `[x for x in iterable]`
Value* Emitter::filled(const Meaning& iterable, Range range, const Type* hint) {
  const Type* wanted =
      hint && withoutOptional(hint)->is(TypeKind::List) ? withoutOptional(hint) : nullptr;
  Value* made =
      insert("prim::ListConstruct", {}, wanted ? wanted : listOf(context_, Type::tensorType()))
          ->output();
  bool typed = wanted;
  Node* scope = insert("prim::ComprehensionScope", {}, {}, range);
  Name target(range);
  const std::string name = temporary("$_elem");
  target.name = name;
  Expr* targets[] = {&target};
  scoped(scope->addBlock(), [&] {
    forEach(targets, range, iterable, range, [&] {
      Value* element = asValue(lookup(name, range), range);
      if (!typed) made->setType(listOf(context_, plain(element->type())));
      typed = true;
      builtin("aten::append", range, {given(element)}, {}, given(made, range, "self"));
    });
  });
  return made;
}

Meaning Emitter::dictCall(const Call& expr, const Type* hint) {
  const Range range = expr.range;
  Value* made = nullptr;
  if (expr.arguments.size() > 1) fail(range, "dict takes at most one argument without a name");
  if (!expr.arguments.empty()) {
    const Expr* argument = expr.arguments[0];
    Value* from = value(argument, llvm::isa<Dict>(argument) ? hint : nullptr);
    made = builtin("aten::dict", range, {given(from)});
  } else {
    const Type* type = hint ? withoutOptional(hint) : nullptr;
    if (type && !type->is(TypeKind::Dict))
      fail(range, "a dict where " + spelled(hint) + " is wanted");
    if (!type && expr.keywords.empty())
      type = dictOf(context_, Type::strType(), Type::tensorType());
    if (!type) {
      Value* first = value(expr.keywords[0].value);
      type = dictOf(context_, Type::strType(), first->type());
    }
    made = insert("prim::DictConstruct", {}, type)->output();
  }
  for (const Keyword& keyword : expr.keywords) {
    Value* key = constant(IValue(keyword.name.text.str()), keyword.name.range);
    Value* element = value(keyword.value);
    builtin("aten::_set_item", keyword.name.range, {given(made), given(key), given(element)});
  }
  return made;
}

// ---- forks --------------------------------------------------------------------------------------

/// The defaults of a local function are computed where it is defined.
void Emitter::keepDefaults(ClosureInfo& info) {
  for (const Parameter& parameter : info.def ? info.def->parameters : info.lambda->parameters) {
    info.defaults.emplace_back();
    if (!parameter.defaultValue || compiler_.constantOf(parameter.defaultValue)) continue;
    const Type* type = parameter.type ? compiler_.type(parameter.type) : nullptr;
    Value* value = this->value(parameter.defaultValue, type);
    info.defaults.back() = temporary("$default_");
    assign(parameter.defaultValue->range, info.defaults.back(), value, type);
  }
}

/// A block that is lifted out as a function of its own; `body` makes its result.
Node* Emitter::closure(llvm::function_ref<Value*()> body) {
  Node* node = insert("prim::Closure", {}, Type::noneType());
  Block* block = node->addBlock();
  struct Restore {
    LoopState& state;
    LoopState before;
    ~Restore() { state = before; }
  } restore{loop_, std::exchange(loop_, LoopState::None)};
  auto kept = std::exchange(kept_, {});
  Value* const caught = std::exchange(caught_, nullptr);
  scoped(block, [&] { block->addOutput(body()); });
  kept_ = std::move(kept);
  caught_ = caught;
  return node;
}

/// The body of a local function, with values for its parameters.
Value* Emitter::closureBody(ClosureInfo& info, Range range, const Givens& args,
                            const Givens& keywords) {
  if (info.running)
    fail(range, "a local function cannot call itself, also not through others",
         error_kind::Unsupported);
  if (closureDepth_ == kMaxClosures)
    fail(range, "local functions call each other deeper than " + std::to_string(kMaxClosures),
         error_kind::Unsupported);
  struct Nested {
    int& depth;
    bool& running;
    ~Nested() { --depth, running = false; }
  } nested{++closureDepth_, info.running = true};
  definitions_.emplace_back();
  struct Pop {
    std::deque<Definition>& definitions;
    ~Pop() { definitions.pop_back(); }
  } pop{definitions_};
  const auto parameters = info.def ? info.def->parameters : info.lambda->parameters;
  Schema schema;
  schema.name = info.def ? info.def->name.text.str() : "lambda";
  for (const Parameter& parameter : parameters) {
    if (parameter.form != Parameter::Plain)
      fail(parameter.name.range, "'*' before a parameter is not part of TorchScript",
           error_kind::Unsupported);
    Argument argument;
    argument.name = parameter.name.text.str();
    argument.keywordOnly = parameter.keywordOnly;
    // Without a type a parameter has that of its argument.
    argument.type = parameter.type
                        ? compiler_.type(parameter.type)
                        : typeVar(context_, "t" + std::to_string(schema.arguments.size()));
    if (parameter.defaultValue)
      argument.defaultValue = compiler_.constantOf(parameter.defaultValue, argument.type);
    schema.arguments.push_back(std::move(argument));
  }
  Givens named = keywords;
  for (std::size_t i = args.size(); i < parameters.size(); ++i) {
    const llvm::StringRef name = parameters[i].name.text;
    const bool isGiven = llvm::any_of(keywords, [&](const Given& g) { return g.name == name; });
    if (!isGiven && !info.defaults[i].empty())
      named.push_back(given(asValue(lookup(info.defaults[i], range), range), range, name));
  }
  Match found = match(schema, range, args, named);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value* argument = found.inputs[i];
    frame_->meanings.erase(parameters[i].name.text.str());
    store(parameters[i].name.text, argument, std::nullopt);
    frame_->types[parameters[i].name.text.str()] = argument->type();
  }
  if (info.lambda) return value(info.lambda->body);
  Definition& definition = definitions_.back();
  definition.name = schema.name;
  if (info.def->result) definition.declared = compiler_.type(info.def->result);
  const bool stopped = std::exchange(stopped_, false);
  statements(info.def->body);
  const bool wrong = stopped_;
  stopped_ = stopped_ || stopped;
  if (!exits_.contains(frame_->block)) {
    const Type* declared = definitions_.back().declared;
    if (wrong && declared && !declared->is(TypeKind::None)) throw Stop(); // a return may be missing
    if (declared && !declared->is(TypeKind::None))
      fail(info.def->name.range, info.def->name.text.str() + " returns " + spelled(declared) +
                                     ", and may end without a return");
    returnStatement(info.def->range, nullptr, info.def->range);
  } else if (!definitions_.back().merged) {
    definitions_.back().merged = declaredOr(definitions_.back().declared);
  }
  return insert("prim::Uninitialized", {}, definitions_.back().merged)->output();
}

Meaning Emitter::fork(const Call& expr) {
  const Range range = expr.range;
  if (expr.arguments.empty()) fail(range, "fork needs a function");
  const Meaning callee = meaning(expr.arguments[0]);
  if (callee.isValue() && !calledMethod(callee.value->type()))
    notForkable(*expr.arguments[0], spelled(callee.value->type()));
  Givens args = givens(expr.arguments.drop_front(), true), keywords;
  for (const Keyword& keyword : expr.keywords) keywords.push_back(keywordGiven(keyword));
  return forkOf(callee, range, args, keywords);
}

void Emitter::notForkable(const Expr& expr, const std::string& type) {
  std::string instead;
  if (auto* call = llvm::dyn_cast<Call>(&expr)) {
    const llvm::StringRef text = compiler_.module().source.text(call->range);
    const std::uint32_t name = call->callee->range.end - call->range.begin;
    instead = text.drop_front(name + 1).drop_back(1).trim().str();
    instead = "; is fork(" + text.take_front(name).str() + (instead.empty() ? "" : ", ") + instead +
              ") meant?";
    if (instead.size() > 80 || llvm::StringRef(instead).contains('\n')) instead.clear();
  }
  fail(expr.range, "fork needs a function, not " + type + instead);
}

Meaning Emitter::forkOf(const Meaning& callee, Range range, const Givens& args,
                        const Givens& keywords) {
  // TorchScript has the body of a local function in front of the fork.
  const bool bodyFirst = callee.kind == Meaning::Closure && callee.closure->def &&
                         callee.closure->def->parameters.empty();
  Node* node = bodyFirst ? nullptr : insert("prim::forkClosure", {}, Type::noneType(), range);
  const Type* result = nullptr;
  Node* const saved = node ? std::exchange(before_, node) : before_;
  Node* body = closure([&] {
    Value* value = callee.kind == Meaning::Closure
                       ? closureBody(*callee.closure, range, args, keywords)
                       : asValue(apply(callee, range, args, keywords), range);
    result = value->type();
    return value;
  });
  before_ = saved;
  if (!node) node = insert("prim::forkClosure", {}, Type::noneType(), range);
  node->addInput(body->output());
  node->output()->setType(futureOf(context_, result));
  return node->output();
}

/// A call of a local function: it becomes a function of the program, with what it captures as
/// further arguments.
Meaning Emitter::callClosure(const Meaning& callee, const Call& expr) {
  Givens args = givens(expr.arguments, true), keywords;
  for (const Keyword& keyword : expr.keywords) keywords.push_back(keywordGiven(keyword));
  Node* node = insert("prim::callClosure", {}, Type::noneType(), expr.callee->range);
  node->attributes().setString(context_.symbol(Builtin::Name), callee.name);
  const Type* result = nullptr;
  Node* const saved = std::exchange(before_, node);
  Node* body = closure([&] {
    Value* value = closureBody(*callee.closure, expr.range, args, keywords);
    result = value->type();
    return value;
  });
  before_ = saved;
  node->addInput(body->output());
  node->output()->setType(result);
  return node->output();
}

/// Does a callback of `then` take the future, as Python has it, and not its result? Its parameter
/// says so; one without a type by what is asked of it: `lambda f: f.wait() + 1`.
bool Emitter::takesFuture(const Meaning& callee, const Type* element) {
  const auto isMeant = [&](const Type* type) {
    return type->is(TypeKind::Future) && !isSubtype(element, type);
  };
  if (callee.kind == Meaning::Function) {
    const Schema& schema = compiler_.signature(*callee.function, statement_);
    return !schema.arguments.empty() && isMeant(schema.arguments[0].type);
  }
  if (callee.kind != Meaning::Closure) return false;
  const ClosureInfo& info = *callee.closure;
  const auto parameters = info.def ? info.def->parameters : info.lambda->parameters;
  if (parameters.empty()) return false;
  if (parameters[0].type) return isMeant(compiler_.type(parameters[0].type));
  if (element->is(TypeKind::Future) || compiler_.classOf(element)) return false;
  std::vector<Error> ignored; // they were reported when the text was parsed
  const Source& source = compiler_.module().source;
  const Tokens tokens =
      lexPart(source, info.def ? info.def->range : info.lambda->body->range, ignored);
  const auto text = [&](std::size_t i) { return source.text(tokens.list[i].range); };
  for (std::size_t i = 0; i + 2 < tokens.list.size(); ++i)
    if (text(i) == parameters[0].name.text && text(i + 1) == "." &&
        (i == 0 || text(i - 1) != ".") && (futureMethod(text(i + 2)) || text(i + 2) == "then"))
      return true;
  return false;
}

/// `future.then(f)`: f is a function, a local one, or a lambda, and gets the result; or the future,
/// when that is done in whatever way.
Meaning Emitter::then(const Meaning& method, const Call& expr) {
  arity(expr, 1, "then");
  Value* future = method.value;
  const Meaning callee = meaning(expr.arguments[0]);
  const bool settled = takesFuture(callee, future->type()->element());
  if (settled) {
    Value* one = insert("prim::ListConstruct", future, listOf(context_, future->type()))->output();
    future = builtin("tine::collect_all_settle", expr.range, {given(one)});
  }
  const Type* element = future->type()->element();
  Node* node = insert("prim::thenClosure", future, Type::noneType(), expr.range);
  node->attributes().setString(context_.symbol(Builtin::Name),
                               callee.kind == Meaning::Closure ? callee.name : "then");
  const Type* result = nullptr;
  Node* const saved = std::exchange(before_, node);
  Node* body = closure([&] {
    Value* given_ = frame_->block->addInput(element);
    if (settled) {
      Value* index = constant(std::int64_t(0));
      given_ = builtin("aten::__getitem__", expr.range, {given(given_), given(index)});
    }
    Givens args{given(given_, expr.range)};
    Value* value = callee.kind == Meaning::Closure
                       ? closureBody(*callee.closure, expr.range, args, {})
                       : asValue(apply(callee, expr.range, args, {}), expr.range);
    result = value->type();
    return value;
  });
  before_ = saved;
  node->insertInput(0, body->output());
  const Type* flat = result->is(TypeKind::Future) ? result->element() : result;
  node->output()->setType(futureOf(context_, flat));
  return node->output();
}

} // namespace tine::script
