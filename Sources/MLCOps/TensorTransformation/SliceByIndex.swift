import MLCCore
import MLCGraph

/// `y[i₀, …] = x[beginₖ + iₖ·strideₖ, …]` up to `end`, exclusive: `x: T[*S]`, `begin, end, stride: int[rank]` → `y:
/// T[*S']`.
///
/// Numpy's slicing: negative `begin` and `end` count from the end, then both are clamped; a negative stride walks back.
/// No `stride` is 1 everywhere. `beginMask[k]` and `endMask[k]` ignore an end of axis k; `squeezeMask[k]` takes the one
/// element at `begin` and drops the axis. A symbolic bound that is a size minus a number is taken to be non-negative.
/// Throws `slice_by_index.rank` when a list does not fit the rank, `slice_by_index.stride` for 0,
/// `slice_by_index.index` when a squeezed index is outside. Source: MIL `slice_by_index`, ONNX `Slice`.
package struct SliceByIndex: Operator {
  package var beginMask: [Bool] = []
  package var endMask: [Bool] = []
  package var squeezeMask: [Bool] = []

  package static let schema = Schema<SliceByIndex>(
    "slice_by_index",
    [
      .input("x", rank: 1...64), .input("begin", rank: 1...1), .input("end", rank: 1...1),
      .input("stride", rank: 1...1, optional: true), .attribute("begin_mask", \.beginMask),
      .attribute("end_mask", \.endMask), .attribute("squeeze_mask", \.squeezeMask),
    ]
  )
  package init() {}
  package init(beginMask: [Bool], endMask: [Bool]) { (self.beginMask, self.endMask) = (beginMask, endMask) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, begin, end, stride) = (inputs["x"], inputs["begin"], inputs["end"], inputs[optional: "stride"])
    for (name, fact) in [("begin", begin), ("end", end), ("stride", stride ?? begin)] {
      guard fact.dtype.isInteger else { throw Diagnostic.dtype("slice_by_index", fact.dtype, name) }
      if let count = fact.shape[0].constant, count != x.rank { throw wrongRank(name, count, x.rank) }
    }
    try checkMasks(x.rank)
    let steps = try strides(stride, x.rank)
    var shape: [Dim] = []
    for axis in 0..<x.rank where !masked(squeezeMask, axis) {
      let low = masked(beginMask, axis) ? SliceBound.open : begin.elements.map { .at($0[axis]) } ?? .unknown
      let high = masked(endMask, axis) ? SliceBound.open : end.elements.map { .at($0[axis]) } ?? .unknown
      let extent = steps[axis].flatMap { sliceExtent(x.shape[axis], low, high, $0) }
      shape.append(extent ?? inputs.fresh("d\(axis)"))
    }
    guard x.elements != nil, let source = x.type.staticShape, let b = begin.value, let e = end.value else {
      return [Fact(x.dtype, shape)]
    }
    let picked = try order(source, b.integers, e.integers, steps.compactMap { $0 })
    return [x.picking({ picked.indices }, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    try checkMasks(x.rank)
    let stride = inputs[optional: "stride"]?.integers ?? [Int](repeating: 1, count: x.rank)
    for (name, list) in [("begin", inputs["begin"]), ("end", inputs["end"])] where list.count != x.rank {
      throw wrongRank(name, list.count, x.rank)
    }
    guard stride.count == x.rank else { throw wrongRank("stride", stride.count, x.rank) }
    let picked = try order(x.shape, inputs["begin"].integers, inputs["end"].integers, stride)
    return [x.picking(picked.indices, picked.shape)]
  }

  private func masked(_ mask: [Bool], _ axis: Int) -> Bool { !mask.isEmpty && mask[axis] }

  /// The strides as far as they are known. Throws for a stride of 0.
  private func strides(_ fact: Fact?, _ rank: Int) throws(Diagnostic) -> [Int?] {
    guard let fact else { return [Int?](repeating: 1, count: rank) }
    guard let elements = fact.elements else { return [Int?](repeating: nil, count: rank) }
    if elements.contains(0) { throw Diagnostic("slice_by_index.stride", "a stride is 0") }
    return elements.map(\.constant)
  }

  private func order(_ shape: [Int], _ begin: [Int], _ end: [Int], _ stride: [Int]) throws(Diagnostic) -> (
    indices: [Int], shape: [Int]
  ) {
    let scale = shape.rowMajorStrides
    var maps: [[Int]] = []
    var kept: [Int] = []
    for (axis, extent) in shape.enumerated() {
      let positions: [Int]
      if masked(squeezeMask, axis) {
        let index = begin[axis] < 0 ? begin[axis] + extent : begin[axis]
        guard (0..<extent).contains(index) else {
          throw Diagnostic("slice_by_index.index", "index \(begin[axis]) is outside an extent of \(extent)")
        }
        positions = [index]
      } else {
        let low = masked(beginMask, axis) ? nil : begin[axis]
        let high = masked(endMask, axis) ? nil : end[axis]
        guard stride[axis] != 0 else { throw Diagnostic("slice_by_index.stride", "a stride is 0") }
        positions = slicePositions(extent, low, high, stride[axis])
        kept.append(positions.count)
      }
      maps.append(positions.map { $0 * scale[axis] })
    }
    return (IndexMap.indices(maps), kept)
  }

  private func checkMasks(_ rank: Int) throws(Diagnostic) {
    for (name, mask) in [("begin_mask", beginMask), ("end_mask", endMask), ("squeeze_mask", squeezeMask)]
    where !mask.isEmpty && mask.count != rank { throw wrongRank(name, mask.count, rank) }
  }

  private func wrongRank(_ name: String, _ count: Int, _ rank: Int) -> Diagnostic {
    Diagnostic("slice_by_index.rank", "'\(name)' has \(count) entries for a tensor of rank \(rank)")
  }
}
