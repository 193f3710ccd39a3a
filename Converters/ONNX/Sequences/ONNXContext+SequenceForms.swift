import MLCCore
import MLCGraph
import MLCOps

/// Sequences from one spelling to another.
extension ONNXContext {
  /// The stack of a sequence whose elements are of `type`. Throws `onnx.sequence` where they are not.
  mutating func stack(_ sequence: ONNXSequence, of type: TensorType) throws(Diagnostic) -> ValueID {
    switch sequence {
    case .list(let values, let dtype) where values.isEmpty:
      if let shape = type.staticShape { return try zeros(dtype, [0] + shape) }
    case .list(let values, _):
      if values.allSatisfy({ fact($0).type == type }) {
        var rows: [ValueID] = []
        for value in values { rows.append(try emit(ExpandDims([0]), value)) }
        return try concat(rows, axis: 0)
      }
    case .stack(let stack):
      if try form(.sequence(sequence)) == .stack(type) { return stack }
    case .ragged: break
    }
    let own = try form(.sequence(sequence))
    throw Diagnostic("onnx.sequence", "\(own) comes where there was a sequence of \(type)", kind: .unsupported)
  }

  /// The elements and the shapes of a sequence of this element type and rank.
  mutating func ragged(_ sequence: ONNXSequence, _ dtype: DType, _ rank: Int)
    throws(Diagnostic) -> (elements: ValueID, shapes: ValueID)
  {
    switch sequence {
    case .list(let values, let own) where values.isEmpty && own == dtype:
      return (try zeros(dtype, [0]), try zeros(.int64, [0, rank]))
    case .list(let values, _) where values.allSatisfy({ fact($0).dtype == dtype && fact($0).rank == rank }):
      var (parts, rows): ([ValueID], [ValueID]) = ([], [])
      for value in values {
        parts.append(try emit(Reshape(), value, constant(ints: [-1], "flat")))
        rows.append(try emit(ExpandDims([0]), try emit(Shape(dtype: .int64), value)))
      }
      return (try concat(parts, axis: 0), try concat(rows, axis: 0))
    case .stack(let stack) where fact(stack).dtype == dtype && fact(stack).rank == rank + 1:
      let shape = try emit(Shape(dtype: .int64), stack)
      let count = try extent(of: stack, axis: 0)
      let extents = [try emit(ExpandDims([0]), count), constant(ints: [rank], "rank")]
      let element = try slice(shape, axis: 0, from: 1)
      let rows = try emit(BroadcastTo(), element, try concat(extents, axis: 0))
      return (try emit(Reshape(), stack, constant(ints: [-1], "flat")), rows)
    case .ragged(let elements, let shapes):
      if fact(elements).dtype == dtype, try self.rank(ofShapes: shapes) == rank { return (elements, shapes) }
    default: break
    }
    let own = try form(.sequence(sequence))
    let wanted = ONNXForm.ragged(dtype, rank: rank)
    throw Diagnostic("onnx.sequence", "\(own) comes where there was \(wanted)", kind: .unsupported)
  }

  /// A list as a stack, or ragged: what can be read at places that data decides. Throws `onnx.sequence` for none.
  mutating func measured(_ sequence: ONNXSequence) throws(Diagnostic) -> ONNXSequence {
    switch try form(.sequence(sequence)) {
    case .stack(let type): return .stack(try stack(sequence, of: type))
    case .ragged(let dtype, let rank):
      let (elements, shapes) = try ragged(sequence, dtype, rank)
      return .ragged(elements: elements, shapes: shapes)
    default: throw Diagnostic("onnx.sequence", "an empty sequence has no elements")
    }
  }
}
