#include "ir/lex.h"
#include "ir/parse.h"
#include "tests/unit/ir/text_fixture.h"

#include <fstream>
#include <map>

using namespace tine;
using namespace tine::testing;

namespace {

/// A graph with these nodes, its only constant's value.
Attribute& valueIn(CompilationUnit& unit) {
  for (Node* node : unit.front().nodes())
    if (Attribute* value = node->attributes().find(Builtin::Value)) return *value;
  TINE_UNREACHABLE("no value");
}

CompilationUnit constant(llvm::StringRef type, llvm::StringRef value) {
  std::string text = "graph():\n  %0 : " + type.str() + " = prim::Constant[value=" + value.str() +
                     "]()\n  return (%0)\n";
  Result<CompilationUnit> unit = read(text);
  EXPECT_TRUE(unit) << errorsOf(unit);
  return std::move(unit).value();
}

/// The value that a constant's text has; `verbatim text` when the text does not hold it.
std::string valueOf(llvm::StringRef type, llvm::StringRef value) {
  CompilationUnit unit = constant(type, value);
  Attribute& attribute = valueIn(unit);
  return attribute.isVerbatim() ? "verbatim " + attribute.verbatim : attribute.value.str();
}

void expectConstantRoundTrip(llvm::StringRef type, llvm::StringRef value) {
  expectRoundTrip("graph():\n  %0 : " + type.str() + " = prim::Constant[value=" + value.str() +
                  "]()\n  return (%0)\n");
}

void expectTypeRoundTrip(llvm::StringRef type) {
  auto context = Context::create();
  Result<const Type*> read = parseType(*context, type);
  ASSERT_TRUE(read) << errorsOf(read);
  EXPECT_EQ((*read)->str(), type.str());
  Result<const Type*> exact = parseType(*context, (*read)->str(Style::Lossless));
  ASSERT_TRUE(exact) << errorsOf(exact);
  EXPECT_EQ(*exact, *read) << (*read)->str(Style::Lossless);
}

TEST(Parse, Example) {
  auto graph = parseGraph(R"(graph(%x.1 : Tensor,
      %n : int):
  %2 : Float(2, 3) = aten::add(%x.1, %n), scope: a.b # dir/my file.py:3:4
  return (%2)
)")
                   .value();
  Node* add = *graph->nodes().begin();
  EXPECT_EQ(add->kind().str(), "aten::add");
  EXPECT_EQ(add->input(0), graph->find("x.1"));
  EXPECT_EQ(add->input(1)->type(), Type::intType());
  EXPECT_EQ(add->output()->unique(), 2u);
  EXPECT_EQ(add->scope().str(), "a.b");
  EXPECT_EQ(add->location().file.str(), "dir/my file.py");
  EXPECT_EQ(add->location().line, 3u);
  EXPECT_EQ(add->location().column, 4u);
  EXPECT_TRUE(add->location().printed);
}

TEST(Parse, PlacesOfNodesWithoutALocation) {
  auto graph = parseGraph("graph(%x : Tensor):\n\n  # a comment\n    %y : Tensor = aten::neg(%x)\n"
                          "  return (%y)\n",
                          "dump.ir")
                   .value();
  const Location& location = (*graph->nodes().begin())->location();
  EXPECT_EQ(location.file.str(), "dump.ir");
  EXPECT_EQ(location.line, 4u);
  EXPECT_EQ(location.column, 4u);
  EXPECT_FALSE(location.printed);
}

TEST(Parse, UnnamedValuesKeepTheirNumbers) {
  auto graph = parseGraph("graph(%x : Tensor):\n  %7 : Tensor = aten::neg(%x)\n"
                          "  %0 : Tensor = aten::neg(%7)\n  %y : Tensor = aten::neg(%0)\n"
                          "  return (%y)\n")
                   .value();
  EXPECT_EQ(graph->find("x")->unique(), 1u);
  EXPECT_EQ(graph->find("y")->unique(), 2u);
  EXPECT_EQ(graph->numValues(), 8u);
}

TEST(Parse, WhatPeopleWrite) {
  // Everything that TorchScript's parser takes (spec B.5).
  CompilationUnit unit =
      read("graph (%x, %y:int, # a comment\n"
           "  %z :Tensor):\r\n"
           "\t%a=aten::add( %x,\n      %z # more\n   , %y ) # not a location\n"
           "%b:Tensor = aten::neg \\\n (%a)\n"
           "  aten::print(%b)\n"
           "  %s = prim::Constant[value='it\\'s']()\n"
           "  %t : str = prim::Constant[value=\"\"\"two\nlines\"\"\", n=0x10]()\n"
           "  return (%b)\n")
          .value();
  EXPECT_EQ(str(unit), "graph(%x : Tensor,\n      %y : int,\n      %z : Tensor):\n"
                       "  %a : Tensor = aten::add(%x, %z, %y)\n"
                       "  %b : Tensor = aten::neg(%a)\n"
                       "   = aten::print(%b)\n"
                       "  %s : Tensor = prim::Constant[value=\"it\\'s\"]()\n"
                       "  %t : str = prim::Constant[value=\"two\\nlines\", n=16]()\n"
                       "  return (%b)\n");
}

TEST(Parse, FunctionsWithNames) {
  std::string text = "__torch__.M.forward(%self : __torch__.M,\n      %x : Tensor):\n"
                     "  %f : Function = prim::Constant[name=\"g\"]()\n"
                     "  %2 : Tensor = prim::CallFunction(%f, %x)\n  return (%2)\n\n"
                     "g(%x : Tensor):\n  return (%x)\n";
  expectRoundTrip(text);
  CompilationUnit unit = read(text, true).value();
  ASSERT_EQ(unit.functions().size(), 2u);
  EXPECT_EQ(unit.findMethod(classOf(*unit.context(), "__torch__.M"), "forward"), &unit.front());
  EXPECT_EQ(placesOf(parseGraph(text, "t.ir")), "1:1: expected one graph, found 2\n");
}

// The defects of TorchScript's own parser and printer, spec/torchscript B.9.

TEST(Parse, D1FutureInBracketsAndParentheses) {
  for (const char* type : {"Future[Tensor]", "RRef[int]", "Await[int]", "Future[Future[int]][]?",
                           "Dict(str, Future(Tensor)[])"})
    expectTypeRoundTrip(type);
  auto context = Context::create();
  EXPECT_EQ(parseType(*context, "Future(RRef(int))").value()->str(), "Future[RRef[int]]");
}

TEST(Parse, D2GroupsAreSubgraphs) {
  std::string text = "graph(%x : Tensor):\n  %1 : Future[Tensor] = prim::fork_0(%x)\n"
                     "  %2 : Tensor = aten::wait(%1)\n  return (%2)\n"
                     "with prim::fork_0 = graph(%x : Tensor):\n  %1 : Tensor = aten::neg(%x)\n"
                     "  return (%1)\n";
  expectRoundTrip(text);
  auto graph = parseGraph(text).value();
  Node* fork = *graph->nodes().begin();
  EXPECT_EQ(fork->op(), Builtin::Fork);
  ASSERT_TRUE(fork->subgraph());
  EXPECT_EQ((*fork->subgraph()->nodes().begin())->kind().str(), "aten::neg");
}

TEST(Parse, D3NestedGroupsStartAgainFromZero) {
  std::string text = R"(graph(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  %2 : Future[Tensor] = prim::fork_1(%x)
  return (%1)
with prim::fork_0 = graph(%x : Tensor):
  %1 : Future[Tensor] = prim::fork_0(%x)
  %2 : Future[Tensor] = prim::fork_1(%x)
  %a : Tensor = aten::wait(%1)
  return (%a)
with prim::fork_0 = graph(%x : Tensor):
  %inner0 : Tensor = aten::neg(%x)
  return (%inner0)
with prim::fork_1 = graph(%x : Tensor):
  %inner1 : Tensor = aten::neg(%x)
  return (%inner1)
with prim::fork_1 = graph(%x : Tensor):
  %outer1 : Tensor = aten::neg(%x)
  return (%outer1)
)";
  expectRoundTrip(text);
  auto graph = parseGraph(text).value();
  auto nodes = graph->nodes().begin();
  Graph* first = (*nodes)->subgraph();
  ++nodes;
  EXPECT_TRUE((*nodes)->subgraph()->find("outer1"));
  auto inner = first->nodes().begin();
  EXPECT_TRUE((*inner)->subgraph()->find("inner0"));
  ++inner;
  EXPECT_TRUE((*inner)->subgraph()->find("inner1"));
}

TEST(Parse, D4NamesOfResultsAreKept) {
  std::string text = "graph(%x : Tensor):\n  %y.1 : Tensor = aten::neg(%x)\n  return (%y.1)\n";
  expectRoundTrip(text);
  EXPECT_TRUE(parseGraph(text).value()->find("y.1"));
}

TEST(Parse, D5NominalTypes) {
  for (const char* type :
       {"__torch__.a.___torch_mangle_3.C", "NamedTuple(x : Tensor, y : int)",
        "Enum<__torch__.Color>", "InterfaceType<Shape>", "Function", "PyObject", "list", "tuple",
        "NamedTuple(a : int = 3, b : str = , c : (int, str) = (1, a), d : str = x, (y) : z)"})
    expectTypeRoundTrip(type);
}

TEST(Parse, D6PartlyKnownTensors) {
  for (const char* type :
       {"DoubleTensor", "Tensor(2, 4)", "Tensor(device=cpu)", "Tensor()", "FloatTensor[Undefined]",
        "Tensor[Undefined]", "Float(2, device=meta)", "Float(2, device=cpu:0)",
        "Float(2, device=xpu:2)", "Float(2, 3, strides=[*, 1])", "Tensor(requires_grad=0)",
        "FloatTensor(requires_grad=0, device=cpu)", "Union(TensorScalar)",
        "Union(, NoneType, bool, Scalar)", "Union(int, NoneType, str)"})
    expectTypeRoundTrip(type);
}

TEST(Parse, D7UnknownDimensions) {
  expectTypeRoundTrip("Float(*, *, strides=[3, 1])");
  auto context = Context::create();
  const Type* symbolic = parseType(*context, "Float(SS(-1), 3)").value();
  EXPECT_EQ(symbolic->str(), "Float(*, 3)");
  EXPECT_FALSE(symbolic->tensor().sizes[0]);
}

TEST(Parse, D8NumbersKeepTheirKindAndValue) {
  EXPECT_EQ(valueOf("int", "0x10"), "16");
  EXPECT_EQ(valueOf("float", "1E5"), "100000.0");
  CompilationUnit unit = constant("float", "10000000000");
  EXPECT_TRUE(valueIn(unit).value.isDouble());
  EXPECT_EQ(valueIn(unit).kind, AttrKind::f);
  for (const char* value :
       {"10000000000", "1e+17", "inf", "-inf", "nan", "-nan", "-0.", "2.", "0.10000000000000001"})
    expectConstantRoundTrip("float", value);
  expectConstantRoundTrip("float[]", "[1., 10000000000, nan, -inf]");
  expectConstantRoundTrip("Dict(float, float)", "{10000000000: 1e+17}");
}

TEST(Parse, D9WhatIsReadIsVerified) {
  Result<CompilationUnit> unit = parse("graph(%c : bool, %x : Tensor):\n"
                                       "  %y : Tensor = prim::If(%c)\n"
                                       "    block0():\n      -> (%x)\n  return (%y)\n",
                                       "t.ir");
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().kind, error_kind::Verify);
  EXPECT_EQ(unit.error().place.line, 2u);
}

TEST(Parse, D10AllLiterals) {
  for (auto [type, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bool[]", "[True, False]"},
           {"int[]", "annotate(List[int], [])"},
           {"Tensor?[]", "annotate(List[Optional[Tensor]], [None])"},
           {"int?[]", "annotate(List[Optional[int]], [None, 1])"},
           {"(int, float, str)", "(1, 2., \"x\")"},
           {"(int)", "(1,)"},
           {"()", "()"},
           {"Dict(str, int)", "{\"a\": 1}"},
           {"Dict(str, int)", "annotate(Dict[str, int],{})"},
           {"Dict(str, int?)", "annotate(Dict[str, Optional[int]],{\"a\": None})"},
           {"int[][]", "[[1], [2, 3]]"},
           {"complex", "1.-2.5j"},
           {"complex", "0.-nanj"},
           {"Tensor[]", "[<Tensors>]"},
           {"(Device, int)", "(torch.device(\"cuda:1\"), 1)"},
           {"Device", "\"xpu:2\""},
       })
    expectConstantRoundTrip(type, value);
  EXPECT_EQ(valueOf("int[]", "[]"), "[]");
}

TEST(Parse, D11Strings) {
  EXPECT_EQ(valueOf("str", R"x("\0)+\/.)")x"), "'é'");
  EXPECT_EQ(valueOf("str", R"("\r\x41\u00e9")"), "'\\rAé'");
  expectConstantRoundTrip("str", R"x("\0)+\/.)\r\a\177")x");
  expectConstantRoundTrip("str", "\" # a.py:1:2\"");
}

TEST(Parse, D12Tensors) {
  expectConstantRoundTrip("Long()", "{2}");
  expectConstantRoundTrip("Float(requires_grad=0, device=cpu)", "{0.333333}");
  expectConstantRoundTrip("Float(2)", " 1  2 [ CPUFloatType{2} ]");
  expectConstantRoundTrip("Tensor", "MKLDNN Tensor:  0.1422  0.1151 [ MkldnnCPUFloatType{2} ]");
  expectConstantRoundTrip("(Long(), Float(2))", "({1},  1.5000  2.5000 [ CPUFloatType{2} ])");
  CompilationUnit unit = constant("Float(2)", " 1  2 [ CPUFloatType{2} ]");
  EXPECT_EQ(valueIn(unit).value.toTensor().at<float>({1}), 2.f);
  CompilationUnit exact = constant("Float(2)", "tensor<Float>([2], [1.5, nan(0x7fc00001)])");
  Tensor tensor = valueIn(exact).value.toTensor();
  EXPECT_EQ(tensor.data<std::uint32_t>()[1], 0x7fc00001u);
  EXPECT_EQ(valueOf("Tensor", "<Tensor>"), "verbatim <Tensor>");
  EXPECT_EQ(valueOf("Tensor", "{2}"), "verbatim {2}"); // of an unknown dtype
  EXPECT_EQ(valueOf("ComplexFloat()", "{(1,2)}"), "verbatim {(1,2)}");
}

TEST(Parse, D13NodesWithoutResultsAndOtherPlaces) {
  expectRoundTrip("graph(%x : Tensor,\n      %c : bool):\n"
                  "   = prim::Print(%x), scope: a/b\n"
                  "   = prim::If(%c)\n    block0():\n      -> ()\n    block1():\n      -> ()\n"
                  "  %3 : Tensor = ^Op[inplace=0, Subgraph=<Graph>](3, \"a)\", (1, 2))(%x, %c)\n"
                  "  %4 : Tensor = ^op[]()()\n"
                  "  %5 : __torch__.C = prim::Constant[value=object(0x7f00)]()\n"
                  "  return (%3)\n");
}

TEST(Parse, D14LocationsAreKept) {
  for (const char* place : {"a.py:1:2", "<string>:12:0", "C:\\x:1:2.py:3:11", "a # b.py:3:4:3:11",
                            "my dir/é.py:4294967295:2147483647"})
    expectRoundTrip("graph(%x : Tensor):\n  %1 : Tensor = aten::neg(%x) # " + std::string(place) +
                    "\n  return (%1)\n");
}

TEST(Parse, D15AnyNameOfAValue) {
  for (const char* name : {"onnx::Add_1", "1.5", "x.1e5", "if", "1x", "x-y", "/layer/Conv_output_0",
                           "é", "x?", "x#", "x:y", "x=y", "weird name!", "return", "x.y.1"})
    expectRoundTrip("graph(%" + std::string(name) + " : Tensor):\n  %q : Tensor = aten::neg(%" +
                    name + ")\n  return (%" + name + ", %q)\n");
  // Names that only the lossless style can tell apart from signs or numbers.
  Graph graph;
  for (const char* name : {"a, b", "a) b", "7", "x : int", "\"", "\n", "a%b"})
    graph.addOutput(graph.addInput(name, Type::intType()));
  Result<CompilationUnit> again = read(str(graph, kLossless));
  ASSERT_TRUE(again) << errorsOf(again);
  std::string why;
  EXPECT_TRUE(equal(graph, again->front(), &why)) << why;
}

TEST(Parse, D16TypingErrorsAreNotTypeVariables) {
  auto context = Context::create();
  EXPECT_EQ(placesOf(parseType(*context, "floot[]")),
            "1:1: unknown type 'floot', did you mean 'float'?\n");
  expectTypeRoundTrip("Future[t]");
}

TEST(Parse, D17FunctionConstants) {
  std::string text = "graph(%x : Tensor):\n  %1 : Function = prim::Constant[name=\"inner\"]()\n"
                     "  %2 : Function = prim::Constant[name=\"f\", fallback=1]()\n  return (%x)\n";
  expectRoundTrip(text);
}

TEST(Parse, D18SubgraphInPlaceIsOnlyNamed) {
  expectRoundTrip("graph(%x : Tensor):\n  %1 : Tensor = test::op[Subgraph=<Graph>](%x)\n"
                  "  %2 : Tensor = test::op[a=<Graph>, b=[<Graphs>]](%x)\n  return (%1)\n");
}

TEST(Parse, D19TypesOfWhatHasNoText) {
  for (const char* type : {"Generator", "Stream", "Storage", "QScheme", "Quantizer", "Capsule",
                           "Any", "AnyClassType", "AnyEnumType", "SymInt", "Scalar"})
    expectTypeRoundTrip(type);
}

TEST(Parse, GroupsInAttributes) {
  auto context = Context::create();
  std::string text = "# tine 1\ngraph():\n   = test::op[g=<Graph 0>, gs=[<Graph 1>, <Graph 2>]]()\n"
                     "  return ()\nwith Graph_0 = graph(%a : int):\n  return ()\n"
                     "with Graph_1 = graph(%b : int):\n  return ()\n"
                     "with Graph_2 = graph(%c : int):\n  return ()\n";
  CompilationUnit unit = read(text).value();
  Attributes& attributes = (*unit.front().nodes().begin())->attributes();
  EXPECT_TRUE(attributes.find(context->symbol("g")) == nullptr); // symbols of another context
  Attribute* graphs = attributes.find(unit.context()->symbol("gs"));
  ASSERT_EQ(graphs->graphs.size(), 2u);
  EXPECT_TRUE(graphs->graphs[1]->find("c"));
  EXPECT_EQ(str(unit, kLossless), text);
}

TEST(Parse, OperatorsWhoseNamesEndInANumber) {
  std::string text = "graph(%x : Tensor):\n  %1 : Tensor = my::op_2(%x)\n"
                     "  %2 : Tensor = my::body_0(%x)\n  return (%1)\n"
                     "with my::body_0 = graph(%x : Tensor):\n  return (%x)\n";
  expectRoundTrip(text);
}

// Errors, limits, size.

/// A part of a file of errors: the text, and the errors that its comments expect.
struct Snippet {
  std::vector<std::string> lines;
  std::string expected;
};

/// Parts are separated by `# -----`. A comment `# error: message` stands under the line with the
/// error, its `#` under the column; `# note: message` follows. After the end of the text: `# end:
/// message`.
std::vector<Snippet> snippetsOf(const std::string& file) {
  std::vector<Snippet> out(1);
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::StringRef(file).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line == "# -----") {
      out.emplace_back();
      continue;
    }
    Snippet& snippet = out.back();
    llvm::StringRef comment = line.ltrim(' ');
    std::string at = std::to_string(snippet.lines.size()) + ":" +
                     std::to_string(line.size() - comment.size() + 1) + ": ";
    if (comment.consume_front("# error: "))
      snippet.expected += at + comment.str() + "\n";
    else if (comment.consume_front("# end: "))
      snippet.expected += "end: " + comment.str() + "\n";
    else if (comment.consume_front("# note: "))
      snippet.expected += "note: " + comment.str() + "\n";
    else
      snippet.lines.push_back(line.str());
  }
  return out;
}

std::string textOf(const Snippet& snippet) {
  std::string text;
  for (const std::string& line : snippet.lines) text += line + "\n";
  while (llvm::StringRef(text).ends_with("\n\n")) text.pop_back();
  return text;
}

TEST(Parse, ErrorsInFiles) {
  std::size_t snippets = 0;
  for (const auto& path : filesUnder(testFiles() / "errors", ".ir")) {
    std::string updated;
    for (const Snippet& snippet : snippetsOf(readFile(path))) {
      ++snippets;
      std::string text = textOf(snippet);
      Result<CompilationUnit> unit = parse(text, "t.ir");
      auto lineCount = static_cast<std::uint32_t>(llvm::StringRef(text).count('\n'));
      std::string actual;
      std::map<std::uint32_t, std::string> comments;
      ASSERT_FALSE(unit) << "no error in\n" << text;
      for (const Error& error : unit.errors()) {
        bool end = error.place.line > lineCount;
        std::string notes, noteComments;
        std::string indent(error.place.column - 1, ' ');
        for (const Error::Note& note : error.notes)
          notes += "note: " + note.message + "\n",
              noteComments += indent + "# note: " + note.message + "\n";
        actual += (end ? "end: "
                       : std::to_string(error.place.line) + ":" +
                             std::to_string(error.place.column) + ": ") +
                  error.message + "\n" + notes;
        comments[std::min(error.place.line, lineCount)] +=
            (end ? "# end: " : indent + "# error: ") + error.message + "\n" + noteComments;
      }
      EXPECT_EQ(actual, snippet.expected) << path.filename().string() << "\n" << errorsOf(unit);
      if (!updated.empty()) updated += "# -----\n";
      for (std::uint32_t line = 1; line <= lineCount; ++line)
        updated += snippet.lines[line - 1] + "\n" + comments[line];
    }
    // For who changed a message and looked at what it is now.
    if (std::getenv("TINE_UPDATE_TESTS")) std::ofstream(path) << updated;
  }
  EXPECT_GE(snippets, 60u);
}

TEST(Parse, ErrorsShowTheLine) {
  Result<CompilationUnit> unit = parse("graph(%x : Tensor):\n  %y : Tensor = aten::neg(%z)\n"
                                       "  return (%y)\n",
                                       "dump.ir");
  EXPECT_EQ(errorsOf(unit), "dump.ir:2:27: error: undefined value %z\n"
                            "  %y : Tensor = aten::neg(%z)\n"
                            "                          ^~\n");
}

TEST(Parse, ErrorsOfTheVerifierAreInTheText) {
  Result<CompilationUnit> unit = parse("graph(%n : int):\n"
                                       "  %x : int = prim::If(%n) # model.py:7:4\n"
                                       "    block0():\n"
                                       "      -> (%n)\n"
                                       "    block1():\n"
                                       "      -> (%n)\n"
                                       "  return (%x)\n");
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.errors()[0].str(),
            "<text>:2:3: error: prim::If has operand 0, %n of type int, where bool is wanted\n"
            "  %x : int = prim::If(%n) # model.py:7:4\n"
            "  ^\n"
            "note: in %x : int = prim::If(%n) of `graph`\n"
            "model.py:7:5: note: made from this\n");
}

TEST(Parse, FewErrorsAreEnough) {
  std::string text = "graph():\n";
  for (int i = 0; i < 10000; ++i) text += "  broken\n";
  Result<CompilationUnit> unit = parse(text);
  ASSERT_FALSE(unit);
  EXPECT_LE(unit.errors().size(), 51u);
}

TEST(Parse, NestingHasALimit) { // S6
  runOnStack(kSmallStack, [] {
    auto context = Context::create();
    for (const char* part :
         {"(", "Future[", "Dict(str, ", "Union(int, ", "NamedTuple(a : ", "List["}) {
      std::string type;
      for (int i = 0; i < 100000; ++i) type += part;
      Result<const Type*> deep = parseType(*context, type);
      ASSERT_FALSE(deep);
      EXPECT_NE(deep.error().message.find("nested deeper"), std::string::npos);
    }
    std::string lists = "int";
    for (int i = 0; i < 100000; ++i) lists += "[]";
    EXPECT_FALSE(parseType(*context, lists));
    // A type of the greatest depth can be printed, compared and copied.
    std::string most = "int";
    for (int i = 0; i < 190; ++i) most = "(" + most + ")";
    Result<const Type*> type = parseType(*context, most);
    ASSERT_TRUE(type) << errorsOf(type);
    EXPECT_EQ((*type)->str(), most);
    auto other = Context::create();
    EXPECT_TRUE(equal(copyType(*other, *type), *type));

    for (const char* part : {"[", "(", "{1: ", "annotate(List[int], ", "(1, "}) {
      std::string value;
      for (int i = 0; i < 100000; ++i) value += part;
      Result<CompilationUnit> unit =
          read("graph():\n  %0 : int = prim::Constant[value=" + value + "]()\n  return (%0)\n");
      ASSERT_FALSE(unit);
      EXPECT_NE(unit.error().message.find("nested deeper"), std::string::npos);
    }
    ParseOptions shallow;
    shallow.maxDepth = 3;
    std::string blocks = "graph(%c : bool):\n";
    for (int i = 0; i < 5; ++i) blocks += "   = prim::If(%c)\n    block0():\n";
    Result<CompilationUnit> unit = parse(blocks, "t.ir", shallow);
    EXPECT_EQ(unit.error().message, "blocks nested deeper than 3");
  });
}

TEST(Parse, LargeNumbersDoNotAllocate) { // S6
  auto graph = parseGraph("graph(%16000000 : int):\n  return (%16000000)\n").value();
  EXPECT_EQ(graph->numValues(), 16000001u);
  EXPECT_FALSE(parseGraph("graph(%17000000 : int):\n  return (%17000000)\n"));
  EXPECT_FALSE(parseGraph("graph():\n  %0 : Tensor = prim::Constant[value=tensor<Float>("
                          "[1099511627776], [])]()\n  return (%0)\n"));
}

TEST(Parse, LongChainOnASmallStack) { // M5
  runOnStack(kSmallStack, [] {
    std::string text = "graph(%x : Tensor):\n", value = "x";
    for (int i = 0; i < 100000; ++i) {
      std::string next = std::to_string(i);
      text += "  %" + next + " : Tensor = aten::neg(%" + value + ")\n";
      value = next;
    }
    text += "  return (%" + value + ")\n";
    Result<CompilationUnit> unit = read(text, true);
    ASSERT_TRUE(unit) << errorsOf(unit);
    EXPECT_EQ(str(*unit), text);
  });
}

TEST(Parse, ManyUsesAndManyGroups) {
  std::string uses = "graph(%x : Tensor):\n  %1 : Tensor[] = prim::ListConstruct(%x";
  for (int i = 1; i < 1000000; ++i) uses += ", %x";
  uses += ")\n  return (%1)\n";
  Result<CompilationUnit> unit = read(uses);
  ASSERT_TRUE(unit) << errorsOf(unit);
  EXPECT_EQ(str(*unit), uses);

  constexpr int count = 100000;
  std::string groups = "graph(%x : Tensor):\n";
  for (int i = 0; i < count; ++i)
    groups += "  %" + std::to_string(i) + " : Future[Tensor] = prim::fork_" + std::to_string(i) +
              "(%x)\n";
  groups += "  return (%0)\n";
  for (int i = 0; i < count; ++i)
    groups += "with prim::fork_" + std::to_string(i) + " = graph(%x : Tensor):\n  return (%x)\n";
  Result<CompilationUnit> forks = read(groups);
  ASSERT_TRUE(forks) << errorsOf(forks);
  EXPECT_EQ(str(*forks), groups);
}

TEST(Parse, LongLines) {
  constexpr int count = 100000;
  std::string outputs = "graph(%x : Tensor):\n  ", objects, undefined;
  for (int i = 0; i < count; ++i) {
    std::string comma = i ? ", " : "";
    outputs += comma + "%" + std::to_string(i) + " : Float(" + std::to_string(i) + ", 3)";
    objects += comma + "object(0x" + std::to_string(i) + ")";
    undefined += comma + "%u" + std::to_string(i);
  }
  outputs += " = test::op[a=[" + objects + "]](%x)\n  return (%x)\n";
  Result<CompilationUnit> unit = read(outputs);
  ASSERT_TRUE(unit) << errorsOf(unit);
  EXPECT_EQ(str(*unit), outputs);
  unit = read("graph(%x : Tensor):\n  %1 : Tensor = test::op(" + undefined + ")\n  return (%x)\n");
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.errors().size(), Lexer::kMaxErrors);
  EXPECT_EQ(unit.error().message, "undefined value %u0");
}

TEST(Parse, AttributesHaveALimit) { // S6: each is searched for among those before
  std::string text = "graph():\n  my::op[";
  for (int i = 0; i < 200000; ++i)
    text += (i ? ", a" : "a") + std::to_string(i) + "=" + std::to_string(i);
  text += "]()\n  return ()\n";
  EXPECT_EQ(errorsOf(read(text)),
            "t.ir:2:9790: error: more than 1000 attributes\n"
            "...a992=992, a993=993, a994=994, a995=995, a996=996, a997=997, a998=998, a999=999, "
            "a1000=1000, a1001=1001, a1002=1002, a1003=1003, a1004=1004, a1005=1005, a1006=1006, "
            "a1007=1007, a1008=1008, a1009=1009, ...\n" +
                std::string(83, ' ') + "^~~~~\n");
  EXPECT_EQ(errorsOf(read("graph():\n  my::op[a=1, b=2, a=3]()\n  return ()\n")),
            "t.ir:2:20: error: a second attribute named 'a'\n"
            "  my::op[a=1, b=2, a=3]()\n"
            "                   ^\n");
}

TEST(Parse, AByteOrderMarkIsNoPartOfTheText) {
  Result<CompilationUnit> unit = read("\xEF\xBB\xBFgraph(%x : int):\n  return (%x)\n");
  ASSERT_TRUE(unit) << errorsOf(unit);
  EXPECT_EQ(unit->functions().front().name, "graph");
  Result<CompilationUnit> later = read("\xEF\xBB\xBF# tine 99\ngraph():\n  return ()\n");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.errors()[0].message, "text of version 99; this Tine reads up to version 1");
}

TEST(Parse, AnyBytes) {
  for (const char* text : {"",
                           "\n",
                           "#",
                           "(",
                           "graph",
                           "graph(",
                           "graph()",
                           "graph():",
                           "with ",
                           "%",
                           "\xff\xfe",
                           "graph():\n  %",
                           "graph():\n  %x : ",
                           "graph():\n   = ",
                           "graph():\n  %x : int = prim::Constant[",
                           "graph():\n  return",
                           "\\",
                           "graph():\n  %x : int = prim::Constant[value=",
                           "# tine ",
                           "\"",
                           "\"a\"(",
                           "graph():\n   = ^",
                           "graph():\n  ->",
                           "graph(%\"",
                           "with a = b("}) {
    Result<CompilationUnit> unit = parse(text, "t.ir");
    ASSERT_FALSE(unit) << text;
    EXPECT_EQ(unit.error().place.file, "t.ir") << text;
  }
  std::string zeros(1000, '\0');
  EXPECT_FALSE(parse(zeros));
  EXPECT_FALSE(parse("graph():\n" + zeros));
}

} // namespace
