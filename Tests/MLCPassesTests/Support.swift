import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// The function whose head is `inputs -> outputs` and whose body is `body`, as in the text form.
func function(_ inputs: String, _ outputs: String, _ body: String, blobs: [Tensor] = []) throws(Diagnostic) -> Function
{
  let names = outputs.split(separator: " ").map { "\"\($0)\" = %\($0)" }.joined(separator: ", ")
  let text = "program {\nfunc @main(\(inputs)) -> (\(names)) {\n\(body)\n}\n}"
  let function = try ProgramText(text: text, blobs: blobs).program(named: OperatorSet.named).main
  try function.verify()
  return function
}

/// The operators of `function` in order, constants left out, nested ones in braces.
func operators(_ function: Function) -> String { operators(function.body) }
private func operators(_ block: Block) -> String {
  block.operations.filter { !($0.op is Const) }
    .map { $0.blocks.isEmpty ? $0.name : "\($0.name){\($0.blocks.map(operators).joined(separator: " | "))}" }
    .joined(separator: " ")
}

/// Inputs of mild size for `function`, symbols standing for `sizes`, the same for the same seed.
func inputs(_ function: Function, sizes: [String: Int] = [:], seed: UInt64 = 1) -> [Tensor] {
  var state = seed
  func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 33) / Double(1 << 31) * 4 - 2
  }
  return function.inputs.map { id in
    let type = function.type(id)
    let shape = type.shape.map { $0.evaluate(sizes)! }
    return Tensor(type.dtype, shape, (0..<shape.reduce(1, *)).map { _ in next() })
  }
}
