import MLCCore
import MLCGraph

/// Consecutive pieces of `x` along `axis`: `x: T[*S]` → one output per piece.
///
/// The extents are `splitSizes`, or when there are none `numSplits` pieces of ⌈n / numSplits⌉, the last of what is left
/// (MIL wants equal pieces). Throws `split.axis`, `split.sizes` when the sizes are negative or do not add up to the
/// extent, `split.count` for fewer than one piece or more pieces than elements of a tensor may be. Source: MIL `split`,
/// ONNX `Split`.
package struct Split: Operator {
  package var axis = 0
  package var splitSizes: [Int] = []
  package var numSplits = 0

  package static let schema = Schema<Split>(
    "split",
    [
      .input("x", rank: 1...64), .attribute("axis", \.axis), .attribute("split_sizes", \.splitSizes),
      .attribute("num_splits", \.numSplits),
    ]
  )
  package init() {}
  package init(axis: Int, sizes: [Int]) { (self.axis, splitSizes) = (axis, sizes) }
  package init(axis: Int, count: Int) { (self.axis, numSplits) = (axis, count) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "split")
    var facts: [Fact] = []
    var start: Dim = 0
    for size in try sizes(x.shape[axis]) {
      var shape = x.shape
      shape[axis] = size
      let positions = { (start.constant ?? 0)..<((start + size).constant ?? 0) }
      facts.append(
        x.picking({ IndexMap.selecting(x.type.staticShape ?? [], axis: axis, Array(positions())) }, shape)
      )
      start = start + size
    }
    return facts
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "split")
    var pieces: [Tensor] = []
    var start = 0
    for size in try sizes(Dim(x.shape[axis])).map({ $0.constant! }) {
      var shape = x.shape
      shape[axis] = size
      pieces.append(x.picking(IndexMap.selecting(x.shape, axis: axis, Array(start..<start + size)), shape))
      start += size
    }
    return pieces
  }

  private func sizes(_ extent: Dim) throws(Diagnostic) -> [Dim] {
    guard splitSizes.isEmpty else {
      let sum = splitSizes.reduce(Dim(0)) { $0 + Dim($1) }
      guard splitSizes.allSatisfy({ $0 >= 0 }), extent.constant == nil || extent == sum else {
        throw Diagnostic("split.sizes", "sizes \(splitSizes) do not make up an extent of \(extent)")
      }
      return splitSizes.map { Dim($0) }
    }
    guard (1...65_536).contains(numSplits) else {
      throw Diagnostic("split.count", "\(numSplits) is not a number of pieces")
    }
    let piece = extent.ceilDiv(Dim(numSplits))
    if extent == piece * Dim(numSplits) { return [Dim](repeating: piece, count: numSplits) }
    return (0..<numSplits).map { index in
      let rest = extent - piece * Dim(index)
      return Dim.largest(Dim.smallest(piece, rest), 0)
    }
  }
}
