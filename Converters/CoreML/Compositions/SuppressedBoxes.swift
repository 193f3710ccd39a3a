import MLCCore
import MLCGraph
import MLCOps

/// Core ML's non-maximum suppression: `boxes: T[n, B, 4]`, centre and size, and `scores: T[n, B, K]` → the `count` best
/// boxes that are kept, by falling score: `T[n, count, 4]`, `T[n, count, K]`, `int32[n, count]` and how many there are,
/// `int32[n]`. Behind them are zeros, and −1 for the places.
///
/// The score of a box is its greatest over the classes. A box goes where its score is not above `scoreThreshold`, or
/// where it shares more than `overlap` of the common area with a better one, of the same best class if `perClass`.
/// Where none is left, the best of all is given. Source: MIL `non_maximum_suppression`.
struct SuppressedBoxes {
  var overlap: ValueID
  var scoreThreshold: ValueID?
  var count: Int
  var perClass: Bool

  /// Throws `coreml.parameter` for other boxes and scores, or a count that is none.
  func append(_ boxes: ValueID, _ scores: ValueID, to builder: inout some OperationBuilder) throws(Diagnostic)
    -> [ValueID]
  {
    let (places, ranks) = (builder.fact(boxes), builder.fact(scores))
    guard places.rank == 3, ranks.rank == 3, places.shape[2] == 4 || places.shape[2].constant == nil,
      (1...1 << 24).contains(count), places.dtype.isFloat, places.dtype == ranks.dtype
    else {
      throw Diagnostic("coreml.parameter", "\(count) boxes of \(places.type) with scores \(ranks.type)")
    }
    let best = try builder.apply(ReduceMax(axes: [2]), scores)
    let kept = try withFallback(try kept(boxes, scores, best, in: &builder), best, in: &builder)
    let (found, order) = try order(kept, best, in: &builder)
    let none = builder.constant(.scalar(.int32, 0), "first")
    let first = try builder.apply(Select(), found, order, none)
    return [
      try picked(boxes, first, found, in: &builder), try picked(scores, first, found, in: &builder),
      try builder.apply(Select(), found, order, builder.constant(.scalar(.int32, -1), "none")),
      try builder.apply(ReduceSum(axes: [1]), try builder.converted(found, to: .int32)),
    ]
  }

  /// Which boxes are left, `bool[n, B]`.
  private func kept(
    _ boxes: ValueID,
    _ scores: ValueID,
    _ best: ValueID,
    in builder: inout some OperationBuilder
  ) throws(Diagnostic) -> ValueID {
    let lowest = builder.scalar(-.infinity, like: scores)
    var lines = try builder.apply(ExpandDims([1]), best)
    if perClass {
      let classes = try builder.places(of: scores, axis: 2)
      var first = ReduceArgmax()
      (first.axis, first.keepDims) = (2, true)
      let own = try builder.converted(try builder.apply(first, scores), to: .int64)
      let isOwn = try builder.apply(Equal(), own, classes)
      lines = try builder.apply(Transpose([0, 2, 1]), try builder.apply(Select(), isOwn, scores, lowest))
    }
    let limit = builder.constant(.scalar(.int64, count), "limit")
    let rows = try builder.apply(
      NonMaxSuppression(isCentred: true),
      boxes,
      lines,
      limit,
      overlap,
      scoreThreshold ?? lowest
    )
    let indices = try builder.apply(Gather(axis: 1), rows, builder.constant(.shape([0, 2]), "columns"))
    let rowCount = try builder.apply(Shape(start: 0, end: 1, dtype: .int64), rows)
    let marks = try builder.apply(Fill(), rowCount, builder.constant(.scalar(.int32, 1), "mark"))
    let empty = try builder.apply(
      Fill(),
      try builder.apply(Shape(dtype: .int64), best),
      builder.constant(.scalar(.int32, 0), "empty")
    )
    let marked = try builder.apply(ScatterNd(mode: .update), empty, indices, marks)
    return try builder.converted(marked, to: .bool)
  }

  /// The best box where none is left.
  private func withFallback(_ kept: ValueID, _ best: ValueID, in builder: inout some OperationBuilder)
    throws(Diagnostic) -> ValueID
  {
    let any = try builder.apply(ReduceMax(axes: [1], keepDims: true), try builder.converted(kept, to: .int32))
    let isNone = try builder.apply(Less(), any, builder.constant(.scalar(.int32, 1), "one"))
    var greatest = ReduceArgmax()
    (greatest.axis, greatest.keepDims) = (1, true)
    let top = try builder.converted(try builder.apply(greatest, best), to: .int64)
    let isTop = try builder.apply(Equal(), top, try builder.places(of: best, axis: 1))
    return try builder.apply(LogicalOr(), kept, try builder.apply(LogicalAnd(), isNone, isTop))
  }

  /// The places of the kept boxes by falling score, `int32[n, count]`, and which of them are any.
  private func order(_ kept: ValueID, _ best: ValueID, in builder: inout some OperationBuilder)
    throws(Diagnostic) -> (found: ValueID, places: ValueID)
  {
    let ranked = try builder.apply(Select(), kept, best, builder.scalar(-.infinity, like: best))
    let extent = builder.fact(best).shape[1].constant
    let missing = extent.map { max(0, count - $0) } ?? count
    let padding = builder.constant(.shape([0, 0, 0, missing]), "padding")
    func padded(_ x: ValueID) throws(Diagnostic) -> ValueID {
      missing == 0
        ? x
        : try builder.apply(Pad(mode: "constant"), x, padding, builder.scalar(x == ranked ? -.infinity : 0, like: x))
    }
    let (line, flags) = (try padded(ranked), try padded(try builder.converted(kept, to: .int32)))
    let places = try sorted(line, in: &builder)
    let found = try builder.apply(GatherAlongAxis(axis: 1), flags, places)
    return (try builder.converted(found, to: .bool), places)
  }

  /// The places of the greatest elements of each line, kept ones before others of the same score.
  private func sorted(_ line: ValueID, in builder: inout some OperationBuilder) throws(Diagnostic) -> ValueID {
    var top = TopK()
    top.axis = 1
    let k = builder.constant(.scalar(.int32, count), "k")
    return try builder.results(top, [[line], [k]])[1]
  }

  /// The rows of `x: T[n, B, w]` at `places: int32[n, count]`, zeros where nothing was found.
  private func picked(
    _ x: ValueID,
    _ places: ValueID,
    _ found: ValueID,
    in builder: inout some OperationBuilder
  ) throws(Diagnostic) -> ValueID {
    var gather = Gather(axis: 1)
    gather.batchDims = 1
    let rows = try builder.apply(gather, x, places)
    return try builder.apply(Select(), try builder.apply(ExpandDims([2]), found), rows, builder.scalar(0, like: x))
  }
}
