import MLCCore
import MLCGraph
import MLCOps

/// Floats quantised to int8 are quantised to uint8, 128 more, and 128 is taken off as they are read.
///
/// Kernels multiply unsigned bytes by signed weights. Results are equal, but that NaN, of which ONNX says nothing,
/// becomes −128.
package struct CountSignedBytes: Rewrite {
  package static let phase = Phase.canonicalize
  package static let tolerance = 1e-9
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let cast = operation.op as? Cast, cast.dtype == .int8, let result = operation.outputs.first,
      !graph.function.body.outputs.contains(result), let input = operation.inputs[0].first,
      graph.type(input).dtype == .float32, let (clip, bounds) = graph.producer(input, as: Clip.self),
      bounds.alpha == bounds.alpha.rounded(), bounds.beta == bounds.beta.rounded(), bounds.alpha >= -128,
      bounds.beta <= 127, bounds.alpha <= bounds.beta, let sum = clip.inputs[0].first
    else { return nil }
    var (whole, shift) = (sum, 128.0)
    if let (x, number) = graph.sum(sum), number == number.rounded(), abs(number) <= 128 {
      (whole, shift) = (x, number + 128)
    }
    guard graph.producer(whole, as: Round.self) != nil else { return nil }
    let counted = shift == 0 ? whole : try graph.emit(Add(), whole, graph.emitScalar(shift, like: whole))
    let clipped = try graph.emit(Clip(alpha: bounds.alpha + 128, beta: bounds.beta + 128), counted)
    let bytes = try graph.emit(Cast(.int32), try graph.emit(Cast(.uint8), clipped))
    let offset = graph.emitConstant(.scalar(.int32, 128), name: "offset")
    return graph.patch(try graph.emit(Cast(.int8), try graph.emit(Sub(), bytes, offset)))
  }
}
