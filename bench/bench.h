#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

/// What the benchmarks share. A program registers its rows and runs them:
///
///   int main(int argc, char** argv) {
///     row("Fork/Int/plain", 1000, 500500, [] { return [] { return plainLoop(1000); }; });
///     tineRow("Fork/Int/tine/workers:1", 1000, 500500, {.file = "fork", .function = "int_loop",
///                                                       .arguments = {1000}, .workers = 1});
///     return run(argc, argv);
///   }
///
/// A row's name is `Topic/Row[/n:SIZE]/WHO[/workers:N]`; tools/bench_table.py sets Tine beside its
/// rivals by it. A row's time is that of one item.
namespace tine::bench {

/// Does a number of items and returns their result.
using Batch = std::function<double()>;
/// Prepares a batch; its time is not measured.
using MakeBatch = std::function<Batch()>;

/// Registers a row. Before it is measured the batch runs twice, or once if it takes long, and a
/// result other than `want` is an error, which fails the program. \units nanoseconds for each of
/// `items`
void row(const std::string& name, std::int64_t items, double want, MakeBatch make);

/// Registers a row whose batch does one thing and returns how long that took, since much of its own
/// time goes into what leads up to it. \units seconds
void timedRow(const std::string& name, MakeBatch make);

/// Registers a row of memory. \units bytes for each of what `measure` counts
void memoryRow(const std::string& name, std::function<double()> measure);

/// An argument of a program: an int, a float, or a tensor of one dimension.
using Argument = std::variant<std::int64_t, double, std::vector<float>>;

/// A call of a function in `bench/programs/FILE.{ir,py,lua}`: the same program in graph text, in
/// TorchScript source and in Lua. The result is a number, or a tensor's first element.
struct Call {
  std::string file, function;
  std::vector<Argument> arguments = {};
  int workers = 0;     ///< 0: on the caller; for programs that fork nothing
  int repeat = 1;      ///< calls in a batch
  bool source = false; ///< Tine compiles FILE.py, too, instead of reading FILE.ir
  bool raises = false; ///< every call raises; the result is how many did
};

/// Tine runs the graph on a scheduler of its own.
void tineRow(const std::string& name, std::int64_t items, double want, Call call);
/// Calls the function once.
double tineOnce(const Call& call);
/// Lua 5.4, and TorchScript, which runs the source, its forks on `workers` threads. There a
/// function `Class.method` is a method of an object whose attribute `self` is the object itself,
/// which makes recursion possible.
void luaRow(const std::string& name, std::int64_t items, double want, Call call);
void torchScriptRow(const std::string& name, std::int64_t items, double want, Call call);

/// What is done to a graph.
enum class GraphWork { Parse, Print, Verify, Copy, Compile };
/// TorchScript does it to the graph with this text, of `nodes` nodes.
void torchScriptGraphRow(const std::string& name, std::int64_t nodes, GraphWork work,
                         const std::string& text);
/// `y = y + x`, `items` times, on four ones: the tensor library alone, without a graph.
void atenAddRow(const std::string& name, std::int64_t items, bool inferenceMode);
/// Calls the function once.
double torchScriptOnce(const Call& call);

// A rival that was not there when this was configured has no rows.
#ifndef TINE_HAVE_LUA
inline void luaRow(const std::string&, std::int64_t, double, Call) {}
#endif
#ifndef TINE_HAVE_LIBTORCH
inline void torchScriptRow(const std::string&, std::int64_t, double, Call) {}
inline void torchScriptGraphRow(const std::string&, std::int64_t, GraphWork, const std::string&) {}
inline void atenAddRow(const std::string&, std::int64_t, bool) {}
inline double torchScriptOnce(const Call&) { return 0; }
#endif

/// The text of a file in bench/programs.
std::string program(const std::string& file);

/// Text of a graph of `nodes` nodes in a row, on tensors; as TorchScript prints it.
std::string tensorChain(std::int64_t nodes);
/// The same on ints: f(%x) is x times `nodes + 1`.
std::string intChain(std::int64_t nodes);
/// Ifs inside each other, not indented: f(%c, %x) is x.
std::string nestedIfs(std::int64_t depth);

/// Runs `f` on a thread with this stack and waits for it. An exception is passed on.
void onStack(std::size_t bytes, const std::function<void()>& f);

/// Runs the rows that the command line chooses. The exit code: 0 unless a row had an error.
int run(int argc, char** argv);

} // namespace tine::bench
