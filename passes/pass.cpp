#include "passes/pass.h"

#include "ir/verify.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "passes/call_facts.h"

namespace tine {

struct PassContext::Cache {
  /// What was resolved: one entry per kind, overload and types of the operands.
  struct Entry {
    Symbol kind, overload;
    llvm::SmallVector<const Type*, 4> types;
    const OpInfo* op = nullptr;
  };
  llvm::DenseMap<std::size_t, Entry> entries;
  llvm::DenseMap<const Graph*, CallFacts> calls;
  std::size_t allowance = 500'000; ///< nodes that passes may still add
};

PassContext::PassContext(std::shared_ptr<const OpSet> ops, const CompilationUnit* unit)
    : ops_(std::move(ops)), unit_(unit), cache_(std::make_unique<Cache>()) {}
PassContext::~PassContext() = default;

const OpInfo* PassContext::find(const Node& node) const {
  llvm::SmallVector<const Type*, 8> types;
  for (Value* input : node.inputs()) types.push_back(input->type());
  std::size_t hash = llvm::hash_combine(node.kind().id(), node.overload().id(),
                                        llvm::hash_combine_range(types.begin(), types.end())) >>
                     1; // never DenseMap's own two keys
  auto resolved = [&] {
    Result<const OpInfo*> op = resolve(*ops_, node);
    return op ? *op : nullptr;
  };
  auto [it, fresh] = cache_->entries.try_emplace(hash);
  Cache::Entry& entry = it->second;
  if (fresh) {
    entry.kind = node.kind();
    entry.overload = node.overload();
    entry.types.assign(types.begin(), types.end());
    entry.op = resolved();
    return entry.op;
  }
  bool same = entry.kind == node.kind() && entry.overload == node.overload() &&
              llvm::ArrayRef(entry.types) == llvm::ArrayRef(types);
  return same ? entry.op : resolved();
}

Effects PassContext::effects(const Node& node) const {
  // Kinds that the code knows are no operators, but for prim::Print.
  bool known = node.op() != Builtin::None && node.op() != Builtin::Print;
  const OpInfo* op = known ? nullptr : find(node);
  return op ? effectsOf(*op, node) : effectsOf(*ops_, node);
}

Graph* PassContext::callee(const Node& node) const {
  if (!unit_ || node.numInputs() == 0) return nullptr;
  if (node.op() == Builtin::CallMethod) {
    const Attribute* name = node.attributes().find(Builtin::Name);
    if (!name || !name->value.isString()) return nullptr;
    const Type* type = node.input(0)->type();
    return type->is(TypeKind::Class) ? unit_->findMethod(type, name->value.toStringRef()) : nullptr;
  }
  if (node.op() != Builtin::CallFunction) return nullptr;
  const Node* function = node.input(0)->node();
  if (function->op() != Builtin::Constant) return nullptr;
  const Attribute* name = function->attributes().find(Builtin::Name);
  return name && name->value.isString() ? unit_->find(name->value.toStringRef()) : nullptr;
}

const CallFacts& PassContext::facts(const Graph& function) const {
  if (cache_->calls.empty() && unit_) cache_->calls = findCallFacts(*this);
  auto known = cache_->calls.find(&function);
  static const CallFacts anything;
  return known == cache_->calls.end() ? anything : known->second;
}

bool PassContext::mayAdd(std::size_t nodes) const {
  if (nodes > cache_->allowance) return false;
  cache_->allowance -= nodes;
  return true;
}

llvm::ArrayRef<Pass> allPasses() {
  static constexpr Pass passes[] = {
#define TINE_PASS(name, function, doc) {name, function, doc},
#include "passes/passes.def"
  };
  return passes;
}

Result<std::vector<Pass>> parsePasses(llvm::StringRef names) {
  std::vector<Pass> passes;
  std::vector<Error> errors;
  auto add = [&](llvm::StringRef name) {
    auto* found = llvm::find_if(allPasses(), [&](const Pass& pass) { return pass.name == name; });
    if (found != allPasses().end()) return passes.push_back(*found);
    std::string near;
    for (const Pass& pass : allPasses())
      if (pass.name.edit_distance(name.take_front(100), true, 3) <= 2 ||
          (name.size() >= 3 && pass.name.contains(name)))
        near += (near.empty() ? "" : ", ") + ("`" + pass.name + "`").str();
    errors.push_back(Error(error_kind::Value, ("there is no pass `" + name + "`").str() +
                                                  (near.empty() ? "; `tine passes` lists them"
                                                                : "; did you mean " + near + "?")));
  };
  llvm::SmallVector<llvm::StringRef, 8> parts;
  names.split(parts, ',');
  if (names.trim().empty()) parts.clear();
  for (llvm::StringRef part : parts) {
    llvm::StringRef name = part.trim();
    if (name == "default")
      for (llvm::StringRef inner : defaultPipeline()) add(inner);
    else if (name != "none")
      add(name);
  }
  if (!errors.empty()) return errors;
  return passes;
}

Result<Ok> runPasses(CompilationUnit& unit, const OpSet& ops, llvm::ArrayRef<Pass> passes,
                     const PassOptions& options) {
  // The caller keeps the operators alive.
  PassContext context(std::shared_ptr<const OpSet>(std::shared_ptr<const OpSet>(), &ops), &unit);
  for (const Pass& pass : passes) {
    bool changed = false;
    for (const NamedGraph& function : unit.functions())
      changed |= pass.run(*function.graph, context);
    if (Result<Ok> verified = verify(unit); !verified) {
      std::vector<Error> errors = verified.takeErrors();
      for (Error& error : errors)
        error.message = ("pass `" + pass.name + "` broke the graph: " + error.message).str();
      return errors;
    }
    if (options.after) options.after(pass, unit, changed);
  }
  return Ok{};
}

Result<Ok> runPasses(CompilationUnit& unit, const OpSet& ops, llvm::StringRef names,
                     const PassOptions& options) {
  TINE_TRY(std::vector<Pass> passes, parsePasses(names));
  return runPasses(unit, ops, passes, options);
}

} // namespace tine
