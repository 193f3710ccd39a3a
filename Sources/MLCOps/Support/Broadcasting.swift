import MLCCore

/// Numpy's broadcasting: shapes align at the last axis; an extent of 1 repeats.
package enum Broadcast {
  /// The shape that all of `shapes` broadcast to.
  ///
  /// A constant other than 1 beside a symbol wins (a run-time check holds the symbol to it); of two different symbols
  /// see `Dim.broadcast`. Throws `broadcast.shape` when two constants differ and neither is 1.
  package static func shape(_ shapes: [[Dim]]) throws(Diagnostic) -> [Dim] {
    var result: [Dim] = []
    for shape in shapes {
      result = [Dim](repeating: 1, count: max(0, shape.count - result.count)) + result
      let lead = result.count - shape.count
      for (axis, extent) in shape.enumerated() {
        result[lead + axis] = try common(result[lead + axis], extent, shapes)
      }
    }
    return result
  }

  /// The same for numbers.
  package static func shape(_ shapes: [[Int]]) throws(Diagnostic) -> [Int] {
    try shape(shapes.map { $0.map { Dim($0) } }).map { $0.constant! }
  }

  private static func common(_ a: Dim, _ b: Dim, _ shapes: [[Dim]]) throws(Diagnostic) -> Dim {
    if a == b || b == 1 { return a }
    if a == 1 { return b }
    switch (a.constant, b.constant) {
    case (nil, nil): return Dim.broadcast(a, b)
    case (_?, nil): return a
    case (nil, _?): return b
    case (_?, _?):
      let list = shapes.map { "[\($0.map(\.description).joined(separator: ", "))]" }.joined(separator: " and ")
      throw Diagnostic("broadcast.shape", "shapes \(list) do not broadcast: \(a) is not \(b)")
    }
  }

  /// For each element of `target`, row-major, where it comes from in a tensor of `shape`.
  package static func indices(from shape: [Int], to target: [Int]) -> [Int] {
    let lead = target.count - shape.count
    let strides = shape.rowMajorStrides
    return IndexMap.indices(
      target.enumerated().map { axis, extent in
        let source = axis - lead
        let stride = source < 0 || shape[source] == 1 ? 0 : strides[source]
        return (0..<extent).map { $0 * stride }
      }
    )
  }

  /// `body` on every pair of elements of two broadcast tensors, row-major over `target`.
  package static func map<A, B, R>(
    _ a: [A],
    _ aShape: [Int],
    _ b: [B],
    _ bShape: [Int],
    to target: [Int],
    _ body: (A, B) -> R
  ) -> [R] {
    if aShape == bShape { return a.indices.map { body(a[$0], b[$0]) } }
    if b.count == 1, aShape == target { return a.map { body($0, b[0]) } }
    if a.count == 1, bShape == target { return b.map { body(a[0], $0) } }
    let left = indices(from: aShape, to: target)
    let right = indices(from: bShape, to: target)
    return left.indices.map { body(a[left[$0]], b[right[$0]]) }
  }
}
