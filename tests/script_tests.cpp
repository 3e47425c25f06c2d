// Runs the programs under tests/files/script and compares with what TorchScript said of them;
// tests/oracle/make_script.py wrote that down: NAME.ir holds the graphs, NAME.json the outcomes of
// the calls in the comments of NAME.py:
//
//   # run: main(3, [1])      its arguments as `tine run` takes them
//   # run: main(0) raises ShapeMismatch: TEXT     where Tine's error is another than the oracle's
//
// Results are equal, floats of tensors to 1e-5 relative; what is printed is equal to the last byte.
// Of an error the kind is Python's own and the message TorchScript's or Python's.

#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/fixture.h"
#include "tools/arguments.h"
#include "tools/json.h"

#include <cmath>

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
    if (call.contains("result"))
      return outcome.json.contains("result") && same(outcome.json["result"], call["result"]) ? ""
                                                                                             : said;
    if (!outcome.json.contains("error")) return said;
    const Json& error = call["error"];
    const Json& python = error.contains("python") ? error["python"] : error;
    std::string kind = outcome.json["error"]["kind"], message = outcome.json["error"]["message"];
    if (std::string text = program.stated(call["call"]); !text.empty())
      return kind + ": " + message == text ? "" : said;
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
    auto bound = tools::bindArguments(*unit.find(function), function, std::move(values), texts);
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
