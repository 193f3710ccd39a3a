import MLCCore
import MLCGraph
import MLCOps

/// ONNX `NonMaxSuppression` → a `while_loop` over boxes in the order of their scores, in all batches and classes at
/// once: `boxes: T[B, N, 4]`, `scores: T[B, C, N]` → `int64[n, 3]`, batch, class and box of those kept.
///
/// Each round keeps the first box that is left, of equal scores the first in the input, and drops what overlaps it by
/// more than `iou_threshold` (0 when left out) of both areas' union. Boxes whose score is not above `score_threshold`
/// are none. No `max_output_boxes_per_class` means none.
package enum ONNXNonMaxSuppression: ONNXOperator {
  package static let types = ["NonMaxSuppression"]
  package static let sinceOpset = 10

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (boxes, scores) = (try context.required(0), try context.required(1))
    let (places, ranks) = (context.fact(boxes), context.fact(scores))
    guard places.rank == 3, ONNXContext.fits(places.shape[2], 4), ranks.rank == 3, places.dtype.isFloat,
      places.dtype == ranks.dtype
    else {
      throw Diagnostic("onnx.non-max-suppression", "\(places.type) and \(ranks.type) are no boxes and their scores")
    }
    guard let limit = try scalar(2, .int64, in: &context) else {
      return [context.constant(Tensor(.int64, [0, 3], [Int]()), "none")]
    }
    let order = try context.sorted(scores, axis: 2, ascending: false)
    let corners = try ONNXBoxes(
      try context.emit(Gather(axis: 1, batchDims: 1), boxes, order.places),
      isCentred: try node.flag("center_point_box"),
      in: &context
    )
    var isLeft = try context.emit(Equal(), order.values, order.values)
    if let least = try scalar(4, ranks.dtype, in: &context) {
      isLeft = try context.emit(Greater(), order.values, least)
    }
    let threshold =
      try scalar(3, places.dtype, in: &context) ?? context.constant(.scalar(places.dtype, 0.0), "threshold")
    let kept = try keep(isLeft, limit, corners, threshold, in: &context)
    let found = try context.emit(NonZero(), kept)
    let box = try context.emit(GatherNd(), order.places, found)
    let first = try context.cast(try context.slice(found, axis: 1, from: 0, to: 2), to: .int64)
    return [try context.concat([first, try context.emit(ExpandDims([1]), box)], axis: 1)]
  }

  private static func scalar(_ index: Int, _ dtype: DType, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID?
  {
    guard let value = context.input(index), context.fact(value).type.elementCount != 0 else { return nil }
    let given = context.fact(value)
    guard given.rank == 0 || given.rank == 1 && ONNXContext.fits(given.shape[0], 1) else {
      throw Diagnostic("onnx.number", "input \(index) is \(given.type), not one number")
    }
    return try context.cast(given.rank == 0 ? value : try context.element(0, of: value, axis: 0), to: dtype)
  }

  /// Which boxes are kept, `bool[B, C, N]`.
  private static func keep(
    _ isLeft: ValueID,
    _ limit: ValueID,
    _ boxes: ONNXBoxes,
    _ threshold: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let places = try context.cast(try context.places(of: isLeft, axis: 2), to: .int32)
    let end = try context.cast(try context.extent(of: isLeft, axis: 2), to: .int32)
    let type = context.fact(isLeft).type
    let inputs = [("round", TensorType(.int64, [Dim]())), ("left", type), ("kept", type)]
    let head = context.builder.beginBlock(inputs: inputs)
    let any = try context.emit(ReduceMax(axes: [0, 1, 2]), try context.cast(head[1], to: .int32))
    let goesOn = try context.emit(
      LogicalAnd(),
      try context.emit(Less(), head[0], limit),
      try context.emit(Greater(), any, try context.number(0, like: any))
    )
    let cond = context.builder.endBlock(yielding: [goesOn])

    let body = context.builder.beginBlock(inputs: inputs)
    let open = try context.emit(Select(), body[1], places, end)
    let first = try context.emit(ReduceMin(axes: [2], keepDims: true), open)
    let place = try context.emit(Minimum(), first, try context.raised(end, by: -1))
    let isBest = try context.emit(LogicalAnd(), try context.emit(Equal(), places, place), body[1])
    let overlaps = try boxes.overlapping(at: place, by: threshold, in: &context)
    let isGone = try context.emit(LogicalOr(), isBest, overlaps)
    let left = try context.emit(LogicalAnd(), body[1], try context.emit(LogicalNot(), isGone))
    let kept = try context.emit(LogicalOr(), body[2], isBest)
    let next = try context.raised(body[0], by: 1)
    let block = context.builder.endBlock(yielding: [next, left, kept])
    let start = context.constant(.scalar(.int64, 0), "start")
    let none = try context.emit(LogicalXor(), isLeft, isLeft)
    return try context.emit(WhileLoop(), all: [[start, isLeft, none]], blocks: [cond, block])[2]
  }
}

extension Gather {
  fileprivate init(axis: Int, batchDims: Int) {
    self.init(axis: axis)
    self.batchDims = batchDims
  }
}
