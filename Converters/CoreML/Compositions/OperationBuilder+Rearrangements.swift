import MLCCore
import MLCGraph
import MLCOps

/// Rearrangements that ML programs and neural networks share.
extension OperationBuilder {
  /// All windows of `size` elements along `axis`, `stride` apart: `[…, n, …]` → `[…, ⌊(n − size)/stride⌋ + 1, size,
  /// …]`. Throws `coreml.parameter` where a window does not fit.
  mutating func slidingWindows(_ x: ValueID, axis: Int, size: Int, stride: Int) throws(Diagnostic) -> ValueID {
    guard (1...1 << 24).contains(size), (1...1 << 24).contains(stride) else {
      throw Diagnostic("coreml.parameter", "windows of \(size) in steps of \(stride)")
    }
    if let extent = fact(x).shape[axis].constant {
      guard size <= extent else { throw Diagnostic("coreml.parameter", "a window of \(size) does not fit \(extent)") }
      let count = (extent - size) / stride + 1
      guard let total = [count, size].checkedProduct, total <= 1 << 24 else {
        throw Diagnostic("coreml.parameter", "\(count) windows of \(size) are too many", kind: .unsupported)
      }
      let places = (0..<count).flatMap { window in (0..<size).map { window * stride + $0 } }
      return try apply(Gather(axis: axis), x, constant(Tensor(.int32, [count, size], places), "places"))
    }
    let end = try raised(try extent(of: x, axis: axis), by: Double(1 - size))
    let bounds = [constant(.scalar(.int64, 0), "start"), constant(.scalar(.int64, stride), "stride")]
    let starts = try apply(ExpandDims([1]), try apply(Range1D(), end, bounds[0], bounds[1]))
    let within = constant(.shape(Array(0..<size)), "within")
    return try apply(Gather(axis: axis), x, try apply(Add(), starts, within))
  }

  /// The first `lengths: int[n]` elements along `time` of each of the n lines along `batch` in reverse, the others as
  /// they are. Throws `coreml.parameter` unless the axes differ.
  mutating func reversedSequences(_ x: ValueID, _ lengths: ValueID, batch: Int, time: Int) throws(Diagnostic) -> ValueID
  {
    let rank = fact(x).rank
    let axes = [batch, time].map { $0 < 0 ? $0 + rank : $0 }
    guard axes.allSatisfy({ (0..<rank).contains($0) }), axes[0] != axes[1], fact(lengths).rank == 1 else {
      throw Diagnostic("coreml.parameter", "axes \(batch) and \(time) are no batch and time of \(fact(x).type)")
    }
    let perm = axes + (0..<rank).filter { !axes.contains($0) }
    let rows = try apply(Transpose(perm), x)
    let places = try places(of: rows, axis: 1)
    let ends = try apply(ExpandDims([1]), try converted(lengths, to: .int64))
    let last = try raised(ends, by: -1)
    let indices = try apply(Select(), try apply(Less(), places, ends), try apply(Sub(), last, places), places)
    var gather = Gather(axis: 1)
    gather.batchDims = 1
    let turned = try apply(gather, rows, indices)
    return try apply(Transpose(perm.indices.map { perm.firstIndex(of: $0)! }), turned)
  }

  /// The values side by side along `axis`, an element of each in turn.
  mutating func interleaved(_ values: [ValueID], axis: Int) throws(Diagnostic) -> ValueID {
    var pieces: [ValueID] = []
    for value in values { pieces.append(try apply(ExpandDims([axis + 1]), value)) }
    var shape = fact(values[0]).shape
    shape[axis] = shape[axis] * Dim(values.count)
    return try reshape(try concat(pieces, axis: axis + 1), shape, sources: [values[0]])
  }
}
