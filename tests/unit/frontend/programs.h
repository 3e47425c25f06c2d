#pragma once

#include "api/tine.h"

#include <map>

/// The C++ twins of the fork programs in tests/oracle/programs.py, with the names they have there.
namespace programs {

using namespace tine;

/// Makes the table of functions before any test counts what is alive: it stays.
inline const Tensor tableIsMade = neg(tensor(1));

inline Tensor foo(Tensor a, Operand b) { return a + b; }
inline Tensor fooNumber(Tensor a, std::int64_t b) { return a + b; }
inline Tensor fooTensor(Tensor a, Tensor b) { return a + b; }
inline const auto& namedFoo() {
  static const auto f = fn("foo", fooNumber, {"a", "b"});
  return f;
}
inline Tensor inner(Tensor x) { return neg(x); }

inline Tensor bar(Tensor a) {
  Future<Tensor> fut = fork(namedFoo(), a, arg("b", 2));
  return wait(fut);
}

inline Tensor scale(Tensor x, Tensor factor, Tensor offset) { return x * factor + offset; }
inline Tensor keyword(Tensor x, Tensor y) {
  const auto f = fn("scale", scale, {"x", "factor", "offset"});
  return wait(fork(f, arg("offset", y), arg("x", x), arg("factor", x)));
}

inline Tensor middle(Tensor x) {
  auto fut = fork(inner, x + x);
  return wait(fut) * x;
}
inline Tensor nested(Tensor x) { return wait(fork(middle, x)); }
inline Tensor nestedThree(Tensor x) {
  const auto deep = [&](Tensor y) {
    auto fut = fork(middle, y - x);
    return wait(fut) + x;
  };
  return wait(fork(deep, relu(x)));
}

inline Tensor captured(Tensor x, Tensor y) {
  Tensor first = x + y;
  Tensor second = x * y;
  const auto task = [&](Tensor z) { return (z - second) * first; };
  return wait(fork(task, x));
}
inline Tensor capturedNested(Tensor x, Tensor y) {
  Tensor a = x + y;
  Tensor b = x - y;
  const auto outerTask = [&](Tensor z) {
    const auto innerTask = [&](Tensor w) { return w * b; };
    return wait(fork(innerTask, z)) + a;
  };
  return wait(fork(outerTask, x));
}
inline Tensor capturedOnly(Tensor x) {
  Tensor y = -x;
  return wait(fork([&] { return y * x; }));
}

inline Tensor twoWaits(Tensor x) {
  auto fut = fork(inner, x);
  Tensor once = wait(fut);
  Tensor again = wait(fut);
  return once * again;
}
inline Tensor waitMethod(Tensor x) { return fork(inner, x).wait(); }
inline Tensor waitInChild(Tensor x) {
  auto fut = fork(inner, x);
  const auto task = [&](Tensor y) { return wait(fut) + y; };
  return wait(fork(task, x));
}

inline Tensor futureList(Tensor x) {
  std::vector<Future<Tensor>> futures;
  for (int i = 0; i < 3; ++i) futures.push_back(fork(foo, x, i));
  Tensor total = x;
  for (const auto& fut : futures) total = total + wait(fut);
  return total;
}
inline Tensor futureDict(Tensor x) {
  std::map<std::string, Future<Tensor>> futures;
  futures["neg"] = fork(neg, x);
  futures["relu"] = fork(relu, x);
  Tensor left = wait(futures["relu"]);
  return left - wait(futures["neg"]);
}

inline Tensor unwaited(Tensor x) {
  fork(inner, x);
  return x * x;
}
inline Tensor unwaitedMutation(Tensor x) {
  const auto task = [](Tensor y) { return add_(y, 1); };
  Tensor z = x * x;
  fork(task, z);
  return z;
}

inline std::tuple<Tensor, Tensor> pair(Tensor x) {
  Tensor first = x + 1;
  return {first, x * 2};
}
inline Tensor forkTuple(Tensor x) {
  auto [a, b] = wait(fork(pair, x));
  return a * b;
}
inline std::tuple<Tensor, Tensor> forkTupleWhole(Tensor x) { return wait(fork(pair, x)); }
using NestedPair = std::tuple<Tensor, std::tuple<Tensor, Tensor>>;
inline NestedPair nestedPair(Tensor x) {
  Tensor negative = -x;
  return {x, {negative, x + x}};
}
inline Tensor forkTupleNested(Tensor x) {
  auto [a, rest] = wait(fork(nestedPair, x));
  auto [b, c] = rest;
  return a * b - c;
}

inline Tensor reverseOrder(Tensor x, Tensor y) {
  auto first = fork(inner, x);
  auto second = fork(relu, y);
  Tensor b = wait(second);
  Tensor a = wait(first);
  return b - a;
}
inline Tensor feeding(Tensor x) {
  auto first = fork(inner, x);
  auto second = fork(fooTensor, wait(first), x);
  return wait(second);
}
inline Tensor shifted(Tensor x, std::int64_t count, double factor) { return (x + count) * factor; }
inline Tensor scalars(Tensor x) { return wait(fork(shifted, x, 3, 0.5)); }
inline Tensor sameTwice(Tensor x) {
  auto fut = fork(fooTensor, x, x);
  return wait(fut) + x;
}
inline Tensor chain(Tensor x) {
  for (int i = 0; i < 4; ++i) x = wait(fork(foo, x, i));
  return x;
}
inline Tensor forkIdentity(Tensor x) {
  return wait(fork([](Tensor y) { return y; }, x));
}
inline Tensor forkConstant(Tensor x) {
  return wait(fork([](Tensor) { return full({2}, 3.0); }, x)) + x;
}
inline Tensor builtin(Tensor x) {
  const auto f = fn("add", add, {"self", "other", arg("alpha", 1)});
  return wait(fork(f, x, x, arg("alpha", 2)));
}
inline Tensor inPlace(Tensor x) {
  Tensor y = x * 1;
  const auto task = [](Tensor z) {
    mul_(z, 2);
    return z;
  };
  auto fut = fork(task, y);
  Tensor waited = wait(fut);
  return waited + y;
}
inline Tensor sized(Tensor x) {
  return wait(fork([](Tensor y) { return y * size(y, 0); }, x));
}
inline Tensor tupleInput(std::tuple<Tensor, Tensor> both) {
  return wait(fork(fooTensor, std::get<0>(both), std::get<1>(both)));
}
inline Tensor listArgument(Tensor x, Tensor y) {
  const auto task = [](std::vector<Tensor> parts) { return cat(parts); };
  return wait(fork(task, std::vector<Tensor>{x, y}));
}
inline Tensor returnsList(Tensor x) {
  auto both = wait(fork([](Tensor y) { return std::vector<Tensor>{y, -y}; }, x));
  return both[0] + both[1];
}

// What TorchScript refuses (tests/files/trace/REFUSED.md) and Tine records.
inline Future<Tensor> returnFuture(Tensor x) { return fork(inner, x); }
inline Tensor returnsNone(Tensor x) {
  wait(fork([](Tensor) {}, x));
  return x;
}
inline Tensor returnsInt(Tensor x) {
  return x + wait(fork([](Tensor) { return std::int64_t{3}; }, x));
}
inline Tensor returnsSize(Tensor x) {
  return x + wait(fork([](Tensor y) { return size(y, 0); }, x));
}
inline Tensor returnsFuture(Tensor x) {
  return wait(wait(fork([](Tensor y) { return fork(inner, y); }, x)));
}

struct Gate : Module {
  Tensor weight = registerParameter("weight", tensor({1.0, 2.0, 3.0}));
  Tensor bias = registerBuffer("bias", tensor({0.5, 0.25, 0.125}));
  static Signature signature() { return {"x", arg("b", 1)}; }
  Tensor forward(Tensor x, std::int64_t b) { return relu(x * weight + bias + b); }
};
struct ForkModule : Module {
  Child<Gate> sub = registerModule("sub", Gate());
  Tensor shift = registerParameter("shift", tensor({0.5}));
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) {
    auto fut = fork(sub, x);
    Tensor y = x - shift;
    return wait(fut) + y;
  }
};
struct ForkModuleKeyword : Module {
  Child<Gate> sub = registerModule("sub", Gate());
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) { return wait(fork(sub, x, arg("b", 2))); }
};
struct ForkModuleTwice : Module {
  Child<Gate> sub = registerModule("sub", Gate());
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) {
    auto first = fork(sub, x);
    auto second = fork(sub, -x);
    Tensor left = wait(first);
    return sub(left + wait(second));
  }
};
struct Branch : Module {
  Child<Gate> gate = registerModule("gate", Gate());
  Tensor scale;
  explicit Branch(double value) : scale(registerParameter("scale", tensor({value}))) {}
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) { return wait(fork(gate, x * scale)); }
};
struct ForkModuleNested : Module {
  Child<Branch> left = registerModule("left", Branch(1.5));
  Child<Branch> right = registerModule("right", Branch(2.5));
  static Signature signature() { return {"x"}; }
  Tensor forward(Tensor x) {
    auto first = fork(left, x);
    auto second = fork(right, x);
    Tensor a = wait(first);
    return a * wait(second);
  }
};

} // namespace programs
