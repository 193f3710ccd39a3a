import MLCCore
import MLCGraph
import MLCOps

/// Pairs of elements of each head turned by the angle of their place: `a·cos − b·sin` and `a·sin + b·cos`.
struct ONNXRotation {
  /// How many of the first elements are turned, in pairs; the others stay.
  var size: Int
  /// Pairs are neighbours, else a half of `size` apart.
  var isInterleaved: Bool

  /// `x` of rank 4, by cosines and sines that broadcast to it with `size / 2` elements on the last axis. Throws
  /// `onnx.rotary-embedding`.
  func turned(_ x: ValueID, _ cos: ValueID, _ sin: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    guard context.fact(x).rank == 4, let width = context.fact(x).shape[3].constant else {
      throw Diagnostic("onnx.rotary-embedding", "\(context.fact(x).type) has no heads of a known size")
    }
    guard size > 0, size <= width, size.isMultiple(of: 2) else {
      throw Diagnostic("onnx.rotary-embedding", "\(size) of \(width) elements cannot be turned in pairs")
    }
    if size == width { return try whole(x, cos, sin, in: &context) }
    let part = try whole(try context.slice(x, axis: 3, from: 0, to: size), cos, sin, in: &context)
    return try context.concat([part, try context.slice(x, axis: 3, from: size)], axis: 3)
  }

  private func whole(_ x: ValueID, _ cos: ValueID, _ sin: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let (a, b): (ValueID, ValueID)
    if isInterleaved {
      (a, b) = (try context.slice(x, axis: 3, from: 0, step: 2), try context.slice(x, axis: 3, from: 1, step: 2))
    } else {
      (a, b) = (try context.slice(x, axis: 3, from: 0, to: size / 2), try context.slice(x, axis: 3, from: size / 2))
    }
    let real = try context.emit(Sub(), try context.emit(Mul(), a, cos), try context.emit(Mul(), b, sin))
    let imaginary = try context.emit(Add(), try context.emit(Mul(), a, sin), try context.emit(Mul(), b, cos))
    guard isInterleaved else { return try context.concat([real, imaginary], axis: 3) }
    let pairs = [try context.emit(ExpandDims([4]), real), try context.emit(ExpandDims([4]), imaginary)]
    return try context.reshape(try context.concat(pairs, axis: 4), context.fact(x).shape, sources: [x])
  }
}
