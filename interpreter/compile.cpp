#include "interpreter/compile.h"

#include "interpreter/frame.h"
#include "interpreter/pool.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <bit>

namespace tine {
namespace {

/// Are its values never counted references?
bool isSimple(const Type* type) {
  const TypeKind kind = type->kind();
  return kind == TypeKind::Int || kind == TypeKind::Float || kind == TypeKind::Bool ||
         kind == TypeKind::None || kind == TypeKind::Device || kind == TypeKind::Function ||
         kind == TypeKind::SymInt;
}

std::uint64_t bitsOf(const IValue& v) {
  switch (v.tag()) {
  case Tag::Bool:
    return v.toBool();
  case Tag::Int:
    return static_cast<std::uint64_t>(v.toInt());
  case Tag::Double:
    return std::bit_cast<std::uint64_t>(v.toDouble());
  case Tag::Device:
    return static_cast<std::uint64_t>(v.toDevice());
  case Tag::Function:
    return reinterpret_cast<std::uint64_t>(v.toFunction());
  case Tag::None:
  case Tag::Uninitialized:
  case Tag::Tensor:
  case Tag::String:
  case Tag::Complex:
  case Tag::List:
  case Tag::Tuple:
  case Tag::Dict:
  case Tag::Object:
  case Tag::Future:
  case Tag::RRef:
    break;
  }
  return 0;
}

Place placeOf(const Location& location) {
  Place place;
  if (location.file.empty()) return place;
  place.file = location.file.str().str();
  place.line = location.line;
  place.column = location.column + 1u;
  return place;
}

/// May loads share it? Lists, dicts and objects change; everything else does not.
bool isImmutable(const IValue& value) {
  std::vector<const IValue*> open{&value};
  while (!open.empty()) {
    const IValue* v = open.back();
    open.pop_back();
    if (v->isList() || v->isDict()) return false;
    if (v->isObject() && !v->toObject().layout->isEnum) return false;
    if (v->isTuple())
      for (const IValue& item : v->toTuple().items) open.push_back(&item);
  }
  return true;
}

constexpr TypeKind typeOf(Tag number) {
  return number == Tag::Int ? TypeKind::Int : TypeKind::Float;
}
constexpr OwnInstr kOwnInstrs[] = {
    {"aten::__getitem__", TypeKind::List, Opcode::ListGet},
    {"aten::len", TypeKind::List, Opcode::ListLen},
    {"aten::append", TypeKind::List, Opcode::ListAppend},
#define TINE_SCALAR(id, op, kind, condition, value) {op, typeOf(Tag::kind), Opcode::id},
#define TINE_COMPARE(id, op, kind, value) TINE_SCALAR(id, op, kind, true, value)
#include "interpreter/instr.def"
};

/// The other forms of instructions, which instr.def puts after them.
constexpr Opcode withConstant(Opcode op) { return static_cast<Opcode>(static_cast<int>(op) + 1); }
constexpr Opcode withBranch(Opcode op) { return static_cast<Opcode>(static_cast<int>(op) + 2); }
/// An instruction, and the one that does with c and b what it does with b and c.
constexpr std::pair<Opcode, Opcode> kMirrored[] = {
    {Opcode::AddInt, Opcode::AddInt},     {Opcode::MulInt, Opcode::MulInt},
    {Opcode::AddFloat, Opcode::AddFloat}, {Opcode::MulFloat, Opcode::MulFloat},
    {Opcode::EqInt, Opcode::EqInt},       {Opcode::NeInt, Opcode::NeInt},
    {Opcode::LtInt, Opcode::GtInt},       {Opcode::GtInt, Opcode::LtInt},
    {Opcode::LeInt, Opcode::GeInt},       {Opcode::GeInt, Opcode::LeInt},
    {Opcode::EqFloat, Opcode::EqFloat},   {Opcode::NeFloat, Opcode::NeFloat},
    {Opcode::LtFloat, Opcode::GtFloat},   {Opcode::GtFloat, Opcode::LtFloat},
    {Opcode::LeFloat, Opcode::GeFloat},   {Opcode::GeFloat, Opcode::LeFloat},
};
constexpr bool isComparison(Opcode op) {
  return op >= Opcode::LtInt && op <= Opcode::NeFloatKBranch;
}
static_assert(withConstant(Opcode::AddInt) == Opcode::AddIntK);
static_assert(withConstant(Opcode::LtInt) == Opcode::LtIntK &&
              withBranch(Opcode::LtInt) == Opcode::LtIntBranch &&
              withBranch(Opcode::LtIntK) == Opcode::LtIntKBranch);

} // namespace

std::string arityMessage(const FunctionCode& function, std::size_t given) {
  return function.name + "() takes " + std::to_string(function.numInputs) + " arguments, " +
         std::to_string(given) + " given";
}

// ---- the unit
// -------------------------------------------------------------------------------------

UnitCompiler::UnitCompiler(std::shared_ptr<const OpSet> ops, std::shared_ptr<Context> context)
    : code_(std::make_shared<Code>()) {
  code_->ops_ = std::move(ops);
  code_->context_ = std::move(context);
  for (const OwnInstr& own : kOwnInstrs)
    own_[{code_->context_->symbol(own.name).id(), static_cast<unsigned>(own.type)}] = &own;
}

FunctionCode& UnitCompiler::addFunction(const Graph& graph, std::string name) {
  FunctionCode& function = code_->storage_.emplace_back();
  function.name = std::move(name);
  function.code = code_.get();
  function.numInputs = static_cast<std::uint32_t>(graph.inputs().size());
  code_->owned_.insert(&function);
  graphs_.emplace_back(&graph, &function);
  return function;
}

void UnitCompiler::declare(const Graph& graph, llvm::StringRef name) {
  const FunctionCode& function = addFunction(graph, name.str());
  code_->functions_.push_back(&function);
  code_->index_[name] = &function;
}

Result<std::shared_ptr<const Code>> UnitCompiler::run() {
  for (std::size_t i = 0; i < graphs_.size(); ++i) // bodies of forks are added meanwhile
    FunctionCompiler(*this, *graphs_[i].first, *graphs_[i].second).run();
  if (!errors_.empty()) return std::move(errors_);
  if (code_->draws_)
    for (FunctionCode& function : code_->storage_)
      for (Site& site : function.sites) site.splits = true;
  return std::shared_ptr<const Code>(std::move(code_));
}

const FunctionCode* UnitCompiler::function(llvm::StringRef name) const { return code_->find(name); }

const OpInfo* UnitCompiler::nativeMethod(llvm::StringRef className, llvm::StringRef method) const {
  const NativeClass* native = code_->ops_->classes().find(className);
  return native ? native->method(method) : nullptr;
}

const OwnInstr* UnitCompiler::ownInstr(Symbol op, TypeKind type) const {
  return own_.lookup({op.id(), static_cast<unsigned>(type)});
}

const OpInfo* UnitCompiler::resolve(const Node& node, Error& why) {
  // Which overload fits depends on the operands' types, and not on what is known of tensors.
  llvm::SmallVector<const void*, 10> key{node.kind().id(), node.overload().id()};
  for (Value* input : node.inputs())
    key.push_back(input->type()->is(TypeKind::Tensor) ? Type::tensorType() : input->type());
  const std::size_t hash = llvm::hash_combine_range(key.begin(), key.end());
  std::vector<Resolved>& bucket = resolved_[hash];
  for (const Resolved& known : bucket)
    if (known.key == key) {
      if (!known.op) why = *known.error;
      return known.op;
    }
  Result<const OpInfo*> found = tine::resolve(*code_->ops_, node);
  Resolved entry{std::move(key), found ? *found : nullptr, nullptr};
  if (!found) {
    const bool unknown = code_->ops_->find(node.kind().str()).empty();
    why = unknown
              ? Error(error_kind::NotImplemented, "there is no operator " + node.kind().str().str())
              : Error(found.error().kind, found.error().message);
    entry.error = std::make_unique<Error>(why);
  }
  code_->draws_ |= entry.op && entry.op->kernel && entry.op->effects.nondeterministic;
  bucket.push_back(std::move(entry));
  return bucket.back().op;
}

std::shared_ptr<const ClassLayout> UnitCompiler::layout(llvm::StringRef className) {
  if (const NativeClass* native = code_->ops_->classes().find(className)) return native->layout();
  if (!scannedClasses_) {
    scannedClasses_ = true;
    std::vector<const Graph*> open;
    for (auto& [graph, function] : graphs_) open.push_back(graph);
    llvm::DenseMap<const Graph*, bool> seen;
    llvm::StringSet<> known; // `class.attribute`
    while (!open.empty()) {
      const Graph* graph = open.back();
      open.pop_back();
      if (!seen.try_emplace(graph, true).second) continue;
      graph->forEachNode([&](Node* node) {
        if (Graph* body = node->subgraph()) open.push_back(body);
        const bool access = node->op() == Builtin::GetAttr || node->op() == Builtin::SetAttr;
        if (!access || node->numInputs() == 0 || !node->input(0)->type()->is(TypeKind::Class))
          return;
        const llvm::StringRef type = node->input(0)->type()->name();
        const llvm::StringRef name = node->attributes().string(Builtin::Name);
        if (known.insert((type + "." + name).str()).second) classes_[type].push_back(name.str());
      });
    }
  }
  std::shared_ptr<const ClassLayout>& layout = layouts_[className];
  if (!layout) {
    auto made = std::make_shared<ClassLayout>();
    made->name = className.str();
    made->attributes = classes_[className];
    layout = std::move(made);
  }
  return layout;
}

// ---- one function: what lives how long
// ------------------------------------------------------------

FunctionCompiler::FunctionCompiler(UnitCompiler& unit, const Graph& graph, FunctionCode& code)
    : unit_(unit), graph_(graph), code_(code), values_(graph.numValues()) {}

void FunctionCompiler::run() {
  analyse();
  for (Value* input : graph_.inputs()) info(input).reg = allocate();
  for (Value* input : graph_.inputs())
    if (!info(input).used()) dropUnused(input);
  Control root;
  root.block = graph_.block();
  root.next = graph_.block()->param()->next();
  controls_.push_back(std::move(root));
  while (!controls_.empty()) {
    Control& control = controls_.back();
    Node* node = control.next;
    depth_ = static_cast<std::uint32_t>(controls_.size() - 1);
    ++position_;
    if (node == control.block->ret()) {
      endBlock();
    } else {
      control.next = node->next();
      emit(node);
    }
  }
  code_.numRegisters = std::max<std::uint32_t>(numRegisters_, code_.numInputs);
  code_.frameClass = Pool::classOf(Frame::bytes(code_.numRegisters));
}

/// Numbers nodes in program order (a block's Return too), and finds for every value its last user
/// and the node after which nobody needs it, at the value's own depth: a value that a nested block
/// uses lives until the end of the node that has the block.
void FunctionCompiler::analyse() {
  struct Cursor {
    Block* block;
    Node* next;
    std::uint32_t depth;
  };
  std::vector<Cursor> cursors;
  std::vector<std::uint32_t> path; // by depth, the node being looked at
  std::uint32_t position = 0;
  const auto enter = [&](Block* block, std::uint32_t depth) {
    for (Value* param : block->inputs()) {
      info(param).depth = depth;
      info(param).simple = isSimple(param->type());
    }
    cursors.push_back({block, block->param()->next(), depth});
  };
  enter(graph_.block(), 0);
  while (!cursors.empty()) {
    Cursor& cursor = cursors.back();
    Node* node = cursor.next;
    const std::uint32_t depth = cursor.depth;
    ++position;
    path.resize(depth + 1);
    path[depth] = position;
    for (Value* input : node->inputs()) {
      ValueInfo& value = info(input);
      value.lastUser = position;
      value.diesAt = path[value.depth];
    }
    if (node == cursor.block->ret()) {
      cursors.pop_back();
      continue;
    }
    for (Value* output : node->outputs()) {
      info(output).depth = depth;
      info(output).simple = isSimple(output->type());
    }
    cursor.next = node->next();
    for (std::size_t i = node->blocks().size(); i-- > 0;) enter(node->blocks()[i], depth + 1);
  }
  dyingAfter_.assign(position + 1, kNone);
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    ValueInfo& value = values_[i];
    if (value.lastUser == value.diesAt) continue;
    value.nextDying = dyingAfter_[value.diesAt];
    dyingAfter_[value.diesAt] = i;
  }
}

// ---- registers
// ------------------------------------------------------------------------------------

std::uint32_t FunctionCompiler::allocate() {
  if (!free_.empty()) {
    const std::uint32_t reg = free_.back();
    free_.pop_back();
    return reg;
  }
  if (numRegisters_ >= kMaxRegisters) {
    if (!overflowed_)
      unit_.addError(Error(error_kind::Unsupported,
                           "function " + code_.name + " has more than " +
                               std::to_string(kMaxRegisters) + " values alive at once",
                           placeOf(location_)));
    overflowed_ = true;
    return 0;
  }
  vacant_.push_back(false);
  return numRegisters_++;
}

std::uint32_t FunctionCompiler::allocatePair() {
  if (!freePairs_.empty()) {
    const std::uint32_t reg = freePairs_.back();
    freePairs_.pop_back();
    return reg;
  }
  if (numRegisters_ + 2 > kMaxRegisters) return allocate(); // reports it
  vacant_.resize(vacant_.size() + 2, false);
  numRegisters_ += 2;
  return numRegisters_ - 2;
}

/// The value is not needed any more; its register is.
void FunctionCompiler::release(ValueInfo& value) {
  if (value.reg == kNone || value.pinned) return;
  if (value.owned)
    vacant_[value.reg] = true; // of an If's or Loop's results: only a result may have it
  else if (!overflowed_)
    free_.push_back(value.reg);
}

std::uint32_t FunctionCompiler::define(Value* output) {
  ValueInfo& value = info(output);
  if (value.hint != kNone && vacant_[value.hint]) {
    value.reg = value.hint;
    value.owned = true;
    vacant_[value.hint] = false;
  } else {
    value.reg = allocate();
  }
  return value.reg;
}

void FunctionCompiler::dropUnused(Value* output) {
  ValueInfo& value = info(output);
  if (value.used()) return;
  if (!value.simple) emit(Opcode::Drop, value.reg);
  release(value);
}

bool FunctionCompiler::diesHere(const ValueInfo& value) const {
  return value.lastUser == position_ && value.depth == depth_ && value.reg != kNone &&
         !value.pinned;
}

// ---- emission
// -------------------------------------------------------------------------------------

Instr& FunctionCompiler::emit(Opcode op, std::uint32_t a) {
  return code_.instrs.emplace_back(Instr{op, false, static_cast<std::uint16_t>(a)});
}

void FunctionCompiler::emitABC(Opcode op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Instr& instr = emit(op, a);
  instr.b = static_cast<std::uint16_t>(b);
  instr.c = static_cast<std::uint16_t>(c);
}

void FunctionCompiler::emitAX(Opcode op, std::uint32_t a, std::uint32_t x) { emit(op, a).setX(x); }

std::uint32_t FunctionCompiler::emitJump(Opcode op, std::uint32_t a) {
  emit(op, a);
  return pc() - 1;
}

void FunctionCompiler::land(std::uint32_t jump) { landAt(jump, pc()); }

void FunctionCompiler::landAt(std::uint32_t jump, std::uint32_t target) {
  code_.instrs[jump].setX(target - jump - 1);
}

std::uint32_t FunctionCompiler::source(Value* v) {
  const ValueInfo& value = info(v);
  if (value.constant != kNone) return constantAt(value.constant);
  return value.reg == kNone ? 0 : value.reg;
}

/// The constant as a source. One that is too far for an operand is loaded for the node at hand.
std::uint32_t FunctionCompiler::constantAt(std::uint32_t index) {
  if (index < kConstant) return kConstant | index;
  const std::uint32_t reg = allocate();
  emitAX(Opcode::LoadK, reg, index);
  loaded_.push_back(reg);
  return reg;
}

void FunctionCompiler::releaseLoaded() {
  if (!overflowed_) free_.insert(free_.end(), loaded_.begin(), loaded_.end());
  loaded_.clear();
}

std::uint32_t FunctionCompiler::constant(IValue v) {
  // Small constants repeat a lot; each is kept once.
  const bool simple = !v.isCounted();
  const auto key = std::make_pair(static_cast<unsigned>(v.tag()), simple ? bitsOf(v) : 0);
  if (simple) {
    auto it = constants_.find(key);
    if (it != constants_.end()) return it->second;
  }
  const auto index = static_cast<std::uint32_t>(code_.constants.size());
  code_.constants.push_back(std::move(v));
  if (simple) constants_[key] = index;
  return index;
}

std::uint32_t FunctionCompiler::constantSource(IValue v) {
  return constantAt(constant(std::move(v)));
}

std::uint32_t FunctionCompiler::name(llvm::StringRef text) {
  auto [it, added] = names_.try_emplace(text, static_cast<std::uint32_t>(code_.names.size()));
  if (added) code_.names.push_back(text.str());
  return it->second;
}

/// The node cannot be compiled: it raises when reached, and its results are never read.
void FunctionCompiler::emitFailing(Node* node, Error error) {
  emitAX(Opcode::Fail, 0, static_cast<std::uint32_t>(code_.failures.size()));
  code_.failures.push_back(std::move(error));
  dropDying(node->inputs());
  defineAll(node);
}

std::uint32_t FunctionCompiler::defineAll(Node* node) {
  const auto first = static_cast<std::uint32_t>(code_.registers.size());
  for (Value* output : node->outputs())
    code_.registers.push_back(static_cast<std::uint16_t>(define(output)));
  return first;
}

void FunctionCompiler::dropAllUnused(Node* node) {
  for (Value* output : node->outputs()) dropUnused(output);
}

/// Operands that die at an instruction that does not release them itself.
void FunctionCompiler::dropDying(Operands inputs) {
  for (Value* input : inputs) {
    ValueInfo& value = info(input);
    if (!diesHere(value) || value.gone) continue;
    value.gone = true;
    if (!value.simple) emit(Opcode::Drop, value.reg);
    release(value);
  }
}

/// A row of the side table with these operands. Taken ones (`takes`) are moved at their last
/// occurrence; a kernel's are released after it, unless a result has their register.
Site& FunctionCompiler::addSite(Operands inputs, std::size_t skip, bool takes) {
  Site& site = code_.sites.emplace_back();
  site.pc = pc();
  site.home = &code_;
  site.firstSource = static_cast<std::uint32_t>(code_.sources.size());
  for (std::size_t i = skip; i < inputs.size(); ++i) {
    ++info(inputs[i]).occurrences;
    code_.sources.push_back({static_cast<std::uint16_t>(source(inputs[i]))});
  }
  site.numSources = static_cast<std::uint32_t>(inputs.size() - skip);
  site.firstDrop = static_cast<std::uint32_t>(code_.registers.size());
  for (std::size_t i = inputs.size(); i-- > skip;) {
    ValueInfo& value = info(inputs[i]);
    const bool once = std::exchange(value.occurrences, 0) == 1;
    if (!diesHere(value) || value.gone) continue;
    value.gone = true;
    if (takes)
      code_.sources[site.firstSource + i - skip].dies = true;
    else if (once && i - skip < 64)
      site.dying |= std::uint64_t(1) << (i - skip);
    if (!takes && !value.simple) code_.registers.push_back(static_cast<std::uint16_t>(value.reg));
    release(value);
  }
  site.numDrops = static_cast<std::uint32_t>(code_.registers.size()) - site.firstDrop;
  return site;
}

/// A row with one source that does not die.
Site& FunctionCompiler::addSiteOf(std::uint32_t index) {
  Site& site = code_.sites.emplace_back();
  site.pc = pc();
  site.home = &code_;
  site.firstSource = static_cast<std::uint32_t>(code_.sources.size());
  site.numSources = 1;
  code_.sources.push_back({static_cast<std::uint16_t>(index)});
  return site;
}

void FunctionCompiler::setResults(Site& site, Node* node) {
  site.firstResult = defineAll(node);
  site.numResults = static_cast<std::uint32_t>(node->numOutputs());
  // A register that died and now holds a result stays.
  const auto registers = code_.registers.begin();
  const auto results = registers + site.firstResult;
  const auto kept = std::remove_if(
      registers + site.firstDrop, registers + site.firstDrop + site.numDrops,
      [&](std::uint16_t reg) {
        return std::find(results, results + site.numResults, reg) != results + site.numResults;
      });
  site.numDrops = static_cast<std::uint32_t>(kept - (registers + site.firstDrop));
}

std::uint32_t FunctionCompiler::lastSite() const {
  return static_cast<std::uint32_t>(code_.sites.size() - 1);
}

/// An instruction that takes its operands and has one result.
void FunctionCompiler::emitTaking(Opcode op, Node* node, std::size_t skip) {
  addSite(node->inputs(), skip, true);
  emitAX(op, define(node->output()), lastSite());
  dropAllUnused(node);
}

/// A long list of constants is one: a source for each would take a register for those that are too
/// far.
void FunctionCompiler::emitList(Node* node) {
  constexpr std::size_t kLong = 256;
  if (node->numInputs() < kLong ||
      !llvm::all_of(node->inputs(), [&](Value* v) { return info(v).constant != kNone; }))
    return emitTaking(Opcode::MakeList, node);
  std::vector<IValue> items;
  for (Value* input : node->inputs()) items.push_back(code_.constants[info(input).constant]);
  const std::uint32_t index = constant(IValue::list(std::move(items)));
  emitAX(Opcode::LoadFresh, define(node->output()), index);
  dropAllUnused(node);
}

/// The row of `inlined` for a call site, and those around it.
std::uint32_t FunctionCompiler::inlinedAt(const CallSite* site) {
  llvm::SmallVector<const CallSite*, 4> chain; // innermost first
  for (; site && !callSites_.contains(site); site = site->outer) chain.push_back(site);
  std::uint32_t row = site ? callSites_.lookup(site) : FunctionCode::kNotInlined;
  for (; !chain.empty(); chain.pop_back()) {
    const CallSite* inner = chain.back();
    code_.inlined.push_back({inner->function.str().str(), inner->location, row, inner->fork});
    row = callSites_[inner] = static_cast<std::uint32_t>(code_.inlined.size() - 1);
  }
  return row;
}

void FunctionCompiler::emit(Node* node) {
  releaseLoaded();
  location_ = node->location();
  const std::uint32_t inlined = inlinedAt(node->callSite());
  if (code_.rows.empty() || !(code_.rows.back().location.file == location_.file) ||
      code_.rows.back().location.line != location_.line ||
      code_.rows.back().location.column != location_.column || code_.rows.back().inlined != inlined)
    code_.rows.push_back({pc(), location_, inlined});

  switch (node->op()) {
  case Builtin::Constant:
    return emitConstant(node);
  case Builtin::If:
    return beginIf(node);
  case Builtin::Loop:
    return beginLoop(node);
  case Builtin::Fork:
    return emitFork(node);
  case Builtin::Wait:
    return emitWait(node);
  case Builtin::CallFunction:
    return emitCallFunction(node);
  case Builtin::CallMethod:
    return emitCallMethod(node, node->attributes().string(Builtin::Name));
  case Builtin::Enter:
    return emitEnter(node);
  case Builtin::Exit:
    return emitExit(node);
  case Builtin::TupleConstruct:
    return emitTuple(node);
  case Builtin::ListConstruct:
    return emitList(node);
  case Builtin::DictConstruct:
    return emitTaking(Opcode::MakeDict, node);
  case Builtin::TupleUnpack:
    return emitUnpack(Opcode::UnpackTuple, node);
  case Builtin::ListUnpack:
    return emitUnpack(Opcode::UnpackList, node);
  case Builtin::TupleIndex:
    return emitPlain(Opcode::TupleIndex, node, source(node->input(1)));
  case Builtin::TupleSlice:
    return emitTupleSlice(node);
  case Builtin::GetAttr:
    return emitNamed(Opcode::GetAttr, node);
  case Builtin::HasAttr:
    return emitNamed(Opcode::HasAttr, node);
  case Builtin::SetAttr:
    return emitSetAttr(node);
  case Builtin::CreateObject:
    return emitCreateObject(node);
  case Builtin::Uninitialized:
    emit(Opcode::Uninit, define(node->output()));
    return dropAllUnused(node);
  case Builtin::RaiseException:
    emitABC(Opcode::Raise, 0, source(node->input(0)),
            node->numInputs() > 1 ? source(node->input(1)) : constantSource(IValue()));
    return dropDying(node->inputs());
  case Builtin::UncheckedCast:
  case Builtin::UncheckedUnwrapOptional:
    return emitCast(node);
  case Builtin::IsInstance:
    return emitIsInstance(node);
  case Builtin::Closure:
    return emitClosure(node);
  case Builtin::Try:
    return beginTry(node);
  case Builtin::Reraise: {
    Instr& instr = emit(Opcode::Reraise, 0);
    instr.b = static_cast<std::uint16_t>(source(node->input(0)));
    return dropDying(node->inputs());
  }
  case Builtin::None:
  case Builtin::Param:
  case Builtin::Return:
  case Builtin::Print:
  case Builtin::DifferentiableGraph:
  case Builtin::PythonOp:
#define TINE_NAME(id, text) case Builtin::id:
#include "ir/symbols.def"
    break;
  }
  if (node->subgraph() && node->op() != Builtin::PythonOp) return emitGroup(node);
  emitOperator(node);
}

void FunctionCompiler::emitConstant(Node* node) {
  ValueInfo& value = info(node->output());
  const Type* type = node->output()->type();
  if (node->attributes().has(Builtin::Name)) {
    const llvm::StringRef callee = node->attributes().string(Builtin::Name);
    value.function = unit_.function(callee);
    if (value.function) {
      value.constant = constant(IValue::function(value.function));
    } else {
      value.missing = node;
      value.constant = constant(IValue());
    }
    return;
  }
  const Attribute* attribute = node->attributes().find(Builtin::Value);
  IValue v = attribute ? attribute->value : IValue();
  if (attribute && (attribute->isVerbatim() || !attribute->graphs.empty() ||
                    attribute->kind == AttrKind::ty || attribute->kind == AttrKind::tys)) {
    const std::string text = attribute->isVerbatim() ? attribute->verbatim : "of this kind";
    return emitFailing(node, Error(error_kind::NotImplemented,
                                   "the value of the constant " + text + " is not known"));
  }
  // Bools are written 1 and 0, and TorchScript writes large floats without a dot.
  if (type->is(TypeKind::Bool) && v.isInt()) v = IValue(v.toInt() != 0);
  if (type->is(TypeKind::Float) && v.isInt()) v = IValue(static_cast<double>(v.toInt()));
  if (!value.used()) return;
  const bool shared = isImmutable(v);
  const std::uint32_t index = constant(std::move(v));
  if (shared)
    value.constant = index;
  else
    emitAX(Opcode::LoadFresh, define(node->output()), index);
}

void FunctionCompiler::emitOperator(Node* node) {
  Error why(error_kind::NotImplemented, "");
  const OpInfo* op = unit_.resolve(*node, why);
  if (op && !op->kernel && emitFutures(node)) return;
  if (op && !op->kernel)
    why = Error(error_kind::NotImplemented,
                "operator " + node->kind().str().str() + " has no kernel");
  else if (op && !op->schema.varresults && op->schema.results.size() != node->numOutputs())
    why = Error(error_kind::Schema, "operator " + node->kind().str().str() + " has " +
                                        std::to_string(op->schema.results.size()) +
                                        " results, the node " + std::to_string(node->numOutputs()));
  if (!why.message.empty()) return emitFailing(node, std::move(why));
  emitKernel(node, op);
}

void FunctionCompiler::emitKernel(Node* node, const OpInfo* op) {
  const std::uint32_t b = node->numInputs() > 0 ? source(node->input(0)) : 0;
  const std::uint32_t c = node->numInputs() > 1 ? source(node->input(1)) : 0;
  const std::uint32_t site = operatorSite(node, op);
  if (emitOwn(node, site, b, c)) return;
  emitAX(Opcode::Operator, 0, site);
  dropAllUnused(node);
}

std::uint32_t FunctionCompiler::operatorSite(Node* node, const OpInfo* op) {
  // Constants first: when they do not fit, loading them is an instruction.
  llvm::SmallVector<std::uint16_t, 4> defaults;
  for (std::size_t i = node->numInputs(); i < op->schema.arguments.size(); ++i)
    defaults.push_back(static_cast<std::uint16_t>(
        constantSource(op->schema.arguments[i].defaultValue.value_or(IValue()))));
  Site& site = addSite(node->inputs(), 0, false);
  for (std::uint16_t index : defaults) code_.sources.push_back({index});
  site.numSources += static_cast<std::uint32_t>(defaults.size());
  site.op = op;
  setResults(site, node);
  return lastSite();
}

/// The instruction that an operator has of its own, when the operands are of the right types and
/// none has to be released: it works on b and c, and the site's kernel on everything unusual.
bool FunctionCompiler::emitOwn(Node* node, std::uint32_t site, std::uint32_t b, std::uint32_t c) {
  const Site& row = code_.sites[site];
  if (node->numInputs() == 0 || node->numOutputs() != 1) return false;
  const Type* type = node->input(0)->type();
  const OwnInstr* own = unit_.ownInstr(node->kind(), type->kind());
  if (!own) return false;
  const bool isList = type->is(TypeKind::List);
  // What a list is given may die there.
  const bool moves = own->op == Opcode::ListAppend && c < kConstant && b != c && row.dying >> 1 & 1;
  if (row.numDrops != 0 && !(moves && row.numDrops == 1 && code_.registers[row.firstDrop] == c))
    return false;
  if (isList ? own->op == Opcode::ListAppend && info(node->output()).used()
             : node->numInputs() != 2 || node->input(1)->type() != type)
    return false;
  Opcode op = own->op;
  if (!isList) {
    if (b >= kConstant && c >= kConstant) return false;
    const auto* mirrored = std::find_if(std::begin(kMirrored), std::end(kMirrored),
                                        [&](const auto& pair) { return pair.first == op; });
    if (b >= kConstant && mirrored != std::end(kMirrored)) {
      op = mirrored->second;
      std::swap(b, c);
    }
    if (c >= kConstant && typeOf(code_.constants[c - kConstant].tag()) == type->kind()) {
      op = withConstant(op);
    } else if (std::uint32_t& constant = b >= kConstant ? b : c; constant >= kConstant) {
      loaded_.push_back(allocate());
      if (const std::uint32_t other = b >= kConstant ? c : b; loaded_.back() == other)
        loaded_.push_back(allocate()); // the other operand died and is still needed
      emitAX(Opcode::LoadK, loaded_.back(), constant - kConstant);
      constant = loaded_.back();
    }
  }
  code_.irregular.emplace_back(pc(), site);
  emitABC(op, code_.registers[row.firstResult], b, c);
  code_.instrs.back().dies = moves;
  if (op == Opcode::ListAppend)
    release(info(node->output())); // which only an unusual operand gives a value
  else
    dropAllUnused(node);
  if (isComparison(op)) {
    compared_ = node->output();
    comparedAt_ = pc() - 1;
  }
  return true;
}

/// A jump over what is done when the value is true. A comparison right before it, for nothing else,
/// becomes one with it.
std::uint32_t FunctionCompiler::emitJumpIfNot(Value* condition, std::uint32_t from) {
  if (condition == compared_ && comparedAt_ + 1 == pc() && condition->hasOneUse())
    code_.instrs.back().op = withBranch(code_.instrs.back().op);
  return emitJump(Opcode::JumpIfNot, from);
}

void FunctionCompiler::emitCallFunction(Node* node) {
  const ValueInfo& callee = info(node->input(0));
  if (callee.missing)
    return emitFailing(node, Error(error_kind::NotImplemented,
                                   "there is no function " +
                                       callee.missing->attributes().string(Builtin::Name).str()));
  if (callee.function) return emitCall(node, callee.function, 1);
  emitTaking(Opcode::CallValue, node);
}

void FunctionCompiler::emitClosure(Node* node) {
  const Graph* body = node->subgraph();
  if (!body || node->numOutputs() != 1 || body->inputs().size() < node->numInputs())
    return emitFailing(node, Error(error_kind::NotImplemented, "a closure without its body"));
  addSite(node->inputs(), 0, true).target = &unit_.addFunction(*body, "<closure>");
  emitAX(Opcode::MakeClosure, define(node->output()), lastSite());
  dropAllUnused(node);
}

void FunctionCompiler::emitCall(Node* node, const FunctionCode* target, std::size_t skip) {
  if (target->numInputs != node->numInputs() - skip)
    return emitFailing(node,
                       Error(error_kind::Type, arityMessage(*target, node->numInputs() - skip)));
  addSite(node->inputs(), skip, true).target = target;
  if (node->numOutputs() == 1) {
    emitAX(Opcode::Call, define(node->output()), lastSite());
    return dropAllUnused(node);
  }
  const std::uint32_t reg = allocate();
  emitAX(Opcode::Call, reg, lastSite());
  emitUnpackOf(reg, node);
}

/// The results of a node from the tuple in a register of its own, which is released.
void FunctionCompiler::emitUnpackOf(std::uint32_t reg, Node* node) {
  if (node->numOutputs() != 0) {
    setResults(addSiteOf(reg), node);
    emitAX(Opcode::UnpackTuple, 0, lastSite());
  }
  emit(Opcode::Drop, reg);
  if (!overflowed_) free_.push_back(reg);
  dropAllUnused(node);
}

void FunctionCompiler::emitCallMethod(Node* node, llvm::StringRef method) {
  if (isNativeScope(node)) return emitNothing(node);
  const Type* type = node->numInputs() ? node->input(0)->type() : Type::noneType();
  if (type->is(TypeKind::Class))
    if (const FunctionCode* target =
            unit_.function((llvm::Twine(type->name()) + "." + method).str()))
      return emitCall(node, target, 0);
  if (const OpInfo* op =
          type->is(TypeKind::Class) ? unit_.nativeMethod(type->name(), method) : nullptr)
    return emitKernel(node, op);
  const std::uint32_t index = name(method);
  addSite(node->inputs(), 0, true).name = index;
  emitAX(Opcode::CallMethod, node->numOutputs() ? define(node->output()) : allocate(), lastSite());
  dropAllUnused(node);
}

/// TorchScript's classes that switch gradients off and on, of which Tine has none.
bool FunctionCompiler::isNativeScope(const Node* node) {
  const Type* type = node->numInputs() ? node->input(0)->type() : Type::noneType();
  return type->is(TypeKind::Class) &&
         type->name().starts_with("__torch__.torch.autograd.grad_mode.");
}

/// The result is None.
void FunctionCompiler::emitNothing(Node* node) {
  if (node->numOutputs()) {
    const std::uint32_t none = constant(IValue());
    emitAX(Opcode::LoadK, define(node->output()), none);
  }
  dropDying(node->inputs());
  dropAllUnused(node);
}

/// The matching Exit, in the same block, knows what it guards.
void FunctionCompiler::emitEnter(Node* node) {
  if (isNativeScope(node)) return emitNothing(node);
  Node* exit = node->next();
  for (; exit != node->block()->ret(); exit = exit->next())
    if (exit->op() == Builtin::Exit && exit->input(0) == node->input(0)) break;
  emitCallMethod(node, "__enter__");
  if (exit != node->block()->ret()) entered_[exit] = pc();
}

/// `__exit__(None, None, None)`, as TorchScript calls it also when something was raised.
void FunctionCompiler::callExit(std::uint32_t result, llvm::ArrayRef<Source> object) {
  const std::uint32_t none = constantSource(IValue());
  Site& site = code_.sites.emplace_back();
  site.pc = pc();
  site.home = &code_;
  site.firstSource = static_cast<std::uint32_t>(code_.sources.size());
  site.numSources = 4;
  site.name = name("__exit__");
  code_.sources.insert(code_.sources.end(), object.begin(), object.end());
  for (int i = 0; i < 3; ++i) code_.sources.push_back({static_cast<std::uint16_t>(none)});
  emitAX(Opcode::CallMethod, result, lastSite());
}

/// `with` ends. An error of what is between Enter and Exit calls `__exit__`, and goes on:
///      ...; jump over
///      error: obj.__exit__(None, None, None); reraise
///   over: obj.__exit__(None, None, None)
void FunctionCompiler::emitExit(Node* node) {
  if (isNativeScope(node)) return emitNothing(node);
  const Source object{static_cast<std::uint16_t>(source(node->input(0)))};
  if (auto begin = entered_.find(node); begin != entered_.end() && begin->second != pc()) {
    const std::uint32_t error = allocate(), ignored = allocate();
    const std::uint32_t over = emitJump(Opcode::Jump, 0);
    code_.handlers.push_back({begin->second, over, pc(), static_cast<std::uint16_t>(error)});
    callExit(ignored, object);
    emit(Opcode::Reraise, 0).b = static_cast<std::uint16_t>(error);
    land(over);
    if (!overflowed_) free_.insert(free_.end(), {error, ignored});
  }
  const std::uint32_t reg = node->numOutputs() ? define(node->output()) : allocate();
  callExit(reg, object);
  dropDying(node->inputs());
  dropAllUnused(node);
}

/// A group that some optimiser made: it means what its subgraph means.
void FunctionCompiler::emitGroup(Node* node) {
  emitCall(node, &unit_.addFunction(*node->subgraph(), code_.name), 0);
}

void FunctionCompiler::emitTuple(Node* node) {
  Site& site = addSite(node->inputs(), 0, true);
  const Type* type = node->output()->type();
  if (type->is(TypeKind::Tuple) && !type->names().empty()) {
    std::vector<std::string> fields;
    for (Symbol field : type->names()) fields.push_back(field.str().str());
    site.fields = std::make_shared<const std::vector<std::string>>(std::move(fields));
  }
  emitAX(Opcode::MakeTuple, define(node->output()), lastSite());
  dropAllUnused(node);
}

void FunctionCompiler::emitUnpack(Opcode op, Node* node) {
  // Results before the operand is released: they must not overwrite it.
  setResults(addSiteOf(source(node->input(0))), node);
  emitAX(op, 0, lastSite());
  dropDying(node->inputs());
  dropAllUnused(node);
}

/// R[A] of S[B] and a third operand; what dies is released after.
void FunctionCompiler::emitPlain(Opcode op, Node* node, std::uint32_t c) {
  const std::uint32_t b = source(node->input(0));
  emitABC(op, define(node->output()), b, c);
  dropDying(node->inputs());
  dropAllUnused(node);
}

void FunctionCompiler::emitTupleSlice(Node* node) {
  const std::uint32_t begin = constantSource(node->attributes().integer(Builtin::Beg));
  const std::uint32_t end = constantSource(node->attributes().integer(Builtin::End));
  Site& site = addSite(node->inputs(), 0, true);
  code_.sources.push_back({static_cast<std::uint16_t>(begin)});
  code_.sources.push_back({static_cast<std::uint16_t>(end)});
  site.numSources += 2;
  emitAX(Opcode::TupleSlice, define(node->output()), lastSite());
  dropAllUnused(node);
}

void FunctionCompiler::emitNamed(Opcode op, Node* node) {
  const std::uint32_t index = name(node->attributes().string(Builtin::Name));
  if (index > 0xffff) return emitFailing(node, Error(error_kind::Unsupported, "too many names"));
  emitPlain(op, node, index);
}

void FunctionCompiler::emitSetAttr(Node* node) {
  const std::uint32_t index = name(node->attributes().string(Builtin::Name));
  if (index > 0xffff) return emitFailing(node, Error(error_kind::Unsupported, "too many names"));
  emitABC(Opcode::SetAttr, source(node->input(0)), source(node->input(1)), index);
  dropDying(node->inputs());
}

void FunctionCompiler::emitCreateObject(Node* node) {
  const Type* type = node->output()->type();
  if (!type->is(TypeKind::Class))
    return emitFailing(node, Error(error_kind::NotImplemented, "an object of no class"));
  const auto index = static_cast<std::uint32_t>(code_.layouts.size());
  code_.layouts.push_back(unit_.layout(type->name()));
  emitAX(Opcode::CreateObject, define(node->output()), index);
  dropAllUnused(node);
}

void FunctionCompiler::emitCast(Node* node) {
  ValueInfo& value = info(node->input(0));
  if (value.constant != kNone) {
    info(node->output()).constant = value.constant;
    return;
  }
  const std::uint32_t from = source(node->input(0));
  const bool dies = diesHere(value);
  if (dies) release(value);
  const std::uint32_t to = define(node->output());
  if (to != from) emitABC(dies ? Opcode::Move : Opcode::Copy, to, from, 0);
  dropAllUnused(node);
}

void FunctionCompiler::emitIsInstance(Node* node) {
  const Attribute* types = node->attributes().find(Builtin::Types);
  const auto index = static_cast<std::uint32_t>(code_.typeLists.size());
  if (!types || index > 0xffff)
    return emitFailing(node, Error(error_kind::NotImplemented, "isinstance without types"));
  code_.typeLists.emplace_back(types->types.begin(), types->types.end());
  emitPlain(Opcode::IsInstance, node, index);
}

// ---- entry
// ----------------------------------------------------------------------------------------

Result<std::shared_ptr<const Code>> compile(const CompilationUnit& unit,
                                            std::shared_ptr<const OpSet> ops) {
  if (unit.empty()) return Error(error_kind::Unsupported, "there is no function to compile");
  UnitCompiler compiler(std::move(ops), unit.context());
  for (const NamedGraph& function : unit.functions())
    compiler.declare(*function.graph, function.name);
  return compiler.run();
}

Result<std::shared_ptr<const Code>> compile(const Graph& graph, std::shared_ptr<const OpSet> ops,
                                            llvm::StringRef name) {
  UnitCompiler compiler(std::move(ops), graph.sharedContext());
  compiler.declare(graph, name);
  return compiler.run();
}

} // namespace tine
