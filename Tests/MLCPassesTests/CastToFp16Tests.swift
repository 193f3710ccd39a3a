import MLCCore
import MLCGraph
import MLCPasses
import Testing

private let network = """
  %w = const {val = fp32[2, 3](0.5, -0.25, 1.0, 2.0, 0.125, -1.5)}
  %k = const {val = fp32[](1000.0)}
  %e = const {val = fp32[](1e-12)}
  %i = const {val = int64[2](-1, 2)}
  %a = linear(x = %x, weight = %w) loc(node "/fc" op "Gemm")
  %b = mul(x = %a, y = %k) loc(node "/scale" op "Mul")
  %c = mul(x = %b, y = %b) loc(node "/mlp/pow" op "Mul")
  %d = sqrt(x = %c) loc(node "/sqrt" op "Sqrt")
  %f = tanh(x = %a) loc(node "/tanh" op "Tanh")
  %g = add(x = %f, y = %e)
  %h = reshape(x = %g, shape = %i)
  %j = add(x = %h, y = %d)
  """

@Test func hazardsNameTheNodes() throws {
  let before = try function("%x: fp32[4, 3]", "j", network)
  let hazards = try before.halfHazards(samples: [inputs(before)])
  #expect(hazards.map { $0.node ?? $0.value } == ["/mlp/pow", "/sqrt", "/tanh", "g", "h"])
  #expect("\(hazards[0])".hasPrefix("/mlp/pow: max "))
  #expect("\(hazards[0])".hasSuffix("> 65504"))
}

@Test func halvesStayCloseOnceHazardsAreKept() throws {
  let before = try function("%x: fp32[4, 3]", "j", network)
  let arguments = inputs(before)
  let kept = Set(try before.halfHazards(samples: [arguments]).map(\.value))
  var options = PassOptions()
  options.verifies = true
  var half = before
  try PassPipeline([CastToFp16(keeping: kept)]).run(&half, options: options)
  #expect(half.inputs.map { half.type($0).dtype } == [.float32])
  #expect(half.outputs.map { half.type($0).dtype } == [.float32])
  let types = half.body.operations.filter { $0.name == "linear" }.flatMap { $0.inputs.joined() }.map {
    half.type($0).dtype
  }
  #expect(types == [.float16, .float16])
  let old = try Interpreter(before).run(arguments)[0].doubles
  let new = try Interpreter(half).run(arguments)[0].doubles
  let scale = old.map(abs).max()!
  #expect(zip(old, new).allSatisfy { abs($0 - $1) <= CastToFp16.tolerance * scale })
  #expect(old != new)
}

/// Without the list the square overflows: the list is what keeps it right.
@Test func overflowIsRealWithoutTheList() throws {
  let before = try function("%x: fp32[4, 3]", "j", network)
  var half = before
  try PassPipeline([CastToFp16()]).run(&half)
  #expect(try Interpreter(half).run(inputs(before))[0].doubles.contains { !$0.isFinite })
}
