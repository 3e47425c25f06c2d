// Compiles the modules of tests/files/modules, whose methods are source, and compares with what
// TorchScript said of them; tests/oracle/make_modules.py wrote that down. define_*.json are modules
// as C++ makes them, archive_*.json the text and the objects of archives. Graphs are equal to the
// last byte, those of archives without places, or the file says under `differs` why not; results
// are equal with 0, 1, 2 and 8 workers.

#include "api/tine.h"
#include "frontend/script/compile.h"
#include "llvm/ADT/Twine.h"
#include "tensor/zip.h"
#include "tests/fixture.h"
#include "tools/arguments.h"
#include "tools/json.h"

#include <cmath>
#include <map>
#include <set>

namespace tine {
namespace {

using testing::readFile;
using tools::Json;

/// Keeps the operators, which are otherwise made anew for each program.
const std::shared_ptr<const OpSet> keptOps = OpSet::sharedBuiltin();

IValue read(const Json& text) {
  return tools::ArgumentReader(0).read(text.get<std::string>(), "value").value();
}

bool same(const Json& a, const Json& b) {
  if (a.is_number_float() && b.is_number())
    return std::abs(a.get<double>() - b.get<double>()) <=
           1e-5 * std::max(1.0, std::abs(b.get<double>()));
  if (a.type() != b.type() || a.size() != b.size()) return a.is_number() && a == b;
  if (!a.is_structured()) return a == b;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    if (!same(*x, *y)) return false;
  return true;
}

/// The module that a description is.
std::shared_ptr<Module> made(const Json& spec) {
  auto module = std::make_shared<Module>(spec["name"].get<std::string>());
  const auto each = [&](const char* what, auto add) {
    if (spec.contains(what))
      for (const auto& [name, value] : spec[what].items()) add(name, value);
  };
  each("parameters", [&](const std::string& name, const Json& value) {
    module->registerParameter(name, read(value).toTensor());
  });
  each("buffers", [&](const std::string& name, const Json& value) {
    module->registerBuffer(name, read(value).toTensor());
  });
  each("attributes", [&](const std::string& name, const Json& value) {
    module->registerAttribute(name, read(value[0]), value[1].get<std::string>());
  });
  each("modules", [&](const std::string& name, const Json& value) {
    module->registerModule(name, made(value));
  });
  for (const Json& text : spec["define"]) module->define(text.get<std::string>(), "<string>");
  return module;
}

/// An object of an archive.
IValue object(const Json& spec) {
  auto layout = std::make_shared<ClassLayout>();
  layout->name = spec["class"].get<std::string>();
  auto made = makeRef<Object>();
  for (const auto& [name, value] : spec["attributes"].items()) {
    layout->attributes.push_back(name);
    made->slots.push_back(value.is_object() ? object(value) : read(value));
  }
  made->layout = std::move(layout);
  return IValue(std::move(made));
}

/// What an archive's loader does with the texts: they are asked for by name.
ScriptModule compiled(const Json& archive) {
  script::Sources sources;
  sources.load = [&](llvm::StringRef qualifier) -> Result<std::unique_ptr<script::Module>> {
    const auto text = archive["archive"].find(qualifier.str());
    if (text == archive["archive"].end()) return std::unique_ptr<script::Module>();
    return script::parseModule(text->get<std::string>(), "code/" + qualifier.str() + ".py");
  };
  sources.wanted = {archive["object"]["class"].get<std::string>()};
  for (const Json& text : archive["constants"]) sources.constants.push_back(read(text));
  auto unit = script::compile(sources, OpSet::sharedBuiltin(), Context::create());
  if (!unit)
    for (const Error& error : unit.errors()) ADD_FAILURE() << error.str();
  return ScriptModule(Program::create(std::move(unit).value()).value(), object(archive["object"]));
}

/// The class of the module at `a.b` below a root.
std::string classAt(const IValue& root, llvm::StringRef path) {
  IValue at = root;
  for (llvm::StringRef part; !path.empty();) {
    std::tie(part, path) = path.split('.');
    const Object& object = at.toObject();
    at = IValue(object.slots[static_cast<std::size_t>(object.layout->slot(part))]);
  }
  return at.toObject().layout->name;
}

/// The graph as the oracle prints it.
std::string printed(const Graph& graph, bool places) {
  PrintOptions options;
  options.locations = places;
  return str(graph, options);
}

class Modules : public testing::WithWorkers {};
TINE_WITH_WORKERS(Modules);

TEST_P(Modules, GiveWhatTorchScriptGives) {
  int programs = 0;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "modules", ".json")) {
    SCOPED_TRACE(path.filename().string());
    const Json known = Json::parse(readFile(path));
    const bool archive = known.contains("archive");
    const ScriptModule module = archive ? compiled(known) : compile(*made(known["module"])).value();
    Scheduler scheduler({.workers = workers()});
    for (const Json& row : known["calls"]) {
      SCOPED_TRACE(row["call"].get<std::string>());
      auto [name, rest] = llvm::StringRef(row["call"].get_ref<const std::string&>()).split('(');
      const IValue arguments = read("(" + rest.drop_back().str() + ",)");
      const IValue result = module.method(name).value().run(scheduler, arguments.toTuple().items);
      EXPECT_TRUE(same(tools::toJson(result).value(), row["result"])) << result.str();
    }
    ++programs;
  }
  EXPECT_GE(programs, 15);
}

TEST(ModuleGraphs, AreTorchScripts) {
  int graphs = 0, identical = 0;
  for (const auto& path : testing::filesUnder(testing::testFiles() / "modules", ".json")) {
    SCOPED_TRACE(path.filename().string());
    const Json known = Json::parse(readFile(path));
    const bool archive = known.contains("archive");
    const ScriptModule module = archive ? compiled(known) : compile(*made(known["module"])).value();
    for (const auto& [name, text] : known["graphs"].items()) {
      const auto [owner, method] = llvm::StringRef(name).contains('.')
                                       ? llvm::StringRef(name).rsplit('.')
                                       : std::pair(llvm::StringRef(), llvm::StringRef(name));
      const Graph* graph =
          module.program().unit().find(classAt(module.object(), owner) + "." + method.str());
      ASSERT_TRUE(graph) << name;
      ++graphs;
      if (known.contains("differs") && known["differs"].contains(name)) {
        EXPECT_NE(printed(*graph, !archive), text.get<std::string>()) << name << " is the same";
        continue;
      }
      EXPECT_EQ(printed(*graph, !archive), text.get<std::string>()) << name;
      ++identical;
    }
  }
  EXPECT_EQ(graphs, 41);
  EXPECT_EQ(identical, 38);
}

/// The texts of an archive by qualifier, and the classes that its objects are of.
struct Archive {
  std::map<std::string, std::string> texts;
  std::vector<std::string> classes;

  explicit Archive(const std::filesystem::path& path) {
    const ZipReader zip = ZipReader::open(path.string()).value();
    for (const ZipEntry& entry : zip.entries()) {
      llvm::StringRef name = llvm::StringRef(entry.name).split('/').second;
      const bool isText = name.consume_front("code/") && name.consume_back(".py");
      if (!isText && name != "data.pkl") continue;
      std::string bytes(entry.size, '\0');
      ByteStream stream = zip.stream(entry).value();
      EXPECT_TRUE(stream.read(bytes.data(), bytes.size()).ok()) << entry.name;
      if (isText) {
        std::string qualifier = name.str();
        std::replace(qualifier.begin(), qualifier.end(), '/', '.');
        texts[qualifier] = std::move(bytes);
      } else { // a pickle names a class as `c`, its qualifier, its name, each with a newline
        for (std::size_t at = 0; (at = bytes.find("c__torch__", at)) != std::string::npos; ++at) {
          const auto [qualifier, rest] = llvm::StringRef(bytes).drop_front(at + 1).split('\n');
          classes.push_back((llvm::Twine(qualifier) + "." + rest.split('\n').first).str());
        }
      }
    }
  }
};

/// The functions that published archives call and no operator of Tine does yet.
const std::set<std::string> kWithoutOperator = {"batch_norm",
                                                "conv1d",
                                                "cpu",
                                                "data",
                                                "embedding",
                                                "feature_dropout",
                                                "feature_dropout_",
                                                "gru",
                                                "is_grad_enabled",
                                                "layer_norm",
                                                "lstm",
                                                "lstm_cell",
                                                "max_pool2d"};

/// Archives that others made: all of their code is compiled, but for what has no operator.
TEST(ModuleGraphs, OfPublishedArchivesCompile) {
  if (testing::sharedData().empty()) GTEST_SKIP() << "no shared data";
  int archives = 0, others = 0;
  std::set<std::string> without;
  for (const char* folder : {"models", "public"})
    for (const char* extension : {".pt", ".jit", ".ts"})
      for (const auto& path : testing::filesUnder(testing::sharedData() / folder, extension)) {
        SCOPED_TRACE(path.filename().string());
        const Archive archive(path);
        if (archive.classes.empty()) continue; // from before there was code/
        script::Sources sources;
        sources.wanted = archive.classes;
        sources.constants.assign(1000, IValue(zeros({1})));
        sources.load = [&](llvm::StringRef qualifier) -> Result<std::unique_ptr<script::Module>> {
          const auto text = archive.texts.find(qualifier.str());
          if (text == archive.texts.end()) return std::unique_ptr<script::Module>();
          return script::parseModule(text->second, qualifier.str() + ".py");
        };
        auto unit = script::compile(sources, OpSet::sharedBuiltin(), Context::create());
        if (!unit) {
          for (const Error& error : unit.errors()) {
            const llvm::StringRef name =
                llvm::StringRef(error.message).split("has no function '").second;
            EXPECT_FALSE(name.empty()) << error.str();
            without.insert(name.split('\'').first.str());
          }
          ++others;
          continue;
        }
        EXPECT_TRUE(Program::create(std::move(*unit)));
        ++archives;
      }
  std::printf("the code of %d archives compiles, %d need operators that are not there\n", archives,
              others);
  EXPECT_EQ(without, kWithoutOperator);
  EXPECT_GE(archives, 20);
}

} // namespace
} // namespace tine
