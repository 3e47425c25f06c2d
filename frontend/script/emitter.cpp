#include "frontend/script/emitter.h"

#include "frontend/script/normalize.h"
#include "frontend/script/types.h"
#include "ir/builder.h"

namespace tine::script {
namespace {

/// Names that values get: not `_`, `_1`, nor the compiler's own, which begin with `$`.
bool isMeaningful(llvm::StringRef name) {
  if (name.empty() || name[0] == '$') return false;
  if (name[0] != '_') return true;
  return name.drop_front().find_first_not_of("0123456789") != llvm::StringRef::npos;
}

} // namespace

std::string Meaning::describe() const {
  switch (kind) {
  case None:
    return "nothing";
  case Value:
    return "a value of type " + spelled(value->type());
  case Module:
    return "the module '" + name + "'";
  case Function:
    return "a function";
  case Builtin:
    return "the operator '" + name + "'";
  case Cast:
  case Type:
    return "the type " + spelled(type);
  case DtypeCast:
  case Method:
    return "a method";
  case Class:
    return "the class " + name;
  case Special:
    return "the function '" + name + "'";
  case Exception:
  case Raised:
  case Caught:
    return "the exception '" + name + "'";
  case Closure:
    return "a local function";
  case Range:
    return "a range";
  case Tuple:
    return "a tuple";
  case Zip:
    return "an iterator";
  case Poison:
    return "an error";
  }
  TINE_UNREACHABLE("meaning");
}

Emitter::Emitter(Compiler& compiler, Function& function)
    : compiler_(compiler), context_(compiler.context()), function_(function),
      graph_(*function.graph), before_(graph_.block()->ret()) {}

void Emitter::run() {
  scoped(graph_.block(), [&] {
    definitions_.emplace_back();
    definition(*function_.def, function_.schema, graph_.block());
  });
}

void Emitter::definition(const FunctionDef& def, const Schema& schema, Block* block) {
  Definition& definition = definitions_.back();
  definition.name = def.name.text.str();
  if (!schema.results.empty()) definition.declared = schema.results[0].type;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const Parameter& parameter = def.parameters[i];
    Value* input = block->addInput(schema.arguments[i].type);
    if (isMeaningful(parameter.name.text)) input->setName(parameter.name.text);
    if (i == 0 && function_.owner && !function_.owner->def && frame_->outer == nullptr)
      frame_->meanings[parameter.name.text.str()] = Meaning(input); // is no variable in TorchScript
    else
      assign(parameter.name.range, parameter.name.text, input);
  }
  statements(def.body);
  if (!exits_.contains(block)) {
    const Type* declared = definition.declared;
    const bool mustReturn = declared && !declared->is(TypeKind::None);
    if (mustReturn && !stopped_)
      compiler_.report(def.name.range,
                       def.name.text.str() + " returns " + spelled(declared) +
                           ", and may end without a return",
                       error_kind::Type);
    if (stopped_ || mustReturn) // a return that failed may be missing
      definition.merged = definition.merged ? definition.merged : declaredOr(declared);
    else
      returnStatement(def.range, nullptr, def.range);
  } else if (!definitions_.back().merged) {
    definitions_.back().merged = declaredOr(definitions_.back().declared);
  }
  Node* result = insert("prim::Uninitialized", {}, definitions_.back().merged);
  block->addOutput(result->output());
}

// ---- nodes --------------------------------------------------------------------------------------

Node* Emitter::insert(llvm::StringRef kind, llvm::ArrayRef<Value*> inputs,
                      llvm::ArrayRef<const Type*> results, std::optional<Range> range) {
  Node* node = graph_.createNode(kind);
  for (Value* input : inputs) node->addInput(input);
  for (const Type* type : results) node->addOutput(type);
  node->setLocation(range ? compiler_.location(*range) : hiddenLocation());
  node->insertBefore(before_);
  return node;
}

/// Where the statement is, for messages; TorchScript prints no place there.
Location Emitter::hiddenLocation() {
  Location location = compiler_.location(statement_);
  location.printed = 0;
  return location;
}

Value* Emitter::constant(IValue value, std::optional<Range> range, const Type* type) {
  Builder builder(before_);
  builder.setLocation(range ? compiler_.location(*range) : hiddenLocation());
  return builder.constant(std::move(value), type);
}

/// Numbers are made once, at the front of the graph.
template <class K, class V>
Value* Emitter::pooled(std::map<K, Value*>& made, K key, V value, Range range) {
  Value*& known = made[key];
  if (known) return known;
  Node* const saved = std::exchange(before_, graph_.block()->param()->next());
  known = constant(value, range);
  before_ = saved;
  return known;
}

Value* Emitter::pooledInt(std::int64_t value, Range range) {
  return pooled(ints_, value, value, range);
}
Value* Emitter::pooledFloat(double value, Range range) {
  return pooled(floats_, value, value, range);
}
Value* Emitter::pooledComplex(std::complex<double> value, Range range) {
  return pooled(complexes_, {value.real(), value.imag()}, value, range);
}

Value* Emitter::castTo(const Type* type, Value* value) {
  return insert("prim::unchecked_cast", value, type)->output();
}

std::optional<IValue> Emitter::known(const Value* value) const { return knownValue(value); }

// ---- variables ----------------------------------------------------------------------------------

void Emitter::scoped(Block* block, llvm::function_ref<void()> body) { scopedFrame(block, body); }

std::unique_ptr<Frame> Emitter::scopedFrame(Block* block, llvm::function_ref<void()> body) {
  auto frame = std::make_unique<Frame>(Frame{block, frame_, {}, {}});
  struct Restore {
    Emitter& emitter;
    Frame* frame;
    Node* before;
    ~Restore() {
      emitter.frame_ = frame;
      emitter.before_ = before;
    }
  } restore{*this, frame_, before_};
  frame_ = frame.get();
  before_ = block->ret();
  body();
  return frame;
}

Value* Emitter::load(llvm::StringRef name, const Type* type) {
  Value* value = insert("prim::Load", {}, type)->output();
  value->node()->attributes().setString(context_.symbol(Builtin::Name), name);
  if (isMeaningful(name)) value->setName(name);
  return value;
}

void Emitter::store(llvm::StringRef name, Value* value, std::optional<Range> range) {
  Node* node = insert("prim::Store", value, {}, range);
  node->attributes().setString(context_.symbol(Builtin::Name), name);
}

std::optional<Meaning> Emitter::findHere(Frame& frame, llvm::StringRef name) {
  if (auto found = frame.meanings.find(name); found != frame.meanings.end()) return found->second;
  if (auto found = frame.types.find(name); found != frame.types.end())
    return Meaning(load(name, found->second));
  return std::nullopt;
}

std::optional<Meaning> Emitter::find(Frame* frame, llvm::StringRef name) {
  for (; frame; frame = frame->outer)
    if (auto found = findHere(*frame, name)) return found;
  return std::nullopt;
}

Meaning Emitter::lookup(llvm::StringRef name, Range range) {
  if (auto found = find(frame_, name)) {
    if (found->kind == Meaning::Poison) throw Stop();
    return *std::move(found);
  }
  if (auto reason = reasons_.find(name); reason != reasons_.end())
    fail(range, "'" + name.str() + "' " + reason->second, error_kind::Schema);
  if (const IValue* value = compiler_.constant(name)) return constant(*value, range);
  Meaning meaning = compiler_.global(name);
  if (meaning.kind == Meaning::Poison) throw Stop();
  if (meaning.kind != Meaning::None) return meaning;
  if (compiler_.module().lostMore) throw Stop(); // it may be among what was not understood
  std::vector<std::string> locals;
  for (Frame* frame = frame_; frame; frame = frame->outer) {
    for (const auto& [local, type] : frame->types) locals.push_back(local);
    for (const auto& [local, value] : frame->meanings) locals.push_back(local);
  }
  fail(range, "undefined name '" + name.str() + "'" + compiler_.near(name, locals),
       error_kind::Schema);
}

void Emitter::assign(Range range, llvm::StringRef name, Meaning meaning, const Type* annotated,
                     std::optional<Range> valueRange) {
  Value* value = meaning.isValue() ? meaning.value : nullptr;
  if (value && !value->hasName() && isMeaningful(name) && value->node()->block() == frame_->block)
    value->setName(name);
  // What a variable has in an outer block decides its type, as control flow may bring either value.
  if (auto outer = find(frame_->outer, name); outer && outer->kind != Meaning::Poison) {
    if (annotated) fail(range, "'" + name.str() + "' has a type already, in an outer block");
    if (!value || !outer->isValue())
      fail(range, "'" + name.str() + "' cannot become " + meaning.describe() +
                      ": in an outer block it is " + outer->describe());
    const Type* type = plain(outer->value->type());
    value = convert(range, type, value, true);
    if (!isSubtype(value->type(), type))
      fail(range, "'" + name.str() + "' is a variable of type " + spelled(type) + ", " +
                      spelled(value->type()) + " does not fit");
    // Of two classes no block would know that they have the interface.
    if (withoutOptional(type)->is(TypeKind::Interface) && value->type()->is(TypeKind::Class))
      value = castTo(withoutOptional(type), value);
  }
  if (!value) {
    frame_->meanings[name.str()] = std::move(meaning);
    return;
  }
  if (annotated) value = convert(range, annotated, value, true);
  if (annotated && !isSubtype(value->type(), annotated))
    fail(valueRange ? *valueRange : range, "'" + name.str() + "' is declared as " +
                                               spelled(annotated) + ", " + spelled(value->type()) +
                                               " does not fit");
  frame_->meanings.erase(name.str());
  store(name, value, range);
  keep(name, value, range);
  frame_->types[name.str()] = annotated ? annotated : value->type();
}

} // namespace tine::script
