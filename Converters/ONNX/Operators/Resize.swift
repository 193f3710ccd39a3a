import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Resize` and `Upsample` → `resize`.
///
/// Operator set 10 and `Upsample` have scales only, positions `asymmetric`, and nearest elements rounded down. An empty
/// scales, sizes or roi counts as absent. Scales that are quotients of sizes become sizes. Antialiasing is refused.
package enum ONNXResize: ONNXOperator {
  package static let types = ["Resize", "Upsample"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var op = Resize()
    op.mode = try node.string("mode", default: "nearest")
    if op.mode == "bilinear" { op.mode = "linear" }
    guard context.opset >= 11, node.opType == "Resize" else {
      op.coordinateMode = "asymmetric"
      op.nearestMode = "floor"
      let scales = try oldScales(node, in: &context)
      if let exact = try exactSizes(x, scales, [], in: &context) { return [try context.emit(op, x, exact)] }
      return [try context.emit(op, x, nil, scales)]
    }
    try readAttributes(node, into: &op)
    let scales = present(2, context)
    let sizes = scales == nil ? present(3, context) : nil
    let roi = op.coordinateMode == "tf_crop_and_resize" ? present(1, context) : nil
    if let scales, let exact = try exactSizes(x, scales, op.axes, in: &context) {
      return [try context.emit(op, x, exact, nil, roi)]
    }
    return [try context.emit(op, x, sizes, scales, roi)]
  }

  /// The extents of the result, for scales that were computed as quotients of them and of the extents of `x`: a product
  /// of rounded quotients may lie just below the whole number that is meant. `nil` for other scales.
  private static func exactSizes(
    _ x: ValueID,
    _ scales: ValueID,
    _ axes: [Int],
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID? {
    let (shape, fact) = (context.fact(x).shape, context.fact(scales))
    guard fact.value == nil, let factors = fact.numbers, axes.isEmpty, factors.count == shape.count else { return nil }
    let products = zip(shape, factors).map { Ratio($0) * $1 }
    guard products.allSatisfy({ $0?.denominator == 1 }), products.contains(where: { $0?.precision != .exact }) else {
      return nil
    }
    let extents = try context.emit(Cast(fact.dtype), try context.emit(Shape(dtype: .int64), x))
    let product = try context.emit(Mul(), extents, scales)
    return try context.emit(Cast(.int64), try context.emit(Round(), product))
  }

  private static func oldScales(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if let scales = try node.floats("scales") {
      return context.constant(Tensor([scales.count], floats: scales), "scales")
    }
    return try context.required(1)
  }

  private static func readAttributes(_ node: ONNXNode, into op: inout Resize) throws(Diagnostic) {
    if try node.flag("antialias") {
      throw Diagnostic("onnx.resize", "antialiasing is not supported", kind: .unsupported)
    }
    op.axes = try node.ints("axes") ?? []
    op.nearestMode = try node.string("nearest_mode", default: "round_prefer_floor")
    op.coordinateMode = try node.string("coordinate_transformation_mode", default: "half_pixel")
    op.aspectPolicy = try node.string("keep_aspect_ratio_policy", default: "stretch")
    op.cubicCoefficient = Double(try node.float("cubic_coeff_a", default: -0.75))
    op.extrapolationValue = Double(try node.float("extrapolation_value", default: 0))
    op.excludeOutside = try node.flag("exclude_outside")
    if op.coordinateMode == "tf_half_pixel_for_nn" {
      throw Diagnostic("onnx.resize", "tf_half_pixel_for_nn is not supported", kind: .unsupported)
    }
  }

  private static func present(_ index: Int, _ context: ONNXContext) -> ValueID? {
    context.input(index).flatMap { context.fact($0).type.elementCount == 0 ? nil : $0 }
  }
}
