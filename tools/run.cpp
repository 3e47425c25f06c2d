#include "interpreter/profile.h"
#include "interpreter/scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "tools/arguments.h"
#include "tools/arrays.h"
#include "tools/command.h"
#include "tools/json.h"

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tine::tools {
namespace {

struct Options {
  std::string file, save, profile;
  Selection selection;
  std::vector<std::string> arguments;
  int workers = -1;
  std::int64_t repeat = 1;
  std::uint64_t seed = 0;
  double timeout = 0;   ///< of a run; 0: none \units seconds
  double watchdog = 0;  ///< how often it says what runs; 0: never \units seconds
  std::string schedule; ///< seed:N
  bool json = false, stats = false;
};

/// The function that runs when none is named: the only one that is no method, or `main`.
Result<const NamedGraph*> chosen(const Options& options, const CompilationUnit& unit) {
  TINE_TRY(const NamedGraph* selected, options.selection.in(unit));
  if (selected) return selected;
  const NamedGraph* only = &unit.functions().front();
  if (unit.functions().size() == 1) return only;
  const auto isMethod = [](const NamedGraph& function) {
    return llvm::StringRef(function.name).starts_with("__torch__.");
  };
  const llvm::ArrayRef<NamedGraph> others = llvm::ArrayRef(unit.functions()).drop_front();
  if (!isMethod(*only) && llvm::all_of(others, isMethod)) return only;
  Error error(error_kind::Schema, "which function? --function=NAME says it");
  for (const NamedGraph& function : unit.functions()) {
    if (function.name == "main") return &function;
    error.notes.push_back({signature(function), {}});
  }
  return error;
}

void printStats(const Scheduler& scheduler, std::int64_t runs, double seconds) {
  Scheduler::Stats s = scheduler.stats();
  std::fprintf(
      stderr,
      "runs %lld, %.3f ms each\n"
      "workers %d\n"
      "tasks %llu: %llu inline, %llu by a worker with nothing else to do, %llu of them stolen\n"
      "waits %llu parked, %llu suspended\n"
      "fibers %llu\n",
      static_cast<long long>(runs), 1e3 * seconds / static_cast<double>(runs), scheduler.workers(),
      static_cast<unsigned long long>(s.tasks), static_cast<unsigned long long>(s.inlined),
      static_cast<unsigned long long>(s.taken), static_cast<unsigned long long>(s.stolen),
      static_cast<unsigned long long>(s.parked), static_cast<unsigned long long>(s.suspended),
      static_cast<unsigned long long>(s.fibers));
  if (s.choices)
    std::fprintf(stderr, "schedule: %llu choices, %llu of them to interrupt what ran\n",
                 static_cast<unsigned long long>(s.choices),
                 static_cast<unsigned long long>(s.preempted));
}

/// The arguments of one run: read anew each time, as a run may write to them.
Result<std::vector<IValue>> argumentsOf(const Options& options, const NamedGraph& function) {
  TINE_TRY(Arguments arguments, readArguments(options.arguments, options.seed));
  return bindArguments(function, std::move(arguments.values), arguments.texts);
}

SourceLines linesOf(const Input& input) {
  SourceLines lines;
  lines.add(input.name, input.bytes);
  return lines;
}

/// Prints the errors that nobody waited for: a few, and how many more there were.
class Unheard {
public:
  explicit Unheard(const Input& input) : lines_(linesOf(input)) {}
  Unheard(const Unheard&) = delete;
  ~Unheard() {
    if (count_ > kShown)
      std::fprintf(stderr, "and %zu more errors that nobody waited for\n", count_ - kShown);
  }
  void operator()(const Error& error) {
    if (++count_ > kShown) return;
    std::string text = "an error that nobody waited for:\n" + lines_.shown(error).str();
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

private:
  static constexpr std::size_t kShown = 10;
  SourceLines lines_;
  std::size_t count_ = 0;
};

/// While it lives, says every so often on stderr what all tasks do.
class Watchdog {
public:
  Watchdog(Scheduler& scheduler, double seconds) {
    if (seconds > 0)
      thread_ = std::thread([&scheduler, seconds, this] { main(scheduler, seconds); });
  }
  Watchdog(const Watchdog&) = delete;
  ~Watchdog() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

private:
  void main(Scheduler& scheduler, double seconds) {
    std::unique_lock lock(mutex_);
    for (std::int64_t times = 1;; ++times) {
      if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return over_; }))
        return;
      std::fprintf(stderr, "watchdog: no end after %g s\n%s", static_cast<double>(times) * seconds,
                   scheduler.dump().c_str());
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false; ///< guarded by mutex_
  std::thread thread_;
};

ExitCode failed(const Options& options, const Input& input, const Error& error) {
  if (!options.json) return report(error, linesOf(input));
  ExitCode written = write(text({{"error", toJson(error)}}) + "\n");
  return written == kFine ? kWrong : written;
}

ExitCode finish(const Options& options, const IValue& result) {
  ExitCode saved = kFine; // a result that cannot be saved is still shown
  if (!options.save.empty())
    if (auto done = saveResult(options.save, result); !done) saved = report(done.errors());
  std::string shown = result.str();
  if (options.json) {
    auto json = toJson(result);
    if (!json) return report(json.errors());
    shown = text({{"result", *std::move(json)}});
  }
  const ExitCode written = write(shown + "\n");
  return written == kFine ? saved : written;
}

/// Of `seed:N`.
bool seedOfSchedule(llvm::StringRef text, std::uint64_t* seed) {
  return text.consume_front("seed:") && !text.getAsInteger(10, *seed);
}

ExitCode run(const Options& options, std::shared_ptr<Profile> profile) {
  if (std::string wrong = options.selection.wrong(); !wrong.empty()) return usage(wrong);
  if (!options.schedule.empty() && options.workers > 0)
    return usage("a schedule by seed has no workers: --workers=" + std::to_string(options.workers));
  auto input = readInput(options.file);
  if (!input) return report(input.errors());
  auto unit = loadUnit(*input);
  if (!unit) return report(unit.errors());
  if (auto ran = options.selection.runPasses(*unit); !ran) return report(ran.errors());
  auto function = chosen(options, *unit);
  if (!function) return report(function.errors());
  auto code = compile(*unit, OpSet::sharedBuiltin());
  if (!code) return report(code.errors());

  auto arguments = argumentsOf(options, **function);
  if (!arguments) return report(arguments.errors());

  Scheduler::Config config;
  config.workers = options.workers;
  config.profile = std::move(profile);
  if (std::uint64_t seed; seedOfSchedule(options.schedule, &seed))
    config.schedule = Schedule::seeded(seed);
  Unheard unheard(*input); // outlives the scheduler, which calls it from one thread at a time
  config.onUnobservedError = [&](const std::shared_ptr<const Error>& error) { unheard(*error); };
  IValue result;
  std::optional<Scheduler> scheduler;
  std::chrono::duration<double> spent{0};
  try {
    scheduler.emplace(config);
    const Watchdog watchdog(*scheduler, options.watchdog);
    for (std::int64_t i = 0; i < options.repeat; ++i) {
      if (i) arguments = argumentsOf(options, **function);
      if (!arguments) return report(arguments.errors());
      auto start = std::chrono::steady_clock::now();
      TaskContext context{.seed = options.seed};
      if (options.timeout > 0)
        context.deadline = deadlineIn(std::chrono::duration_cast<TaskContext::Clock::duration>(
            std::chrono::duration<double>(options.timeout)));
      Ref<FutureState> future =
          scheduler->run(*code, (*function)->name, *std::move(arguments), &context);
      result = scheduler->wait(*future);
      spent += std::chrono::steady_clock::now() - start;
    }
  } catch (const RuntimeError& error) {
    return failed(options, *input, error.error());
  }
  if (options.stats) printStats(*scheduler, options.repeat, spent.count());
  return finish(options, result);
}

/// Runs, and writes what the workers did, also of a run that failed.
ExitCode runProfiled(const Options& options) {
  if (options.profile.empty()) return run(options, nullptr);
  std::ofstream file(options.profile, std::ios::binary); // before work that could be lost
  const auto failed = [&] {
    return report(Error(error_kind::Io, "cannot write '" + options.profile + "'"));
  };
  if (!file) return failed();
  const auto profile = std::make_shared<Profile>();
  const ExitCode code = run(options, profile);
  profile->write(file);
  if (!file.flush()) return failed();
  if (profile->isFull())
    std::fputs("the profile is full: it has the first million events\n", stderr);
  return code;
}

/// What is wrong with a seed; CLI11 would take any number modulo 2^64.
std::string seedProblem(const std::string& text) {
  std::uint64_t seed;
  return llvm::StringRef(text).getAsInteger(10, seed)
             ? "Value " + text + " not in range 0 to 18446744073709551615"
             : "";
}
std::string secondsProblem(const std::string& text) {
  double seconds;
  return llvm::StringRef(text).getAsDouble(seconds) || !(seconds > 0 && seconds <= 1e9)
             ? "Value " + text + " is not a number of seconds above 0"
             : "";
}
std::string scheduleProblem(const std::string& text) {
  std::uint64_t seed;
  return seedOfSchedule(text, &seed) ? "" : "Value " + text + " is not seed:N";
}

} // namespace

void addRun(CLI::App& app, Run& runLater) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("run", "run a function");
  sub->add_option("FILE", options->file)->required();
  sub->add_option("ARG", options->arguments,
                  "3, True, None, \"s\", [1, 2], (1, 2), {\"k\": 1}, tensor([[1, 2]], "
                  "dtype=float32), zeros(2, 3), ones(2), full(2, 3.5), arange(6), ramp(2, 3), "
                  "rand(2, 3), @x.npy, @x.npz");
  options->selection.addTo(*sub);
  sub->add_option("--workers", options->workers, "threads; 0: the caller alone; default: all")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--repeat", options->repeat, "how often it runs; the last result is printed")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 40));
  sub->add_option("--seed", options->seed, "of random numbers")
      ->check(CLI::Validator(seedProblem, "0 to 2^64-1"));
  sub->add_option("--timeout", options->timeout, "seconds that a run may take")
      ->check(CLI::Validator(secondsProblem, ""));
  sub->add_option("--watchdog", options->watchdog,
                  "every so many seconds say on stderr what all tasks do, and go on")
      ->check(CLI::Validator(secondsProblem, ""));
  sub->add_option("--schedule", options->schedule,
                  "on one thread, what goes on next chosen by N: the same for the same N")
      ->type_name("seed:N")
      ->check(CLI::Validator(scheduleProblem, ""));
  sub->add_option("--save", options->save, "write the result's arrays")->type_name("OUT.npz");
  sub->add_option("--profile", options->profile,
                  "write what the workers did and when, for chrome://tracing or Perfetto")
      ->type_name("OUT.json");
  sub->add_flag("--json", options->json, "print the result as JSON");
  sub->add_flag("--stats", options->stats, "say on stderr what the scheduler did");
  sub->callback([=, &runLater] {
    for (std::string& argument : options->arguments)
      if (!argument.empty() && argument[0] == kArgumentMark) argument.erase(0, 1);
    runLater = [=] { return runProfiled(*options); };
  });
}

} // namespace tine::tools
