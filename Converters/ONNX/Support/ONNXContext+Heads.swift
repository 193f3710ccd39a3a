import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// `x: [batch, length, heads·width]` as `[batch, heads, length, width]`. Throws `onnx.attention` where `count` heads
  /// do not divide its last extent, which must be known.
  mutating func splitHeads(_ x: ValueID, _ count: Int?) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    guard shape.count == 3, let count, count > 0, let width = shape[2].constant, width.isMultiple(of: count) else {
      throw Diagnostic("onnx.attention", "\(fact(x).type) does not divide into \(count ?? 0) heads")
    }
    let split = try reshape(x, [shape[0], shape[1], Dim(count), Dim(width / count)])
    return try emit(Transpose([0, 2, 1, 3]), split)
  }

  /// `x: [batch, heads, length, width]` as `[batch, length, heads·width]`.
  mutating func joinHeads(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let turned = try emit(Transpose([0, 2, 1, 3]), x)
    let shape = fact(turned).shape
    return try reshape(turned, [shape[0], shape[1], shape[2] * shape[3]])
  }
}
