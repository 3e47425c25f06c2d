// What a trace follows, what it refuses, and how to say it instead: docs/tracing.md as a program.

#include <iostream>
#include <map>
#include <tine/tine.h>

using namespace tine;

namespace tutorial {

void expect(const Function& f, std::vector<IValue> inputs, const std::string& result) {
  const std::string is = f.run(std::move(inputs)).str();
  std::cout << is << "\n";
  TINE_CHECK_MSG(is == result, result.c_str());
}

// Sizes are values of the graph: an Int is recorded where a C++ number would be a constant.
void sizes() {
  const Function f = trace(
      [](Tensor x) {
        const Int rows = named("rows", size(x, 0));
        return reshape(x, {rows, -1}) * (rows + 1);
      },
      {zeros({2, 3})});
  std::cout << f.graph();
  FileCheck().check("%rows : int = aten::size").check("aten::reshape").run(f.graph());
  expect(f, {ones({1, 2})}, "tensor([[2., 2.]])"); // another shape
}

// Reading one in C++ is an error, which says where the number comes from.
void refused() {
  try {
    trace(
        [](Tensor x) {
          const Int rows = size(x, 0);
          for (std::int64_t i = 0; i < rows.value(); ++i) x = x + i;
          return x;
        },
        {zeros({2, 3})});
    TINE_UNREACHABLE("the loop would be unrolled for two rows");
  } catch (const RuntimeError& e) {
    TINE_CHECK(e.kind() == error_kind::Trace);
    std::cout << e.error().str();
  }
}

// The same as a loop of the graph, and a branch, which runs both of its sides.
void control() {
  const Function f = trace(
      [](Tensor x) {
        const Tensor y = loop(size(x, 0), x, [](Int i, Tensor t) { return t + i; });
        return cond(
            toBool(sum(y) > 4), [&] { return y; }, [&] { return -y; });
      },
      {zeros({2})});
  FileCheck().check("prim::Loop").check("prim::If").run(f.graph());
  expect(f, {zeros({2})}, "tensor([-1., -1.])");
  expect(f, {zeros({4})}, "tensor([6., 6., 6., 6.])");
}

// Dicts, lists and tuples go in and come out as they are, futures in them too.
using Named = std::map<std::string, Tensor>;
void structure() {
  const auto f = [](Named in) {
    std::map<std::string, Future<Tensor>> futures;
    for (const auto& [name, x] : in) futures[name] = fork([](Tensor y) { return y * y; }, x);
    Named out;
    for (const auto& [name, future] : futures) out[name] = wait(future);
    return std::tuple(out, wait(futures.at("a")));
  };
  const IValue example = Operand(Named{{"a", tensor(2)}, {"b", tensor(3)}}).value;
  const Function traced = trace(f, {example});
  FileCheck()
      .check("prim::fork_0")
      .check("prim::fork_1")
      .check("DictConstruct")
      .run(traced.graph());
  expect(traced, {Operand(Named{{"a", tensor(4)}, {"b", tensor(5)}}).value},
         "({'a': tensor(16), 'b': tensor(25)}, tensor(16))");
  const auto more = traced.tryRun({Operand(Named{{"a", tensor(1)}}).value});
  std::cout << more.error().message << "\n"; // other keys than C++ saw
}

// In-place operators are recorded; examples and modules are afterwards what they were.
struct Average : Module {
  Tensor total = registerBuffer("total", tensor({0.0, 0.0}));
  Tensor count = registerBuffer("count", tensor(0));
  Tensor forward(Tensor x) {
    total += x;
    count += 1;
    return total / count;
  }
};
void state() {
  Average average;
  const Function f = trace(average, {tensor({1.0, 2.0})});
  TINE_CHECK(average.total.str() == "tensor([0., 0.])");
  expect(f, {tensor({1.0, 2.0})}, "tensor([1., 2.])");
  expect(f, {tensor({3.0, 6.0})}, "tensor([2., 4.])");
}

// A check runs function and graph on other inputs, and finds what else the function reads.
void checked() {
  int calls = 0;
  const auto f = [&](Tensor x) { return x + ++calls; };
  try {
    trace(f, {tensor(1)}, {.check = {{tensor(1)}}});
    TINE_UNREACHABLE("the second call adds 2");
  } catch (const RuntimeError& e) {
    std::cout << e.error().str();
  }
}

} // namespace tutorial

int main() {
  tutorial::sizes();
  tutorial::refused();
  tutorial::control();
  tutorial::structure();
  tutorial::state();
  tutorial::checked();
}
