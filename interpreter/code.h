#pragma once

#include "ir/unit.h"
#include "llvm/ADT/DenseSet.h"
#include "ops/ops.h"
#include "support/result.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tine {

class Code;
struct FunctionCode;

/// The operations of instr.def.
enum class Opcode : std::uint8_t {
#define TINE_OPCODE(id, layout) id,
#include "interpreter/instr.def"
};

/// One instruction; what its operands mean is in instr.def.
struct Instr {
  Opcode op;
  bool dies = false; ///< the source B is a register that is not read again
  std::uint16_t a = 0, b = 0, c = 0;
  std::uint32_t x() const { return b | static_cast<std::uint32_t>(c) << 16; }
  std::int32_t jump() const { return static_cast<std::int32_t>(x()); }
  void setX(std::uint32_t x) {
    b = static_cast<std::uint16_t>(x);
    c = static_cast<std::uint16_t>(x >> 16);
  }
};
static_assert(sizeof(Instr) == 8);

/// A source: a register, or from kConstant on a constant of the function.
inline constexpr std::uint32_t kConstant = 0x8000;
inline constexpr std::uint32_t kMaxRegisters = 0x7fff;

/// A source in a side table.
struct Source {
  std::uint16_t index; ///< a register, or kConstant + constant
  bool dies = false;
};

/// Row of the side table: what an instruction with more than three operands works on.
struct Site {
  std::uint32_t firstSource = 0, numSources = 0; ///< in FunctionCode::sources
  std::uint32_t firstResult = 0, numResults = 0; ///< in FunctionCode::registers
  std::uint32_t firstDrop = 0, numDrops = 0;     ///< in FunctionCode::registers
  std::uint64_t dying = 0;                       ///< bit i: source i dies, for kernels
  const OpInfo* op = nullptr;                    ///< Operator
  const FunctionCode* target = nullptr;          ///< Call, Fork
  const FunctionCode* home = nullptr;            ///< the function this row is of
  std::uint32_t name = 0;                        ///< CallMethod; into FunctionCode::names
  std::uint32_t pc = 0;                          ///< where it is used
  bool splits = false; ///< Fork, Then: the task has random numbers of its own
  std::shared_ptr<const std::vector<std::string>> fields; ///< MakeTuple of a NamedTuple
};

/// One compiled function. Immutable; addresses of its parts do not change.
struct FunctionCode {
  std::string name;
  const Code* code = nullptr;
  std::uint32_t numInputs = 0, numRegisters = 0;
  int frameClass = 0; ///< of the pool's blocks
  std::vector<Instr> instrs;
  std::vector<IValue> constants;
  std::vector<Source> sources;
  std::vector<std::uint16_t> registers;
  std::vector<Site> sites;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> irregular; ///< pc of a scalar, its site
  std::vector<std::string> names;
  std::vector<std::shared_ptr<const ClassLayout>> layouts;
  std::vector<std::vector<const Type*>> typeLists;
  std::vector<Error> failures;
  /// Where instructions come from: from `pc` on, until the next row.
  struct Row {
    std::uint32_t pc;
    Location location;
    std::uint32_t inlined; ///< into `inlined`, or kNotInlined
  };
  std::vector<Row> rows;
  /// A call or fork whose callee's instructions are here; see CallSite.
  struct Inlined {
    std::string function; ///< empty: the same as outside
    Location location;
    std::uint32_t outer;
    bool fork;
  };
  static constexpr std::uint32_t kNotInlined = ~0u;
  std::vector<Inlined> inlined;
  /// Where it goes on when an instruction of [begin, end) fails: at `target`, with a future of the
  /// error in a register. Inner ones come before those around them.
  struct Handler {
    std::uint32_t begin, end, target;
    std::uint16_t reg;
  };
  std::vector<Handler> handlers;

  const Handler* handlerAt(std::uint32_t pc) const {
    for (const Handler& handler : handlers)
      if (handler.begin <= pc && pc < handler.end) return &handler;
    return nullptr;
  }

  /// The place of an instruction in the program's source; unknown when the graph had none.
  Place place(std::uint32_t pc) const;
  /// Adds the function, which `edge` led to, and those inlined in it around the instruction,
  /// outermost first.
  void trace(std::uint32_t pc, TraceEntry::Edge edge, std::vector<TraceEntry>& out) const;
  /// One line per instruction.
  std::string str() const;
};

/// Compiled functions: immutable, shared by any number of schedulers and threads. Holds everything
/// it needs: the graphs may be destroyed.
///
///   auto code = compile(unit, OpSet::sharedBuiltin()).value();
///   Ref<FutureState> result = scheduler.run(code, "main", {3});
///
/// \thread any
class Code {
public:
  /// The function with this name, or null.
  const FunctionCode* find(llvm::StringRef name) const;
  /// The functions of the unit, in its order; bodies of forks are not among them.
  llvm::ArrayRef<const FunctionCode*> functions() const { return functions_; }
  const FunctionCode& front() const { return *functions_.front(); }
  const OpSet& ops() const { return *ops_; }
  /// Is it a function, or a body, of this code?
  bool owns(const void* function) const { return owned_.contains(function); }
  /// May any of its operators draw random numbers? Only then its tasks have some.
  bool draws() const { return draws_; }
  /// All instructions as text, for tests and the curious.
  std::string str() const;

private:
  friend class UnitCompiler;
  std::shared_ptr<const OpSet> ops_;
  std::shared_ptr<Context> context_;
  std::deque<FunctionCode> storage_;
  llvm::DenseSet<const void*> owned_; ///< addresses of all in storage_
  std::vector<const FunctionCode*> functions_;
  llvm::StringMap<const FunctionCode*> index_;
  bool draws_ = false;
};

/// Compiles every function of a unit, and the bodies of its forks, once. An operator that `ops`
/// does not have, or a constant whose value the dump did not contain, compiles to an instruction
/// that raises when it is reached. \errors UnsupportedError a function with too many live values
/// \cost O(nodes), no recursion
Result<std::shared_ptr<const Code>> compile(const CompilationUnit& unit,
                                            std::shared_ptr<const OpSet> ops);
/// A single graph, as the function `name`.
Result<std::shared_ptr<const Code>> compile(const Graph& graph, std::shared_ptr<const OpSet> ops,
                                            llvm::StringRef name = "graph");

/// Does the value have this type? Element types of lists and dicts are looked at, so O(size).
bool isInstance(const IValue& value, const Type* type);

} // namespace tine
