import MLCCore
import MLCGraph
import MLCOps

extension GraphCase {
  /// What kinds of things it has, for counts: operators, element types, ranks, and what contractions stand in.
  package var kinds: Set<String> {
    var kinds: Set<String> = []
    for operation in function.body.operations where !(operation.op is Const) {
      kinds.insert(kind(operation))
      for output in operation.outputs { kinds.insert("rank \(function.type(output).rank)") }
      for output in operation.outputs { kinds.insert("\(function.type(output).dtype)") }
      if !operation.blocks.isEmpty { kinds.insert("blocks") }
      guard let port = GraphCase.weights[operation.name], let weight = operation.argument(port) else { continue }
      if function.fact(weight).value == nil { kinds.insert("run-time weights") }
    }
    if function.inputs.contains(where: { function.type($0).staticShape == nil }) { kinds.insert("open sizes") }
    if runs.joined().contains(where: { $0.count == 0 }) { kinds.insert("empty tensors") }
    return kinds
  }

  /// The operator's name, with the number of spatial axes and whether it has groups where it is a convolution.
  private func kind(_ operation: Operation) -> String {
    guard let x = operation.argument("x"), operation.name.hasPrefix("conv") else { return operation.name }
    let groups = (operation.op as? Conv)?.groups ?? (operation.op as? ConvTranspose)?.groups ?? 1
    return "\(operation.name) \(function.type(x).rank - 2)-D\(groups > 1 ? " in groups" : "")"
  }

  /// The arguments of contractions that may be weights.
  private static let weights = [
    "matmul": "y", "linear": "weight", "conv": "weight", "conv_transpose": "weight", "lstm": "weight_ih",
    "gru": "weight_ih",
  ]
}
