import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Clip` → `clip` for constant float bounds, else `maximum` then `minimum`. Until version 11 the bounds are
/// attributes.
package enum ONNXClip: ONNXOperator {
  package static let types = ["Clip"]
  package static var operation: String? { "clip" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    if context.opset < 11 {
      let low = try node.float("min").map(Double.init) ?? -.infinity
      let high = try node.float("max").map(Double.init) ?? .infinity
      return [try context.emit(Clip(alpha: low, beta: high), x)]
    }
    let bounds = [context.input(1), context.input(2)]
    let constants = bounds.map { $0.map { context.fact($0).value } }
    if context.fact(x).dtype.isFloat, !constants.contains(where: { $0 != nil && ($0! == nil || $0!!.count != 1) }) {
      let low = constants[0].flatMap { $0?.doubles[0] } ?? -.infinity
      let high = constants[1].flatMap { $0?.doubles[0] } ?? .infinity
      return [try context.emit(Clip(alpha: low, beta: high), x)]
    }
    var result = x
    if let low = bounds[0] { result = try context.emit(Maximum(), result, low) }
    if let high = bounds[1] { result = try context.emit(Minimum(), result, high) }
    return [bounds[0] == nil && bounds[1] == nil ? try context.emit(Identity(), x) : result]
  }
}
