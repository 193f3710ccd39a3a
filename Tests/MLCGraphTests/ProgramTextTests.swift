import MLCCore
import MLCGraph
import MLCOps
import Testing

private func parse(_ text: String, blobs: [Tensor] = []) throws(Diagnostic) -> Program {
  try ProgramText(text: text, blobs: blobs).program(named: OperatorSet.named)
}

private let sample = """
  program {
    metadata "author" = "A \\"B\\"\\n"
    func @main(%x: fp32[batch, 3], %"odd name": bool[]) -> ("y" = %y, "z" = %z) file "m.onnx" \
  bounds("batch" in 1...8) sizes("batch", "other") in ((1, 2), (8, 4)) {
      %w = const {val = fp32[2, 3](1.0, -0.0, 3.5, inf, 1e-45, nan)} : fp32[2, 3]
      %y = linear(x = %x, weight = %w) : fp32[batch, 2] loc(node "Gemm:0" op "Gemm")
      %a, %b = split(x = %y) {axis = -1, num_splits = 2} : fp32[batch, 1], fp32[batch, 1] loc(file "n.onnx" node "s")
      %z = cond(pred = %"odd name") {
        true_branch() {
          %c = concat(values = (%b, %a)) {axis = 1} : fp32[batch, 2]
        } yield (%c)
        false_branch() {
          %d = clip(x = %y) {alpha = -1.5, beta = inf} : fp32[batch, 2]
        } yield (%y)
      } : fp32[batch, 2]
    }
  }

  """

@Test func textComesBack() throws {
  // An infinite upper bound is the default, so it is not printed.
  let printed = ProgramText(try parse(sample))
  #expect(printed.text == sample.replacing(", beta = inf", with: ""))
  #expect(printed.blobs.isEmpty)
  #expect(ProgramText(try parse(printed.text)).text == printed.text)
}

/// An operation is from its function's file unless it says another.
@Test func filesAreLeftOutAndPutBack() throws {
  let program = try parse(sample)
  #expect(program.main.body.operations.map { $0.origin.file } == ["m.onnx", "m.onnx", "n.onnx", "m.onnx"])
  let bare = program.withoutFiles
  #expect(bare.main.file == nil && !ProgramText(bare).text.contains(".onnx"))
  let inner = bare.from(file: "a").main.body.operations[3].blocks[0].operations[0]
  #expect(inner.origin.file == "a" && bare.from(file: "a").main.file == "a")
  #expect(ProgramText(program.from(file: "a")).text == ProgramText(program).text)
}

@Test func parsedProgramsRun() throws {
  let program = try parse(sample.replacing("inf, 1e-45, nan", with: "0, 0, 1"))
  try program.main.verify()
  let inputs = [Tensor([1, 3], floats: [1, 2, 3]), Tensor(.bool, [], [1])]
  let outputs = try Interpreter(program.main).run(inputs)
  #expect(outputs.map(\.floats) == [[11.5, 3], [3, 11.5]])
}

@Test func tensorsOfEveryTypeComeBack() throws {
  for dtype in DType.allCases where dtype != .string {
    let numbers = dtype.isFloat ? [0, -0.0, 0.1, 1.5, -2] : [0, 1, 1, 0, 1]
    try expectRoundTrip(Tensor(dtype, [5], numbers))
  }
  try expectRoundTrip(Tensor([2], strings: ["a\"\\", "\u{1F600}\n"]))
  try expectRoundTrip(Tensor(.uint64, [1], [-1]))
  try expectRoundTrip(Tensor(.int64, [2], [Int.min, Int.max]))
  for (dtype, bits) in [(DType.float16, 0x7e01), (.bfloat16, 0xffc1), (.float32, 0x7fa0_0001)] {
    try expectRoundTrip(Tensor(dtype == .float32 ? .int32 : .int16, [1], [bits]).reinterpreted(as: dtype))
  }
  try expectRoundTrip(Tensor(.float32, [0, 3], [Double]()))
}

private func expectRoundTrip(_ tensor: Tensor) throws {
  var builder = Builder()
  let value = builder.constant(tensor)
  let text = ProgramText(Program([builder.finish([("y", value)])])).text
  let back = try parse(text)
  #expect(back.main.fact(back.main.outputs[0]).value == tensor, "\(text)")
}

@Test func largeTensorsAreReferences() throws {
  let tensor = Tensor(.float32, [100], (0..<100).map(Double.init))
  var builder = Builder()
  let value = builder.constant(tensor)
  let text = ProgramText(Program([builder.finish([("y", value)])]))
  #expect(text.text.contains("fp32[100]@blob(0)"))
  #expect(text.blobs == [tensor])
  let back = try text.program(named: OperatorSet.named)
  #expect(back.main.fact(back.main.outputs[0]).value == tensor)
  #expect(throws: Diagnostic.self) { try parse(text.text) }
}

@Test(arguments: [
  ("", "text.syntax", "line 1"),
  ("program {\n}", "text.syntax", "line 2"),
  ("program {\nfunc @main() -> () {\n%y = nonsense()\n}\n}", "text.operator", "line 3"),
  ("program {\nfunc @main() -> (\"y\" = %y) {\n}\n}", "text.undefined", "line 3"),
  ("program {\nfunc @main(%x: fp32[2]) -> () {\n%y = abs(x = %x) : fp32[3]\n}\n}", "text.type", "line 3"),
  ("program {\nfunc @main(%x: fp32[2]) -> () {\n%y = abs(z = %x)\n}\n}", "text.argument", "line 3"),
  ("program {\nfunc @main(%x: fp32[2]) -> () {\n%x = abs(x = %x)\n}\n}", "text.redefinition", "line 3"),
  ("program {\nfunc @main() -> () {\n%c = const {val = fp32[2](1)}\n}\n}", "text.tensor", "line 3"),
  ("program {\nfunc @main() -> () {\n%c = const {val = fp32[2]@blob(9)}\n}\n}", "text.blob", "line 3"),
  ("program {\nfunc @main(%x: fp32[2 +]) -> () {\n}\n}", "dim.syntax", "line 2"),
  ("program {\nfunc @main(%x: fp32[2]) -> () {\n%y = clip(x = %x) {alpha = \"a\"}\n}\n}", "text.attribute", "line 3"),
  ("program {\nfunc @main(%x: fp32[2]) -> () {\n%y = abs()\n}\n}", "graph.missing-input", "line 3"),
  ("program {\nfunc @main() -> () sizes(\"a\") in ((1, 2)) {\n}\n}", "text.syntax", "line 2"),
  ("program {\nfunc @main() -> () sizes(\"a\") in () {\n}\n}", "text.syntax", "line 2"),
  ("program {\nfunc @main() -> () sizes(\"a\") in ((1)) sizes(\"a\") in ((2)) {\n}\n}", "text.syntax", "line 2"),
])
func malformedTextIsRefused(text: String, id: String, line: String) {
  let error = #expect(throws: Diagnostic.self) { try parse(text) }
  #expect(error?.id.rawValue == id)
  #expect(error?.message.hasPrefix(line) ?? false, "\(error?.message ?? "")")
}

@Test func deepNestingIsRefused() {
  var text = "program {\nfunc @main(%p: bool[]) -> () {\n"
  text += String(repeating: "cond(pred = %p) { true_branch() {\n", count: 200)
  let error = #expect(throws: Diagnostic.self) { try parse(text) }
  #expect(error?.id == "text.depth")
}

/// Every mutation parses or is refused; none traps.
@Test func mutatedTextNeverTraps() {
  var random = SystemRandomNumberGenerator()
  let source = Array(sample.utf8)
  let marks = Array("{}()[]=,:%@\"-.0919eE`*/\\\n afp32const".utf8)
  var accepted = 0
  for _ in 0..<4000 {
    var bytes = source
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = marks.randomElement(using: &random)!
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(marks.randomElement(using: &random)!, at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
      }
    }
    if (try? parse(String(decoding: bytes, as: UTF8.self))) != nil { accepted += 1 }
  }
  #expect(accepted < 4000)
}
