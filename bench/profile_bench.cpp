// What a profile costs, for each slice: a tree of forks and a loop of operators with and without
// one. The difference of on and off is what a slice takes.
#include "api/function.h"
#include "bench/bench.h"
#include "interpreter/profile.h"

namespace tine::bench {
namespace {

/// \param slices tasks, or operators, of a run
void add(const std::string& name, const std::string& file, const std::string& function,
         std::vector<IValue> arguments, std::int64_t slices, double want) {
  for (const bool on : {false, true})
    row(name + (on ? "On/tine" : "Off/tine"), slices, want, [=] {
      const Function f =
          parseProgram(program(file + ".ir"), file).value().function(function).value();
      return [=] {
        Scheduler scheduler({.workers = 0, .profile = on ? std::make_shared<Profile>() : nullptr});
        const IValue result = f.run(scheduler, arguments);
        return result.isTensor() ? result.asTensor().data<float>()[0]
                                 : static_cast<double>(result.toInt());
      };
    });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine;
  using namespace tine::bench;
  add("Profile/Task", "recursive", "tree", {20}, 10946, 6765);
  const Tensor x = Tensor::empty({4});
  for (int i = 0; i < 4; ++i) x.data<float>()[i] = 1;
  add("Profile/Operator", "dispatch", "add_loop", {x, 20000}, 20000, 20001);
  return run(argc, argv);
}
