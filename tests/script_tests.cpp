// Runs the programs under tests/files/script and compares with what TorchScript said of them;
// tests/oracle/make_script.py wrote that down: NAME.ir holds the graphs, NAME.json the outcomes of
// the calls in the comments of NAME.py:
//
//   # run: main(3, [1])      its arguments as `tine run` takes them
//   # run: main(0) raises ShapeMismatch: TEXT     where Tine's error is another than the oracle's
//
// Results are equal, floats of tensors to 1e-5 relative; what is printed is equal to the last byte.
// Of an error the kind is Python's own and the message TorchScript's or Python's. Graphs are equal
// to the last byte, places included, or NAME.py says why not:
//
//   # DIFFERS: REASON
//
// and tests/files/script/wrong holds programs that are refused, each error with its place, the last
// column included:
//
//   # ERROR: 4:9-12: MESSAGE
//
// TINE_UPDATE=1 writes the errors of today there.  A program that is refused because a part of the
// language is not supported yet only counts.

#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/fixture.h"
#include "tools/arguments.h"
#include "tools/command.h"
#include "tools/json.h"

#include <cmath>
#include <fstream>

namespace tine {
namespace {

using testing::readFile;
using tools::Json;

std::string all(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.str();
  return text;
}

bool near(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-5 * std::max(std::abs(a), std::abs(b));
}

/// Equal JSON; numbers of tensors nearly.
bool same(const Json& a, const Json& b, bool ofTensor = false) {
  if (a.type() != b.type()) return a.is_number_integer() && b.is_number_integer() && a == b;
  if (a.is_number_float()) return ofTensor ? near(a, b) : a == b;
  if (!a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  if (a.is_object()) {
    for (const auto& [key, value] : a.items())
      if (!b.contains(key) || !same(value, b[key], ofTensor || key == "tensor")) return false;
    return true;
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i], ofTensor)) return false;
  return true;
}

/// A program of the corpus, with what is known of it.
struct Program {
  std::string name, source, graphs; ///< graphs: empty when TorchScript takes it not
  Json known;

  explicit Program(const std::filesystem::path& source_)
      : name(source_.stem()), source(readFile(source_)),
        known(Json::parse(readFile(std::filesystem::path(source_).replace_extension(".json")))) {
    auto path = std::filesystem::path(source_).replace_extension(".ir");
    if (accepted()) graphs = readFile(path);
    EXPECT_EQ(accepted(), std::filesystem::exists(path)) << name;
  }
  bool accepted() const { return known["oracle"] != "python"; }
  /// Says why its graphs are not TorchScript's.
  bool mayDiffer() const { return llvm::StringRef(source).contains("# DIFFERS: "); }

  /// The error that a comment states for a call.
  std::string stated(const std::string& call) const {
    auto [before, after] = llvm::StringRef(source).split("\n# run: " + call + " raises ");
    if (source.starts_with("# run: " + call + " raises "))
      after = llvm::StringRef(source).drop_front(call.size() + 15);
    return after.split('\n').first.str();
  }
};

std::vector<Program> programs() {
  std::vector<Program> found;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "script", ".py"))
    if (path.parent_path().filename() == "script") found.emplace_back(path);
  return found;
}

/// Runs calls of compiled units with 0, 1, 2 and 8 workers.
class Runner {
public:
  struct Outcome {
    Json json; ///< {"result": ...} or {"error": ...}
    std::string printed;
  };

  Runner() {
    for (int workers : testing::kWorkerCounts)
      schedulers_.push_back(std::make_unique<Scheduler>(Scheduler::Config{.workers = workers}));
  }

  /// Is the outcome the known one with each number of workers? If not, `why` says what it is;
  /// `lacks` names an operator that Tine has not.
  bool isKnown(const Program& program, const std::shared_ptr<const Code>& code,
               const CompilationUnit& unit, const Json& call, std::string& why,
               std::string& lacks) {
    for (auto& scheduler : schedulers_) {
      Outcome outcome = run(*scheduler, code, unit, call["call"].get<std::string>());
      if (outcome.json.contains("error")) {
        std::string message = outcome.json["error"]["message"];
        if (llvm::StringRef(message).starts_with("there is no operator ")) {
          lacks = message;
          continue;
        }
      }
      if (std::string text = difference(program, call, outcome); !text.empty())
        why += program.name + ": " + call["call"].get<std::string>() + ", " +
               std::to_string(scheduler->workers()) + " workers: " + text + "\n";
    }
    return why.empty();
  }

  /// Fails the test for each worker count with which the outcome is not the known one. False when
  /// it did, or when an operator is missing: then `missing` names it.
  bool agrees(const Program& program, const std::shared_ptr<const Code>& code,
              const CompilationUnit& unit, const Json& call, std::string& missing) {
    bool agreed = true;
    for (auto& scheduler : schedulers_) {
      SCOPED_TRACE(program.name + ": " + call["call"].get<std::string>() + ", workers " +
                   std::to_string(scheduler->workers()));
      Outcome outcome = run(*scheduler, code, unit, call["call"].get<std::string>());
      if (outcome.json.contains("unbound")) { // a dump has no defaults of parameters
        missing = outcome.json["unbound"];
        return false;
      }
      if (outcome.json.contains("error") && !call.contains("error")) {
        llvm::StringRef kind = outcome.json["error"]["kind"].get_ref<const std::string&>();
        // A dump has no methods of classes.
        if (kind == error_kind::NotImplemented || kind == error_kind::Schema ||
            kind == error_kind::Attribute) {
          missing = outcome.json["error"]["message"];
          return false;
        }
      }
      std::string why = difference(program, call, outcome);
      EXPECT_EQ(why, "");
      agreed = agreed && why.empty();
    }
    return agreed;
  }

private:
  static std::string difference(const Program& program, const Json& call, const Outcome& outcome) {
    std::string said = "it gives " + outcome.json.dump();
    std::string printed = call.value("printed", "");
    if (outcome.printed != printed) return "it prints " + outcome.printed;
    const std::string stated = program.stated(call["call"]);
    if (call.contains("result") && (stated.empty() || outcome.json.contains("result")))
      return outcome.json.contains("result") && same(outcome.json["result"], call["result"]) ? ""
                                                                                             : said;
    if (!outcome.json.contains("error")) return said;
    std::string kind = outcome.json["error"]["kind"], message = outcome.json["error"]["message"];
    if (!stated.empty()) return kind + ": " + message == stated ? "" : said;
    const Json& error = call["error"];
    const Json& python = error.contains("python") ? error["python"] : error;
    llvm::StringRef bare = message;
    bare.consume_front(kind + ": ");
    bool known = bare == error["message"].get_ref<const std::string&>() ||
                 bare == python["message"].get_ref<const std::string&>();
    return kind == python["kind"] && known ? "" : said;
  }

  static Outcome run(Scheduler& scheduler, const std::shared_ptr<const Code>& code,
                     const CompilationUnit& unit, llvm::StringRef call) {
    auto [name, text] = call.drop_back().split('(');
    const bool named = unit.find(name) != nullptr;
    llvm::StringRef function = named ? name : llvm::StringRef(unit.functions().front().name);
    tools::ArgumentReader reader(0);
    std::vector<IValue> values;
    if (!text.trim().empty()) {
      auto tuple = reader.read("(" + text.str() + ",)", "arguments");
      if (!tuple) return {Json{{"error", tools::toJson(tuple.error())}}, ""};
      values = tuple->toTuple().items;
    }
    std::vector<std::string> texts(values.size());
    auto bound = tools::bindArguments(*unit.findFunction(function), std::move(values), texts);
    if (!bound) return {Json{{"unbound", bound.error().message}}, ""};
    Outcome outcome;
    ::testing::internal::CaptureStdout();
    try {
      Ref<FutureState> future = scheduler.run(code, function, *std::move(bound));
      auto json = tools::toJson(scheduler.wait(*future));
      outcome.json = json ? Json{{"result", *json}} : Json{{"error", all(json.errors())}};
    } catch (const RuntimeError& error) {
      outcome.json["error"] = tools::toJson(error.error());
      outcome.json["error"].erase("traceback");
    }
    outcome.printed = ::testing::internal::GetCapturedStdout();
    return outcome;
  }

  std::vector<std::unique_ptr<Scheduler>> schedulers_;
};

/// What was reached; a change that makes one of them worse fails.
constexpr int kIdentical = 367, kDiffering = 15, kRight = 451, kWrongEqual = 236;

Result<CompilationUnit> compiled(const std::string& name, const std::string& source) {
  return tools::loadUnit({name + ".py", source, tools::InputKind::Source});
}

/// The functions that TorchScript printed, as it prints them.
std::string printedAs(const CompilationUnit& unit, const std::string& graphs) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(graphs).split(lines, '\n');
  std::string out;
  for (llvm::StringRef line : lines) {
    llvm::StringRef name = line.split('(').first;
    if (name.size() == line.size() || name.empty() || name.contains(' ')) continue;
    Graph* graph = unit.find(name == "graph" ? unit.functions().front().name : name.str());
    if (!out.empty()) out += "\n";
    if (graph)
      print(out, *graph, {}, name);
    else
      out += "no " + name.str() + "\n";
  }
  return out;
}

bool unsupported(const std::vector<Error>& errors) {
  return llvm::all_of(errors,
                      [](const Error& error) { return error.kind == error_kind::Unsupported; });
}

/// How many programs have which fate.
struct Counts {
  int accepted = 0, identical = 0, differing = 0, refused = 0; ///< of those that TorchScript takes
  int more = 0, moreRefused = 0;                               ///< others
  int right = 0, calls = 0;           ///< programs that give the known outcomes, of both
  std::map<std::string, int> missing; ///< operators
};

/// Compiles a program and runs its calls. What is wrong with it; empty when nothing is.
std::string judged(Runner& runner, const Program& program, Counts& counts) {
  (program.accepted() ? counts.accepted : counts.more) += 1;
  auto unit = compiled(program.name, program.source);
  if (!unit) {
    (program.accepted() ? counts.refused : counts.moreRefused) += 1;
    return program.accepted() && !unsupported(unit.errors()) ? all(unit.errors()) : "";
  }
  std::string why, lacks;
  if (program.accepted()) {
    const std::string printed = printedAs(*unit, program.graphs);
    const bool identical = printed == program.graphs;
    counts.identical += identical;
    counts.differing += !identical && program.mayDiffer();
    if (!identical && !program.mayDiffer()) why = printed;
    if (identical && program.mayDiffer()) why = "it does not differ any more";
  }
  auto code = compile(*unit, OpSet::sharedBuiltin());
  if (!code) return why + all(code.errors());
  for (const Json& call : program.known["calls"]) {
    ++counts.calls;
    runner.isKnown(program, *code, *unit, call, why, lacks);
  }
  if (!lacks.empty()) ++counts.missing[lacks];
  counts.right += why.empty() && lacks.empty();
  return why;
}

/// Programs give the graphs of TorchScript, and its results with every number of workers, or
/// Python's where TorchScript has none.
TEST(Script, ProgramsGiveTorchScriptsGraphsAndResults) {
  Runner runner;
  Counts counts;
  for (const Program& program : programs())
    EXPECT_EQ(judged(runner, program, counts), "") << program.name;
  for (const auto& [operation, count] : counts.missing)
    std::printf("  %d x %s\n", count, operation.c_str());
  std::printf(
      "TorchScript accepts %d programs: %d graphs are identical, %d differ for a reason that "
      "the program gives, %d are not supported yet\n"
      "%d more programs use what TorchScript lacks; %d are not supported yet\n"
      "%d programs give the known results in %d calls, each with 0, 1, 2 and 8 workers\n",
      counts.accepted, counts.identical, counts.differing, counts.refused, counts.more,
      counts.moreRefused, counts.right, counts.calls);
  EXPECT_GE(counts.accepted, 355);
  EXPECT_GE(counts.more, 60);
  EXPECT_GE(counts.identical, kIdentical);
  EXPECT_LE(counts.differing, kDiffering);
  EXPECT_GE(counts.right, kRight);
}

std::string spelled(const Error& error) {
  const Place& place = error.place;
  std::string text = std::to_string(place.line) + ":" + std::to_string(place.column);
  if (place.length > 1) text += "-" + std::to_string(place.column + place.length - 1);
  return text + ": " + error.message;
}

/// Writes the errors of today into the comments, when there are as many.
void update(const std::filesystem::path& path, llvm::StringRef source,
            const std::vector<Error>& errors) {
  std::string out;
  std::size_t i = 0;
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    bool ended = line.size() < source.size();
    if (line.starts_with("# ERROR: ") && i < errors.size())
      out += "# ERROR: " + spelled(errors[i++]);
    else
      out += line;
    if (ended) out += "\n";
    source = rest;
  }
  std::ofstream(path, std::ios::binary) << out;
}

/// Wrong programs are refused with these messages at these places, and no others.
TEST(Script, WrongProgramsAreRefused) {
  int count = 0, equal = 0, waiting = 0;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "script/wrong", ".py")) {
    std::string source = readFile(path), expected, said;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(source).split(lines, '\n');
    std::size_t wanted = 0;
    for (llvm::StringRef line : lines)
      if (line.consume_front("# ERROR: ")) expected += line.str() + "\n", ++wanted;
    EXPECT_NE(expected, "") << path;
    ++count;
    auto unit = compiled(path.stem(), source);
    std::vector<Error> errors;
    if (!unit) errors = unit.takeErrors();
    for (const Error& error : errors) said += spelled(error) + "\n";
    equal += said == expected;
    if (said == expected) continue;
    waiting += !errors.empty() && unsupported(errors);
    if (std::getenv("TINE_UPDATE") && errors.size() == wanted)
      update(path, source, errors);
    else
      std::printf("%s: %s", path.filename().c_str(), said.c_str());
  }
  std::printf("%d wrong programs: %d with the places and messages wanted, %d use what is not "
              "supported yet\n",
              count, equal, waiting);
  EXPECT_EQ(equal, count);
  EXPECT_GE(count, 236);
  EXPECT_GE(equal, kWrongEqual);
}

/// TorchScript's own graphs print back byte for byte, and run to TorchScript's results.
TEST(Script, TorchScriptsGraphsGiveItsResults) {
  Runner runner;
  int graphs = 0, agree = 0, calls = 0;
  std::map<std::string, int> missing;
  for (const Program& program : programs()) {
    if (!program.accepted()) continue;
    ++graphs;
    auto unit = parse(program.graphs, program.name + ".ir");
    ASSERT_TRUE(unit) << all(unit.errors());
    std::string printed;
    print(printed, *unit);
    EXPECT_EQ(printed, program.graphs) << program.name;
    auto code = compile(*unit, OpSet::sharedBuiltin());
    ASSERT_TRUE(code) << all(code.errors());
    bool agrees = true;
    for (const Json& call : program.known["calls"]) {
      std::string operation;
      ++calls;
      agrees = agrees && runner.agrees(program, *code, *unit, call, operation);
      if (!operation.empty()) ++missing[operation];
    }
    agree += agrees;
  }
  std::printf("%d graphs, %d calls; %d run as TorchScript runs them; missing:\n", graphs, calls,
              agree);
  for (const auto& [operation, count] : missing)
    std::printf("  %d x %s\n", count, operation.c_str());
  EXPECT_GE(graphs, 350);
  EXPECT_GE(agree, 285);
}

} // namespace
} // namespace tine
