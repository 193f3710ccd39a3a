import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `NhwcConv` → `conv` between transpositions: data `[N, *D, C]`, weight `[M, *K, C / group]`.
package enum ONNXNhwcConv: ONNXMicrosoftOperator {
  package static let types = ["NhwcConv"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = (try context.required(0), try context.required(1))
    let rank = context.fact(given.0).rank
    guard rank >= 3, context.fact(given.1).rank == rank else {
      let types = (context.fact(given.0).type, context.fact(given.1).type)
      throw Diagnostic("conv.rank", "the data is \(types.0), but the weight is \(types.1)")
    }
    let toFront = Transpose([0, rank - 1] + Array(1..<rank - 1))
    let (x, weight) = (try context.emit(toFront, given.0), try context.emit(toFront, given.1))
    let op = try ONNXConv.op(node, data: context.fact(x), weight: context.fact(weight))
    let y = try context.emit(op, x, weight, context.input(2))
    return [try context.emit(Transpose([0] + Array(2..<rank) + [1]), y)]
  }
}
