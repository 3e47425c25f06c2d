#include "tests/random_program.h"

#include "ir/builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <optional>
#include <random>

namespace tine::testing {
namespace {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15u + 1) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool oneIn(int n) { return below(n) == 0; }

private:
  std::mt19937_64 engine_;
};

/// What values are; tensors by their shape, so that no operator fails.
enum class Sort {
  Int,
  Float,
  Bool,
  Matrix,
  Row,
  Ints,
  Matrices,
  Pair,  ///< an int and a list of ints
  Table, ///< lists of ints by "a" and "b"
  Box,   ///< an object with an int `n` and a list of ints `l`
  FutureInt,
  FutureMatrix,
  FutureInts
};

/// One function or body of a fork, made statement by statement.
class Maker {
public:
  Maker(Graph& graph, Random& random, const RandomProgramOptions& options,
        const std::vector<std::string>& callees, int depth)
      : graph_(graph), random_(random), options_(options), callees_(callees), depth_(depth) {}

  struct Known {
    Value* value;
    Sort sort;
    int memory; ///< group of objects that may be one; -1: never changes
  };

  const Type* typeOf(Sort sort) {
    Context& context = graph_.context();
    switch (sort) {
    case Sort::Int:
      return Type::intType();
    case Sort::Float:
      return Type::floatType();
    case Sort::Bool:
      return Type::boolType();
    case Sort::Matrix:
    case Sort::Row:
      return Type::tensorType();
    case Sort::Ints:
      return listOf(context, Type::intType());
    case Sort::Matrices:
      return listOf(context, Type::tensorType());
    case Sort::Pair:
      return tupleOf(context, {Type::intType(), listOf(context, Type::intType())});
    case Sort::Table:
      return dictOf(context, Type::strType(), listOf(context, Type::intType()));
    case Sort::Box:
      return classOf(context, "__torch__.Box");
    case Sort::FutureInt:
      return futureOf(context, Type::intType());
    case Sort::FutureMatrix:
      return futureOf(context, Type::tensorType());
    case Sort::FutureInts:
      return futureOf(context, listOf(context, Type::intType()));
    }
    TINE_UNREACHABLE("sort");
  }

  void addInput(Sort sort, llvm::StringRef name) {
    know(graph_.addInput(name, typeOf(sort)), sort, isMutable(sort) ? newMemory() : -1);
    if (isMutable(sort)) memory_.back().outside = true;
  }

  /// Statements, then everything that is known in a tuple.
  void makeMain() {
    block(graph_.block());
    llvm::SmallVector<Value*, 8> results;
    for (Sort sort : {Sort::Int, Sort::Int, Sort::Float, Sort::Matrix, Sort::Matrix, Sort::Row,
                      Sort::Ints, Sort::Ints, Sort::Matrices, Sort::Table})
      if (std::optional<Known> known = pick(sort)) results.push_back(known->value);
    graph_.addOutput(at(graph_.block()).tuple(results));
  }

  /// Statements, then one result of the sort.
  void makeFunction(Sort result) {
    block(graph_.block());
    graph_.addOutput(need(graph_.block(), result).value);
  }

private:
  /// What must not be done with a group of objects at the moment.
  struct Memory {
    int parent;
    int readers = 0;      ///< tasks that read it: nobody may write
    int writers = 0;      ///< tasks that write: nobody may touch
    bool outside = false; ///< the caller has it, and looks at it in the end
  };
  struct Pending {
    Known future;
    std::vector<int> reads, writes; ///< groups
    std::size_t level;              ///< of the block that made it
    bool open = true;               ///< nobody has waited for it in the blocks around
  };

  static bool isMutable(Sort sort) {
    return sort != Sort::Int && sort != Sort::Float && sort != Sort::Bool;
  }
  int newMemory() {
    memory_.push_back({static_cast<int>(memory_.size())});
    return memory_.back().parent;
  }
  int find(int m) const {
    while (m >= 0 && memory_[m].parent != m) m = memory_[m].parent;
    return m;
  }
  int join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a < 0 || b < 0 || a == b) return a < 0 ? b : a;
    if (b < a) std::swap(a, b); // the older one stands for both
    memory_[b].parent = a;
    memory_[a].readers += memory_[b].readers;
    memory_[a].writers += memory_[b].writers;
    memory_[a].outside |= memory_[b].outside;
    return a;
  }
  bool mayRead(const Known& k) const {
    return k.memory < 0 || memory_[find(k.memory)].writers == 0;
  }
  bool mayWrite(const Known& k) const {
    const Memory& m = memory_[find(k.memory)];
    return m.writers == 0 && m.readers == 0;
  }

  Known know(Value* value, Sort sort, int memory = -1) {
    known_.push_back({value, sort, memory});
    return known_.back();
  }
  Known fresh(Value* value, Sort sort) {
    return know(value, sort, isMutable(sort) ? newMemory() : -1);
  }

  Builder at(Block* block) {
    Builder builder(block);
    Location location;
    location.file = graph_.context().symbol("random.py");
    location.line = ++line_;
    builder.setLocation(location);
    return builder;
  }

  std::optional<Known> pick(Sort sort, bool write = false) {
    std::vector<Known> fit;
    for (const Known& k : known_)
      if (k.sort == sort && (write ? mayWrite(k) : mayRead(k))) fit.push_back(k);
    if (fit.empty()) return std::nullopt;
    return fit[random_.below(static_cast<int>(fit.size()))];
  }

  /// One that is known, or a new one.
  Known need(Block* block, Sort sort) {
    if (std::optional<Known> known = pick(sort); known && !random_.oneIn(8)) return *known;
    return make(block, sort);
  }

  Known make(Block* block, Sort sort) {
    Builder b = at(block);
    switch (sort) {
    case Sort::Int:
      return know(b.constant(random_.below(5) - 1), sort);
    case Sort::Float:
      return know(b.constant(random_.below(9) * 0.25), sort);
    case Sort::Bool:
      return compare(block);
    case Sort::Ints:
      return fresh(b.list(Type::intType(), {need(block, Sort::Int).value}), sort);
    case Sort::Matrix: {
      Tensor data = Tensor::empty({2, 3});
      for (int i = 0; i < 6; ++i) data.data<float>()[i] = static_cast<float>(random_.below(5));
      return fresh(b.call("aten::neg", {b.constant(data)}), sort);
    }
    case Sort::Row:
      return row(block);
    case Sort::Matrices: {
      Known item = need(block, Sort::Matrix);
      return know(b.list(Type::tensorType(), {item.value}), sort, join(newMemory(), item.memory));
    }
    case Sort::Pair: {
      Known number = need(block, Sort::Int), list = need(block, Sort::Ints);
      return know(at(block).tuple({number.value, list.value}), sort, list.memory);
    }
    case Sort::Table: {
      Known list = need(block, Sort::Ints), other = need(block, Sort::Ints);
      Builder c = at(block);
      Value* table =
          c.call("prim::DictConstruct", {c.constant("a"), list.value, c.constant("b"), other.value},
                 typeOf(sort));
      return know(table, sort, join(join(newMemory(), list.memory), other.memory));
    }
    case Sort::Box: {
      Known number = need(block, Sort::Int), list = need(block, Sort::Ints);
      Builder c = at(block);
      Value* box = c.node("prim::CreateObject", {}, typeOf(sort))->output();
      setAttribute(c, box, "n", number.value);
      setAttribute(c, box, "l", list.value);
      return know(box, sort, join(newMemory(), list.memory));
    }
    case Sort::FutureInt:
    case Sort::FutureMatrix:
    case Sort::FutureInts:
      break;
    }
    TINE_UNREACHABLE("futures are made by forks");
  }

  void setAttribute(Builder& b, Value* box, llvm::StringRef name, Value* value) {
    Node* set = b.node("prim::SetAttr", {box, value}, {});
    set->attributes().setString(graph_.context().symbol("name"), name);
  }

  Known compare(Block* block) {
    if (random_.oneIn(6)) { // one list or two, that the program can tell
      Value *x = need(block, Sort::Ints).value, *y = need(block, Sort::Ints).value;
      return know(at(block).call("aten::__is__", {x, y}, Type::boolType()), Sort::Bool);
    }
    Value *x = need(block, Sort::Int).value, *y = need(block, Sort::Int).value;
    const char* kinds[] = {"aten::lt", "aten::eq", "aten::gt"};
    return know(at(block).call(kinds[random_.below(3)], {x, y}, Type::boolType()), Sort::Bool);
  }

  Known row(Block* block) {
    Known base = need(block, Sort::Matrix);
    Builder b = at(block);
    Value* index = b.constant(random_.below(2));
    return know(b.call("aten::select", {base.value, b.constant(0), index}), Sort::Row, base.memory);
  }

  // ---- statements
  // ----------------------------------------------------------------------------------

  /// Fills the block; the futures that were made in it are waited for before its end.
  void block(Block* block) {
    ++level_;
    int statements = options_.statements / 2 + random_.below(options_.statements);
    for (int i = 0; i < statements; ++i) statement(block);
    while (!pending_.empty() && pending_.back().level == level_) wait(block, pending_.size() - 1);
    --level_;
  }

  void statement(Block* block) {
    switch (random_.below(options_.tensors ? 33 : 23)) {
    case 0:
    case 1: {
      const char* kinds[] = {"aten::add", "aten::sub", "aten::mul"};
      Value *x = need(block, Sort::Int).value, *y = need(block, Sort::Int).value;
      Value* all = at(block).call(kinds[random_.below(3)], {x, y}, Type::intType());
      Builder after = at(block);
      know(after.call("aten::remainder", {all, after.constant(1000)}, Type::intType()), Sort::Int);
      return;
    }
    case 2: {
      const char* kinds[] = {"aten::add", "aten::sub", "aten::mul"};
      Value *x = need(block, Sort::Float).value, *y = need(block, Sort::Float).value;
      know(at(block).call(kinds[random_.below(3)], {x, y}, Type::floatType()), Sort::Float);
      return;
    }
    case 3:
      compare(block);
      return;
    case 4:
      make(block, Sort::Ints);
      return;
    case 5: {
      std::optional<Known> list = pick(Sort::Ints, true);
      if (!list) return;
      Value* item = need(block, Sort::Int).value;
      if (random_.oneIn(3)) {
        Builder c = at(block);
        c.call("aten::_set_item", {list->value, c.constant(0), item}, list->value->type());
      } else {
        at(block).call("aten::append", {list->value, item}, list->value->type());
      }
      return;
    }
    case 6: {
      Known list = need(block, Sort::Ints);
      Builder c = at(block);
      Value* item = random_.oneIn(2)
                        ? c.call("aten::len", {list.value}, Type::intType())
                        : c.call("aten::__getitem__", {list.value, c.constant(-random_.below(2))},
                                 Type::intType());
      know(item, Sort::Int);
      return;
    }
    case 7:
      return branch(block);
    case 8:
      return loop(block);
    case 9:
    case 10:
      return options_.forks ? fork(block) : void();
    case 11:
      if (!pending_.empty()) wait(block, random_.below(static_cast<int>(pending_.size())));
      return;
    case 12:
      return options_.calls ? call(block) : void();
    case 13:
      return futures(block);
    case 14:
      make(block, Sort::Pair);
      return;
    case 15: {
      Known pair = need(block, Sort::Pair);
      Builder c = at(block);
      if (random_.oneIn(3)) {
        know(c.call("prim::TupleIndex", {pair.value, c.constant(0)}, Type::intType()), Sort::Int);
        return;
      }
      Node* parts = c.node("prim::TupleUnpack", pair.value, typeOf(Sort::Pair)->elements());
      know(parts->output(0), Sort::Int);
      know(parts->output(1), Sort::Ints, pair.memory);
      return;
    }
    case 16:
    case 17: {
      if (random_.oneIn(3)) return void(make(block, Sort::Table));
      Known table = need(block, Sort::Table);
      Builder c = at(block);
      Value* key = c.constant(random_.oneIn(2) ? "a" : "b");
      if (random_.oneIn(2)) {
        know(c.call("aten::__getitem__", {table.value, key}, typeOf(Sort::Ints)), Sort::Ints,
             table.memory);
        return;
      }
      Known item = need(block, Sort::Ints);
      if (!mayWrite(table) || !mayWrite(item)) return;
      at(block).node("aten::_set_item", {table.value, key, item.value}, {});
      join(table.memory, item.memory);
      return;
    }
    case 18:
    case 19: {
      if (random_.oneIn(3)) return void(make(block, Sort::Box));
      Known box = need(block, Sort::Box);
      bool list = random_.oneIn(2);
      Sort sort = list ? Sort::Ints : Sort::Int;
      if (random_.oneIn(2)) {
        know(at(block).getAttr(box.value, list ? "l" : "n", typeOf(sort)), sort,
             list ? box.memory : -1);
        return;
      }
      Known item = need(block, sort);
      if (!mayWrite(box) || (list && !mayWrite(item))) return;
      Builder c = at(block);
      setAttribute(c, box.value, list ? "l" : "n", item.value);
      join(box.memory, item.memory);
      return;
    }
    case 20: {
      Known x = need(block, Sort::Ints), y = need(block, Sort::Ints);
      fresh(at(block).call("aten::add", {x.value, y.value}, x.value->type()), Sort::Ints);
      return;
    }
    case 21: {
      std::optional<Known> list = pick(Sort::Ints, true);
      if (!list) return;
      Builder c = at(block);
      if (random_.oneIn(2))
        c.node("aten::insert", {list->value, c.constant(0), need(block, Sort::Int).value}, {});
      else
        c.node("aten::reverse", {list->value}, {});
      return;
    }
    case 22:
      return relay(block);
    case 23:
    case 24: {
      const char* kinds[] = {"aten::add", "aten::sub", "aten::mul"};
      int kind = random_.below(3);
      Known x = need(block, Sort::Matrix),
            y = need(block, random_.oneIn(2) ? Sort::Matrix : Sort::Row);
      Builder c = at(block);
      llvm::SmallVector<Value*, 3> operands{x.value, y.value};
      if (kind < 2) operands.push_back(c.constant(1));
      fresh(c.call(kinds[kind], operands), Sort::Matrix);
      return;
    }
    case 25: {
      Known x = need(block, Sort::Matrix);
      fresh(at(block).call(random_.oneIn(2) ? "aten::relu" : "aten::neg", {x.value}), Sort::Matrix);
      return;
    }
    case 26:
      row(block);
      return;
    case 27:
    case 28: {
      Sort sort = random_.oneIn(2) ? Sort::Row : Sort::Matrix;
      std::optional<Known> target = pick(sort, true);
      if (!target) return;
      Builder c = at(block);
      Value* result = random_.oneIn(2)
                          ? c.call("aten::add_", {target->value, c.constant(1), c.constant(1)})
                          : c.call("aten::mul_", {target->value, c.constant(0.5)});
      know(result, sort, target->memory);
      return;
    }
    case 29:
      make(block, Sort::Matrices);
      return;
    case 30: {
      std::optional<Known> list = pick(Sort::Matrices, true);
      if (!list) return;
      Known item = need(block, Sort::Matrix);
      if (!mayWrite(*list) || !mayWrite(item)) return; // they become one group
      at(block).call("aten::append", {list->value, item.value}, list->value->type());
      join(list->memory, item.memory);
      return;
    }
    case 31: {
      Known list = need(block, Sort::Matrices);
      Builder c = at(block);
      know(c.call("aten::__getitem__", {list.value, c.constant(-random_.below(2))}), Sort::Matrix,
           list.memory);
      return;
    }
    case 32: {
      Known x = need(block, Sort::Matrix);
      Builder c = at(block);
      know(c.call("aten::contiguous", {x.value, c.constant(0)}), Sort::Matrix, x.memory);
      return;
    }
    }
  }

  Sort anySort() {
    Sort sorts[] = {Sort::Int,   Sort::Int, Sort::Float,  Sort::Ints,    Sort::Pair,
                    Sort::Table, Sort::Box, Sort::Matrix, Sort::Matrices};
    return sorts[random_.below(options_.tensors ? 9 : 7)];
  }

  /// Forgets what a nested block made, and what it did to the values: groups stay joined.
  template <class F> void nested(F&& f) {
    std::size_t known = known_.size(), early = early_.size();
    ++nesting_;
    f();
    --nesting_;
    known_.resize(known);
    for (; early_.size() > early; early_.pop_back()) {
      Pending& pending = pending_[early_.back()]; // on other paths it may still run
      pending.open = true;
      hold(pending, 1);
    }
  }

  void raise(Block* block) {
    Builder b = at(block);
    b.node(
        "prim::RaiseException",
        {b.constant("raised at line " + std::to_string(line_)), b.constant("builtins.ValueError")},
        {});
  }

  void branch(Block* block) {
    if (nesting_ + depth_ >= options_.depth) return;
    Value* condition = need(block, Sort::Bool).value;
    std::vector<Sort> sorts(random_.below(3));
    for (Sort& sort : sorts) sort = anySort();
    std::vector<int> memory(sorts.size(), -1);
    llvm::SmallVector<const Type*, 3> types;
    for (Sort sort : sorts) types.push_back(typeOf(sort));
    Node* node = at(block).ifNode(condition, types);
    bool raises = options_.raises && random_.oneIn(12);
    for (Block* inner : node->blocks())
      nested([&] {
        if (raises && inner == node->blocks()[0]) raise(inner);
        this->block(inner);
        for (std::size_t i = 0; i < sorts.size(); ++i) {
          Known result = need(inner, sorts[i]);
          inner->addOutput(result.value);
          memory[i] = join(memory[i], result.memory);
        }
      });
    for (std::size_t i = 0; i < sorts.size(); ++i) know(node->output(i), sorts[i], memory[i]);
  }

  void loop(Block* block) {
    if (nesting_ + depth_ >= options_.depth) return;
    std::vector<Known> carried(random_.below(4));
    llvm::SmallVector<Value*, 4> values;
    int around = -1; // what goes around may become one with all that goes around with it
    for (Known& k : carried) {
      k = need(block, anySort());
      if (k.memory >= 0 && !mayWrite(k)) k = make(block, Sort::Int);
      around = join(around, k.memory);
      values.push_back(k.value);
    }
    int outer = static_cast<int>(memory_.size());
    Builder b = at(block);
    Value* trips = b.constant(random_.below(4));
    Value* go = b.constant(!random_.oneIn(8));
    Node* node = b.loopNode(trips, go, values);
    Block* body = node->blocks()[0];
    std::vector<int> memory; // of the results
    nested([&] {
      know(body->inputs()[0], Sort::Int);
      for (std::size_t i = 0; i < carried.size(); ++i)
        know(body->inputs()[i + 1], carried[i].sort, carried[i].memory);
      this->block(body);
      Value* next = random_.oneIn(3) ? need(body, Sort::Bool).value : go;
      body->addOutput(next);
      for (std::size_t i = 0; i < carried.size(); ++i) {
        // The next round must not meet what it does not expect: only what went around, or is new.
        Known result = need(body, carried[i].sort);
        int group = find(result.memory);
        if (group >= 0 && group < outer && group != find(around))
          result.value = body->inputs()[i + 1], result.memory = around;
        body->addOutput(result.value);
        memory.push_back(join(carried[i].memory, result.memory));
      }
    });
    for (std::size_t i = 0; i < carried.size(); ++i)
      know(node->output(i), carried[i].sort, memory[i]);
  }

  /// What a body may be given; it starts with as many of each, so that it can make the rest.
  std::vector<Known> captures(Block* block, bool onlyNumbers) {
    std::vector<Known> given{need(block, Sort::Int), need(block, Sort::Float)};
    if (onlyNumbers) return given;
    if (options_.tensors) given.push_back(need(block, Sort::Matrix));
    if (random_.oneIn(2)) given.push_back(need(block, Sort::Ints));
    if (options_.tensors && random_.oneIn(3)) given.push_back(need(block, Sort::Matrices));
    if (random_.oneIn(4)) given.push_back(need(block, Sort::Table));
    if (random_.oneIn(4)) given.push_back(need(block, Sort::Box));
    if (random_.oneIn(6)) given.push_back(need(block, Sort::Ints)); // maybe the same once more
    return given;
  }

  void fork(Block* block) {
    if (nesting_ + depth_ >= options_.depth) return;
    bool alone = random_.oneIn(3); // only numbers: then its future may go anywhere
    bool never = random_.oneIn(6); // waited for, when nobody sees what it writes
    std::vector<Known> given = captures(block, alone);
    // Some of what it is given it may write to, if nobody else uses it and it is given only once.
    bool writes = random_.oneIn(2);
    for (const Known& k : given) writes &= k.memory < 0 || mayWrite(k);

    auto body = std::make_unique<Graph>(graph_.sharedContext());
    RandomProgramOptions options = options_;
    if (alone) options.tensors = options.calls = false;
    Maker inner(*body, random_, options, callees_, depth_ + nesting_ + 1);
    inner.line_ = line_ + 100;
    std::vector<int> groups;
    for (std::size_t i = 0; i < given.size(); ++i) {
      Value* input = body->addInput("a" + std::to_string(i), given[i].value->type());
      int group = -1;
      if (given[i].memory >= 0) {
        group = inner.newMemory();
        inner.memory_[group].outside = true;
        for (std::size_t k = 0; k < i; ++k)
          if (given[k].memory >= 0 && find(given[k].memory) == find(given[i].memory))
            inner.join(inner.known_[k].memory, group);
        if (!writes) ++inner.memory_[inner.find(group)].readers;
      }
      inner.know(input, given[i].sort, group);
    }
    Sort result = alone || !options_.tensors ? (random_.oneIn(3) ? Sort::Ints : Sort::Int)
                                             : (random_.oneIn(2)   ? Sort::Matrix
                                                : random_.oneIn(2) ? Sort::Ints
                                                                   : Sort::Int);
    if (options_.raises && random_.oneIn(10)) {
      Value* condition = inner.compare(body->block()).value;
      Node* maybe = inner.at(body->block()).ifNode(condition, {});
      inner.raise(maybe->blocks()[0]);
    }
    inner.makeFunction(result);
    line_ = std::max(line_, inner.line_);

    llvm::SmallVector<Value*, 6> operands;
    for (const Known& k : given) operands.push_back(k.value);
    Value* future = at(block).fork(std::move(body), operands);
    if (alone && random_.oneIn(4)) return; // never waited for
    Sort sort = result == Sort::Int      ? Sort::FutureInt
                : result == Sort::Matrix ? Sort::FutureMatrix
                                         : Sort::FutureInts;
    Pending pending;
    pending.level = level_;
    // The result may be what was given, or a part of it.
    int memory = result == Sort::Int ? -1 : newMemory();
    bool seen = false;
    for (const Known& k : given)
      if (k.memory >= 0) {
        if (memory >= 0) join(memory, k.memory);
        (writes ? pending.writes : pending.reads).push_back(find(k.memory));
        seen |= memory_[find(k.memory)].outside;
      }
    hold(pending, 1);
    if (never && writes && !seen && nesting_ == 0)
      return; // what it was given nobody touches any more
    pending.future = {future, sort, memory};
    if (alone && result == Sort::Int) {
      know(future, sort); // waited for anywhere, any number of times
      return;
    }
    pending_.push_back(pending);
  }

  /// A task begins or ends.
  void hold(const Pending& pending, int by) {
    for (int m : pending.reads) memory_[find(m)].readers += by;
    for (int m : pending.writes) memory_[find(m)].writers += by;
  }

  static Sort inside(Sort future) {
    return future == Sort::FutureInt      ? Sort::Int
           : future == Sort::FutureMatrix ? Sort::Matrix
                                          : Sort::Ints;
  }

  /// In the block that made the task, or in one inside it: then, after that, it may run again.
  void wait(Block* block, std::size_t index) {
    Pending pending = pending_[index];
    if (pending.open) hold(pending, -1);
    if (pending.level == level_) {
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (pending.open) {
      pending_[index].open = false;
      early_.push_back(index);
    }
    Sort sort = inside(pending.future.sort);
    Value* future = detour(block, pending.future.value);
    know(at(block).wait(future), sort, pending.future.memory);
    if (random_.oneIn(4)) // the same once more
      know(at(block).wait(pending.future.value), sort, pending.future.memory);
  }

  /// The same future, through a container, a branch or a loop.
  Value* detour(Block* block, Value* future) {
    const Type* type = future->type();
    Builder b = at(block);
    switch (random_.below(12)) {
    case 0: {
      Value* list = b.list(type, {future});
      return b.call("aten::__getitem__", {list, b.constant(0)}, type);
    }
    case 1: {
      Value* tuple = b.tuple({future, b.constant(1)});
      return b.node("prim::TupleUnpack", tuple, tuple->type()->elements())->output(0);
    }
    case 2: {
      Value* table = b.call("prim::DictConstruct", {b.constant("f"), future},
                            dictOf(graph_.context(), Type::strType(), type));
      return b.call("aten::__getitem__", {table, b.constant("f")}, type);
    }
    case 3: {
      Node* node = at(block).ifNode(need(block, Sort::Bool).value, {type});
      for (Block* inner : node->blocks()) inner->addOutput(future);
      return node->output();
    }
    case 4: {
      Value *two = b.constant(2), *go = b.constant(true);
      Node* node = b.loopNode(two, go, {future});
      node->blocks()[0]->addOutput(go);
      node->blocks()[0]->addOutput(node->blocks()[0]->inputs()[1]);
      return node->output();
    }
    default:
      return future;
    }
  }

  /// Another task that waits for a task of this block, and may write to what came out.
  void relay(Block* block) {
    if (!options_.forks || pending_.empty() || pending_.back().level != level_) return;
    Pending& pending = pending_.back();
    Sort sort = inside(pending.future.sort);
    auto body = std::make_unique<Graph>(graph_.sharedContext());
    Maker inner(*body, random_, options_, callees_, depth_ + nesting_ + 1);
    inner.line_ = line_ + 100;
    Value* future = body->addInput("f", pending.future.value->type());
    Value* result = inner.at(body->block()).wait(future);
    Builder b = inner.at(body->block());
    if (!pending.writes.empty() && sort == Sort::Ints)
      b.call("aten::append", {result, b.constant(random_.below(5))}, result->type());
    if (!pending.writes.empty() && sort == Sort::Matrix)
      b.call("aten::add_", {result, b.constant(1), b.constant(1)});
    if (sort == Sort::Int) result = b.call("aten::neg", {result}, Type::intType());
    body->addOutput(result);
    line_ = std::max(line_, inner.line_);
    Builder outside = at(block);
    Value* next = outside.fork(std::move(body), {detour(block, pending.future.value)});
    pending.future.value = next; // waiting for it is waiting for both
  }

  /// Waits for a future of an int, straight or through a list, or in another task.
  void futures(Block* block) {
    std::optional<Known> future = pick(Sort::FutureInt);
    if (!future) return;
    switch (random_.below(3)) {
    case 0:
      know(at(block).wait(future->value), Sort::Int);
      return;
    case 1: {
      Builder b = at(block);
      const Type* type = future->value->type();
      Value* list = b.list(type, {future->value});
      Value* again = b.call("aten::__getitem__", {list, b.constant(0)}, type);
      know(b.wait(again), Sort::Int);
      return;
    }
    default: {
      auto body = std::make_unique<Graph>(graph_.sharedContext());
      Builder inner(*body);
      Value* input = body->addInput("f", future->value->type());
      Value* got = inner.wait(input);
      body->addOutput(inner.call("aten::add", {got, inner.constant(1)}, Type::intType()));
      know(at(block).fork(std::move(body), {future->value}), Sort::FutureInt);
    }
    }
  }

  void call(Block* block) {
    if (callees_.empty()) return;
    std::size_t which = random_.below(static_cast<int>(callees_.size()));
    // Helpers take (int, float, [Tensor,] int[]) and give an int or a tensor; they may write.
    std::vector<Known> given{need(block, Sort::Int), need(block, Sort::Float)};
    if (options_.tensors) given.push_back(need(block, Sort::Matrix));
    given.push_back(need(block, Sort::Ints));
    for (const Known& k : given)
      if (k.memory >= 0 && !mayWrite(k)) return;
    Builder b = at(block);
    llvm::SmallVector<Value*, 5> operands{b.functionConstant(callees_[which])};
    for (const Known& k : given) operands.push_back(k.value);
    bool tensor = options_.tensors && callees_[which].back() == 't';
    Value* result =
        b.call("prim::CallFunction", operands, tensor ? Type::tensorType() : Type::intType());
    tensor ? know(result, Sort::Matrix, given[2].memory) : know(result, Sort::Int);
  }

  Graph& graph_;
  Random& random_;
  const RandomProgramOptions& options_;
  const std::vector<std::string>& callees_;
  int depth_, nesting_ = 0;
  std::size_t level_ = 0;
  std::uint32_t line_ = 0;
  std::vector<Known> known_;
  std::vector<Memory> memory_;
  std::vector<Pending> pending_;
  std::vector<std::size_t> early_; ///< of pending_: waited for in the block at hand or around it
};

} // namespace

CompilationUnit randomProgram(std::uint64_t seed, const RandomProgramOptions& options) {
  Random random(seed);
  CompilationUnit unit;
  std::vector<std::string> callees;
  if (options.calls)
    for (const char* name : {"helper_i", "helper_t"}) {
      auto graph = std::make_unique<Graph>(unit.context());
      RandomProgramOptions small = options;
      small.statements = options.statements / 2;
      Maker maker(*graph, random, small, callees, 1);
      maker.addInput(Sort::Int, "n");
      maker.addInput(Sort::Float, "a");
      if (options.tensors) maker.addInput(Sort::Matrix, "x");
      maker.addInput(Sort::Ints, "l");
      maker.makeFunction(options.tensors && name[7] == 't' ? Sort::Matrix : Sort::Int);
      unit.add(name, std::move(graph));
      callees.push_back(name);
    }
  auto graph = std::make_unique<Graph>(unit.context());
  Maker maker(*graph, random, options, callees, 0);
  maker.addInput(Sort::Int, "n");
  maker.addInput(Sort::Float, "a");
  if (options.tensors) {
    maker.addInput(Sort::Matrix, "x");
    maker.addInput(Sort::Matrix, "y");
  }
  maker.addInput(Sort::Ints, "l");
  if (options.tensors) maker.addInput(Sort::Matrices, "ts");
  maker.makeMain();
  unit.add("main", std::move(graph));
  return unit;
}

std::vector<IValue> randomInputs(std::uint64_t seed, const RandomProgramOptions& options) {
  Random random(seed ^ 0x5eed);
  auto matrix = [&] {
    Tensor t = Tensor::empty({2, 3});
    for (int i = 0; i < 6; ++i) t.data<float>()[i] = static_cast<float>(random.below(17) - 8) / 4;
    return t;
  };
  std::vector<IValue> inputs{random.below(7) - 2, random.below(9) * 0.5};
  if (options.tensors) {
    inputs.push_back(matrix());
    inputs.push_back(matrix());
  }
  inputs.push_back(IValue::list({random.below(10), random.below(10)}));
  if (options.tensors) inputs.push_back(IValue::list({matrix(), matrix()}));
  return inputs;
}

} // namespace tine::testing
