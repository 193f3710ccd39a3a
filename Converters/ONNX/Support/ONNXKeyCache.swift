import MLCCore
import MLCGraph
import MLCOps

/// Keys or values of a decoder, `[batch, heads, places, width]`, into which those of new elements are written.
///
/// The elements of a prompt, as many as all, begin at place 0; those of a later step stand at the end of what their
/// batch has. The result has the places of the cache, or as many as there are elements if they are more; what lies
/// behind a batch's last element says nothing.
struct ONNXKeyCache {
  /// Place of the first new element of each batch, `[batch]`, int64.
  let starts: ValueID
  /// How many elements the longest batch has with the new ones, a scalar of type int64.
  private let total: ValueID

  /// `last` is the place of each batch's last element, `[batch]`; `total` one number; `new` has the new elements on
  /// axis 2.
  init(last: ValueID, total: ValueID, new: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
    self.total = try context.reshape(try context.cast(total, to: .int64), [])
    let length = try context.extent(of: new, axis: 2)
    let one = context.constant(.scalar(.int64, 1), "one")
    let ends = try context.emit(Add(), try context.reshape(last, [context.fact(new).shape[0]], sources: [new]), one)
    let starts = try context.emit(Sub(), ends, length)
    let isPrompt = try context.emit(Equal(), self.total, length)
    self.starts = try context.emit(Select(), isPrompt, context.constant(.scalar(.int64, 0), "zero"), starts)
  }

  /// The places of the new elements, `[batch, length]`.
  func places(of new: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.emit(Add(), try context.emit(ExpandDims([1]), starts), try context.places(of: new, axis: 2))
  }

  /// `past` with `new` written into it. Throws `onnx.attention`.
  func appended(_ past: ValueID, _ new: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let shape = context.fact(past).shape
    guard shape.count == 4, let width = shape[3].constant, 1..<(1 << 24) ~= width else {
      throw Diagnostic("onnx.attention", "the past is \(context.fact(past).type)")
    }
    // As one axis, so that the other extents stay known.
    let rows = try context.emit(Reshape(), past, context.constant(ints: [0, 0, -1], "rows"))
    let have = try context.extent(of: past, axis: 2)
    let missing = try context.emit(Sub(), try context.emit(Maximum(), total, have), have)
    let size = try context.emit(Mul(), missing, context.constant(.scalar(.int64, width), "width"))
    let amounts = [context.constant(ints: [0], "pad"), try context.emit(ExpandDims([0]), size)]
    let padded = try context.emit(Pad(mode: "constant"), rows, try context.concat(amounts, axis: 0))
    let cache = try context.emit(Reshape(), padded, context.constant(ints: [0, 0, -1, width], "cache"))
    return try context.emit(ScatterNd(mode: .update), cache, try indices(new, in: &context), new)
  }

  /// Batch, head and place of each new element, `[batch, heads, length, 3]`.
  private func indices(_ new: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let places = try context.emit(ExpandDims([1]), try places(of: new, in: &context))
    let batches = try context.emit(ExpandDims([1, 2]), try context.places(of: new, axis: 0))
    let heads = try context.emit(ExpandDims([1]), try context.places(of: new, axis: 1))
    let zero = context.constant(.scalar(.int64, 0), "zero")
    let sum = try context.emit(Add(), try context.emit(Add(), batches, heads), places)
    let none = try context.emit(Mul(), sum, zero)
    let parts = try [batches, heads, places].map { (part) throws(Diagnostic) in
      try context.emit(ExpandDims([3]), try context.emit(Add(), none, part))
    }
    return try context.concat(parts, axis: 3)
  }
}
