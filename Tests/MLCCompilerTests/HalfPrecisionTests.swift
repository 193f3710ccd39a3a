import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

private func function(_ body: String) throws -> Function {
  let text = "program {\nfunc @main(%x: fp32[8, 64]) -> (\"y\" = %y) {\n\(body)\n}\n}"
  let function = try ProgramText(text: text, blobs: []).program(named: OperatorSet.named).main
  try function.verify()
  return function
}

/// Tensors around 2000 are rounded to whole numbers in float16: of what is left after 2000 is taken off, little is
/// right.
private let cancelling = """
  %c = const {val = fp32[](2000.0)}
  %a = sin(x = %x)
  %b = tanh(x = %a)
  %d = add(x = %b, y = %c) loc(node "/shift" op "Add")
  %e = abs(x = %d) loc(node "/abs" op "Abs")
  %f = sub(x = %e, y = %c) loc(node "/back" op "Sub")
  %g = cos(x = %f)
  %h = exp(x = %g)
  %y = neg(x = %h)
  """

@Test func whatCostsMostStaysFloat32() throws {
  var half = try function(cancelling)
  var precision = HalfPrecision()
  precision.passes = PassPipeline([])
  let report = try precision.apply(to: &half)
  let costly = report.kept.filter { $0.reason.kind == "precision" }
  #expect(Set(costly.compactMap { $0.node }).isSuperset(of: ["/shift", "/abs"]))
  #expect(costly.count <= 3, "\(costly)")
  #expect(report.kept.last?.reason == .output)
  #expect(report.decibels >= 40)
  let sines = half.body.operations.filter { $0.name == "sin" }.map { half.type($0.outputs[0]).dtype }
  #expect(sines == [.float16])
  #expect(Program([half]).narrowestFloat == .float16)
}

@Test func nothingIsKeptWhereFloat16IsEnough() throws {
  let body = "%a = sin(x = %x)\n%b = tanh(x = %a)\n%y = neg(x = %b)"
  var half = try function(body)
  let report = try HalfPrecision().apply(to: &half)
  #expect(report.kept.map { $0.reason } == [.output])
  #expect(report.decibels > 60 && report.decibels.isFinite)
  #expect(Program([try function(body)]).narrowestFloat == .float32)
}

/// Both kinds of operations that float16 never reaches are named.
@Test func blocksAndConversionsAreNamed() throws {
  let text = """
    program {
    func @main(%x: fp32[2], %i: int32[2], %p: bool[]) -> ("y" = %y) {
      %k = cast(x = %i) {dtype = fp32} loc(node "/cast" op "Cast")
      %a = add(x = %x, y = %k)
      %c = cond(pred = %p) {
        true_branch() {
          %f = sin(x = %a)
        } yield (%f)
        false_branch() {
        } yield (%x)
      } loc(node "/if" op "If")
      %b = exp(x = %c)
      %y = abs(x = %b)
    }
    }
    """
  var half = try ProgramText(text: text, blobs: []).program(named: OperatorSet.named).main
  let report = try HalfPrecision().apply(to: &half)
  let reasons = Dictionary(uniqueKeysWithValues: report.kept.map { ($0.node ?? $0.value, $0.reason) })
  #expect(reasons["/cast"] == .conversion)
  #expect(reasons["/if"] == .blocks)
}

/// Squares of given inputs leave the range; those of seeded ones do not.
@Test func givenInputsDecide() throws {
  let body = "%a = mul(x = %x, y = %x) loc(node \"/square\" op \"Mul\")\n%b = tanh(x = %a)\n%y = neg(x = %b)"
  var seeded = try function(body)
  var given = seeded
  var precision = HalfPrecision()
  #expect(try precision.apply(to: &seeded).kept.map { $0.reason } == [.output])
  precision.samples = .given([[Tensor(.float32, [8, 64], (0..<512).map { Double($0) })]])
  let kept = try precision.apply(to: &given).kept
  #expect(kept.first { $0.node == "/square" }?.reason == .range(511 * 511))
}

/// Noise is never as small as the constant; silence is.
@Test func whatKeepsValuesFromZeroStaysFloat32() throws {
  let body = """
    %w = tanh(x = %x) loc(node "/before" op "Tanh")
    %s = mul(x = %w, y = %w) loc(node "/square" op "Mul")
    %e = const {val = fp32[](1e-10)}
    %a = add(x = %s, y = %e) loc(node "/add" op "Add")
    %l = log(x = %a) loc(node "/log" op "Log")
    %c = cos(x = %l) loc(node "/after" op "Cos")
    %y = neg(x = %c)
    """
  let full = try function(body)
  var half = full
  let guards = try HalfPrecision().apply(to: &half).kept.filter { $0.reason.kind == "guard" }
  #expect(guards.compactMap { $0.node } == ["/square", "/add", "/log"])
  let silence = [Tensor(.float32, [8, 64], [Double](repeating: 0, count: 512))]
  let comparison = try Comparison(
    expected: Interpreter(full).run(silence)[0],
    actual: Interpreter(half).run(silence)[0],
    tolerance: .exact
  )
  #expect(comparison.signalToNoise > 40)
}

/// Few elements, so that what float16 costs differs much from one set of inputs to the next: none that took no part in
/// the choice lies below what is asked for.
@Test(arguments: [2, 4, 8, 16, 32, 64]) func otherInputsKeepTheirSignalToo(_ constant: Int) throws {
  for count in [8, 24, 64] {
    let text = """
      program {
      func @main(%x: fp32[\(count)]) -> ("y" = %y) {
        %c = const {val = fp32[](\(constant))}
        %s = sin(x = %x)
        %a = add(x = %s, y = %c)
        %b = sub(x = %a, y = %c)
        %y = neg(x = %b)
      }
      }
      """
    let full = try ProgramText(text: text, blobs: []).program(named: OperatorSet.named).main
    var (half, precision) = (full, HalfPrecision())
    precision.passes = PassPipeline([])
    let report = try precision.apply(to: &half)
    #expect(report.samples >= 4 && report.decibels >= precision.floor)
    for seed in UInt64(100)..<130 {
      let inputs = try InputGenerator(full, sizes: [:], seed: seed).inputs()
      let (wanted, found) = (try Interpreter(full).run(inputs)[0], try Interpreter(half).run(inputs)[0])
      let comparison = try Comparison(expected: wanted, actual: found, tolerance: .exact)
      #expect(comparison.signalToNoise >= precision.floor, "\(constant), \(count) elements, seed \(seed)")
    }
  }
}
