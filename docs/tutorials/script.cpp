// TorchScript source from C++: functions that fork, modules, classes and operators of one's own.
// Read from top to bottom; ctest runs it.

#include <map>
#include <mutex>
#include <tine/tine.h>
using namespace tine;

/// Prints a value, which is the expected one.
void show(const std::string& value, const std::string& expected) {
  std::cout << value << "\n";
  TINE_CHECK(value == expected);
}

// 1. A text of functions is a program. It is compiled once, and called by name with C++ values.
const char* const kFunctions = R"(
def foo(a, b: int):
    return a + b

def bar(a, b: int = 2):
    fut = torch.jit.fork(foo, a, b=b)
    return torch.jit.wait(fut)
)";

void functions(Scheduler& scheduler) {
  const Program cu = compile(kFunctions).value(); // or cu.errors(), all with places
  const Tensor x = tensor({1., 2.});
  const Tensor y = cu.run<Tensor>("bar", x); // on this thread
  TINE_CHECK(equal(y, tensor({3., 4.})));
  show(cu.run(scheduler, "bar", x, arg("b", 5)).str(), "tensor([6., 7.])"); // on workers
  // A wrong call is an error with the place of the call.
  try {
    cu.run("baz", x);
  } catch (const RuntimeError& e) {
    show(e.message(), "there is no function 'baz', did you mean 'bar'?");
  }
}

// 2. A module of C++ gets methods from source: they read and write its attributes, and call and
// fork each other and those of the modules in it.
void modules(Scheduler& scheduler) {
  auto scale = std::make_shared<Module>("Scale");
  scale->registerParameter("w", tensor({1., 2.}));
  scale->define(R"(
def forward(self, x, by: int = 1):
    return x * self.w * by
)");
  Module net("Net");
  net.registerModule("scale", scale);
  net.registerAttribute("calls", 0);
  net.registerAttribute("seen", IValue::list({}), "List[int]"); // what is empty tells no type
  net.define(R"(
def forward(self, x, n: int):
    self.calls += 1
    self.seen.append(n)
    futures = [torch.jit.fork(self.scale.forward, x, by=i) for i in range(n)]
    return sum([float(f.wait().sum()) for f in futures])
)");
  const ScriptModule module = compile(net).value();
  TINE_CHECK(module.run<double>(scheduler, "forward", tensor({1., 1.}), 4) == 18);
  show(module.attribute("seen").str(), "[4]");
}

// 3. A class of C++, and an operator: an OpSet has them, and every program that is compiled with
// it.
struct Histogram {
  explicit Histogram(int64_t w) : width(w) {}
  void add(double value) {
    const std::lock_guard lock(mutex); // tasks may call it at the same time
    ++counts[static_cast<int64_t>(value) / width];
  }
  int64_t count(int64_t bucket) const {
    const auto found = counts.find(bucket);
    return found == counts.end() ? 0 : found->second;
  }
  int64_t width;

private:
  std::mutex mutex;
  std::map<int64_t, int64_t> counts;
};

void classes(Scheduler& scheduler) {
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  ops->addClass<Histogram>("my.Histogram") // torch.classes.my.Histogram in source
      .init<int64_t>("(int width=10)")     // how parameters are called, and their defaults
      .method("add", &Histogram::add)
      .method("count(int bucket) -> int", &Histogram::count)
      .field("width", &Histogram::width);
  ops->add("my::half(float x) -> float", [](double x) { return x / 2; });
  const Program program = compile(R"(
def fill(h: torch.classes.my.Histogram, n: int):
    for i in range(n):
        h.add(torch.ops.my.half(float(i)))

def main(n: int):
    h = torch.classes.my.Histogram(width=5)
    futures = [torch.jit.fork(fill, h, n) for i in range(4)]
    futures.append(torch.jit.fork(h.add, 7.5))
    for f in futures:
        f.wait()
    return [h.count(i) for i in range(3)], h.width
)",
                                  "histogram.py", ops)
                              .value();
  show(program.run(scheduler, "main", 30).str(), "([40, 41, 40], 5)");
}

int main() {
  Scheduler scheduler({.workers = 2});
  functions(scheduler);
  modules(scheduler);
  classes(scheduler);
}
