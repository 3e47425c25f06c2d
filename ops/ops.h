#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "ops/native.h"

#include <memory>
#include <string>
#include <vector>

namespace tine {

class Node;

/// A set of operators. Fill it, then share it: it does not change while graphs use it.
///
///   auto ops = std::make_shared<OpSet>(OpSet::builtin());
///   ops->add("my::scale(Tensor x, float k=2.0) -> Tensor", [](Tensor x, double k) { return mul(x,
///   k); });
///
/// \thread filling: not safe; everything const: any
class OpSet {
public:
  OpSet();
  /// A set with every operator of ops.def.
  static OpSet builtin();
  /// The same, made once and shared while anybody uses it.
  static std::shared_ptr<const OpSet> sharedBuiltin();

  /// Registers a C++ callable. Parameters and result must fit the schema: Tensor, int64_t, double,
  /// bool, std::string, std::vector<...>, std::optional<...>, std::tuple<...> (several results),
  /// IValue for anything. \errors throws RuntimeError(SchemaError) for a bad schema, a taken name,
  /// or a callable that does not fit
  template <class F> void add(llvm::StringRef schema, F f) {
    addKernel(schema, Kernel::of(std::move(f)), Effects::all(), "");
  }
  template <class F> void add(llvm::StringRef schema, Effects effects, F f) {
    addKernel(schema, Kernel::of(std::move(f)), effects, "");
  }
  void addKernel(llvm::StringRef schema, Kernel kernel, Effects effects, llvm::StringRef doc);

  /// Registers a C++ class, whose objects source makes, calls and keeps wherever values are. They
  /// live as long as a value refers to them. Tasks may call one at the same time: that is the
  /// class's to allow. What it throws is the program's error, with the source line of the call.
  ///   ops->addClass<Counter>("my.Counter")               // torch.classes.my.Counter
  ///       .init<int64_t>()
  ///       .method("increment(int by=1) -> int", &Counter::increment)
  ///       .field("count", &Counter::count);
  /// \errors throws RuntimeError(SchemaError) for a name or class that is registered already
  template <class T> NativeClassBuilder<T> addClass(llvm::StringRef name) {
    return {classes_->add(name, typeid(T)), *classes_};
  }
  const NativeClasses& classes() const { return *classes_; }

  /// All overloads of `aten::add`, in the order of the table.
  llvm::ArrayRef<const OpInfo*> find(llvm::StringRef name) const;
  /// One overload, or null.
  const OpInfo* find(llvm::StringRef name, llvm::StringRef overload) const;
  /// All, sorted by name.
  std::vector<const OpInfo*> all() const;
  Context& context() const { return *context_; }

private:
  void insert(llvm::StringRef schema, Kernel kernel, Effects effects, llvm::StringRef doc);
  std::shared_ptr<Context> context_;
  std::unique_ptr<NativeClasses> classes_;
  std::vector<std::unique_ptr<OpInfo>> infos_;
  llvm::StringMap<std::vector<const OpInfo*>> byName_;
};

/// The overload that fits the types: the node's own when it is stored, else the first that takes
/// the operands (trailing arguments with defaults may be missing). \errors SchemaError listing the
/// overloads and why each does not fit, or near names when there is no such operator
Result<const OpInfo*> resolve(const OpSet& ops, const Node& node);
Result<const OpInfo*> resolve(const OpSet& ops, llvm::StringRef name, llvm::StringRef overload,
                              llvm::ArrayRef<const Type*> types);

/// The types of the results, with the schema's variables bound from the operands' types.
llvm::SmallVector<const Type*, 2> resultTypes(Context& context, const OpInfo& op,
                                              llvm::ArrayRef<const Type*> types);

/// What the optimiser may assume of a node: operators from the table, control flow from its blocks,
/// a fork from its body, unknown operators anything.
Effects effectsOf(const OpSet& ops, const Node& node);
/// The same of a call of a known operator: a dropout that is not in training draws no numbers.
Effects effectsOf(const OpInfo& op, const Node& node);

} // namespace tine
