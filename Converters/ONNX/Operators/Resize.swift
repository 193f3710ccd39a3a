import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Resize` and `Upsample` → `resize`.
///
/// Operator set 10 and `Upsample` have scales only and positions `asymmetric`; of nearest elements an axis that grows
/// takes the one before, one that shrinks the one behind, as onnxruntime does. Scales of `Upsample` are two attributes
/// for images `[N, C, H, W]` before operator set 7, one before 9, then an input. An empty scales, sizes or roi counts
/// as absent. Scales that are quotients of sizes become sizes. With `antialias`, of version 18, it is `matmul` with
/// weights (`ONNXAntialias`).
package enum ONNXResize: ONNXOperator {
  package static let types = ["Resize", "Upsample"]
  package static var operation: String? { "resize" }
  package static var note: String { "tf_half_pixel_for_nn for nearest elements, antialiasing where extents are known" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var op = Resize()
    op.mode = try node.string("mode", default: "nearest")
    if op.mode == "bilinear" { op.mode = "linear" }
    guard context.opset >= 11, node.opType == "Resize" else {
      op.coordinateMode = "asymmetric"
      op.nearestMode = "floor"
      return [try early(x, op, try oldScales(node, in: &context), in: &context)]
    }
    try readAttributes(node, into: &op)
    let scales = present(2, context)
    let sizes = scales == nil ? present(3, context) : nil
    if try node.flag("antialias") { return [try ONNXAntialias.resize(x, op, sizes, scales, in: &context)] }
    let roi = op.coordinateMode == "tf_crop_and_resize" ? present(1, context) : nil
    if let scales, let exact = try exactSizes(x, scales, op.axes, in: &context) {
      return [try context.emit(op, x, exact, nil, roi)]
    }
    return [try context.emit(op, x, sizes, scales, roi)]
  }

  /// `x` resized as before operator set 11.
  private static func early(_ x: ValueID, _ op: Resize, _ scales: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    if let exact = try exactSizes(x, scales, [], in: &context) { return try context.emit(op, x, exact) }
    let fact = context.fact(scales)
    let grows = fact.doubles?.allSatisfy { $0 >= 1 } ?? (fact.numbers != nil)
    if op.mode != "nearest" || grows { return try context.emit(op, x, nil, scales) }
    var shrinking = op
    shrinking.nearestMode = "ceil"
    if let factors = fact.doubles, factors.allSatisfy({ $0 <= 1 }) {
      return try context.emit(shrinking, x, nil, scales)
    }
    let one = try context.number(1, like: scales)
    let grown = try context.emit(op, x, nil, try context.emit(Maximum(), scales, one))
    return try context.emit(shrinking, grown, nil, try context.emit(Minimum(), scales, one))
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
    if context.opset < 7 {
      let factors = [try node.float("height_scale"), try node.float("width_scale")].compactMap { $0 }
      guard factors.count == 2, context.fact(try context.required(0)).rank == 4 else {
        throw Diagnostic("onnx.resize", "Upsample needs width_scale, height_scale and an image [N, C, H, W]")
      }
      return context.constant(Tensor([4], floats: [1, 1] + factors), "scales")
    }
    if let scales = try node.floats("scales") {
      return context.constant(Tensor([scales.count], floats: scales), "scales")
    }
    return try context.required(1)
  }

  private static func readAttributes(_ node: ONNXNode, into op: inout Resize) throws(Diagnostic) {
    op.axes = try node.ints("axes") ?? []
    op.nearestMode = try node.string("nearest_mode", default: "round_prefer_floor")
    op.coordinateMode = try node.string("coordinate_transformation_mode", default: "half_pixel")
    op.aspectPolicy = try node.string("keep_aspect_ratio_policy", default: "stretch")
    op.cubicCoefficient = Double(try node.float("cubic_coeff_a", default: -0.75))
    op.extrapolationValue = Double(try node.float("extrapolation_value", default: 0))
    op.excludeOutside = try node.flag("exclude_outside")
    guard op.coordinateMode == "tf_half_pixel_for_nn" else { return }
    // Half an element behind `half_pixel`, rounded down or to the nearest, is that rounded to the nearest or up.
    guard op.mode == "nearest",
      let rounding = ["floor": "round_prefer_ceil", "round_prefer_floor": "ceil"][op.nearestMode]
    else { throw Diagnostic("onnx.resize", "tf_half_pixel_for_nn with these modes", kind: .unsupported) }
    (op.coordinateMode, op.nearestMode) = ("half_pixel", rounding)
  }

  private static func present(_ index: Int, _ context: ONNXContext) -> ValueID? {
    context.input(index).flatMap { context.fact($0).type.elementCount == 0 ? nil : $0 }
  }
}
