import MLCCore
import MLCGraph
import MLCOps

/// ONNX `NonMaxSuppression` → `non_max_suppression`. `iou_threshold` is 0 when left out; no
/// `max_output_boxes_per_class` means none.
package enum ONNXNonMaxSuppression: ONNXOperator {
  package static let types = ["NonMaxSuppression"]
  package static let sinceOpset = 10
  package static var operation: String? { "non_max_suppression" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (boxes, scores) = (try context.required(0), try context.required(1))
    let (places, ranks) = (context.fact(boxes), context.fact(scores))
    guard places.rank == 3, ONNXContext.fits(places.shape[2], 4), ranks.rank == 3, places.dtype.isFloat,
      places.dtype == ranks.dtype, places.dtype != .float64
    else {
      throw Diagnostic("onnx.non-max-suppression", "\(places.type) and \(ranks.type) are no boxes and their scores")
    }
    guard let limit = try scalar(2, .int64, in: &context) else {
      return [context.constant(Tensor(.int64, [0, 3], [Int]()), "none")]
    }
    let threshold =
      try scalar(3, places.dtype, in: &context) ?? context.constant(.scalar(places.dtype, 0.0), "threshold")
    let least = try scalar(4, ranks.dtype, in: &context)
    let op = NonMaxSuppression(isCentred: try node.flag("center_point_box"))
    return try context.emit(op, all: [[boxes], [scores], [limit], [threshold], least.map { [$0] } ?? []])
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
}
