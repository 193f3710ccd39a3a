import MLCCore

/// `axis` counted from the front. Throws `OP.axis` outside `-rank..<rank`.
package func normalized(axis: Int, rank: Int, _ op: String) throws(Diagnostic) -> Int {
  guard axis >= -rank, axis < rank else {
    throw Diagnostic(.init("\(op).axis"), "axis \(axis) does not exist; the tensor has rank \(rank)")
  }
  return axis < 0 ? axis + rank : axis
}

/// `axes` counted from the front, order kept. Throws `OP.axis` outside the rank or when one comes twice.
package func normalized(axes: [Int], rank: Int, _ op: String) throws(Diagnostic) -> [Int] {
  var result: [Int] = []
  for axis in axes {
    let axis = try normalized(axis: axis, rank: rank, op)
    guard !result.contains(axis) else { throw Diagnostic(.init("\(op).axis"), "axis \(axis) is given twice") }
    result.append(axis)
  }
  return result
}

/// Throws `OP.size` when a tensor of this type would be larger than any may be.
package func checkSize(_ dtype: DType, _ shape: [Int], _ op: String) throws(Diagnostic) {
  guard let count = shape.checkedProduct, let bytes = dtype.memoryBytes(count), bytes <= maximumTensorBytes else {
    throw Diagnostic(.init("\(op).size"), "a result of shape \(shape) is larger than any tensor may be")
  }
}

extension Diagnostic {
  /// `OP.dtype`: the operator does not take this element type.
  package static func dtype(_ op: String, _ dtype: DType, _ port: String = "x") -> Diagnostic {
    Diagnostic(.init("\(op).dtype"), "input '\(port)' is \(dtype.rawValue), which \(op) does not take")
  }
}
