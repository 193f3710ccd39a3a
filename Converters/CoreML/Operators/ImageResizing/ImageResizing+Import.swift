import MLCCore
import MLCGraph
import MLCOps

/// By whole or fractional factors; each element is copied.
func importUpsampleNearest(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  [try UpsampleForm.nearest(try factors(node)).append(try context.value(node, "x"), to: &context)]
}

/// Corners aligned, or pixel centres, or corners of pixels.
func importUpsampleBilinear(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let aligned = try node.integer("align_corners").map { $0 != 0 } ?? true
  let centred = try node.integer("half_pixel_centers").map { $0 != 0 } ?? !aligned
  guard !aligned || !centred else {
    throw Diagnostic("coreml.parameter", "align_corners excludes half_pixel_centers")
  }
  let coordinates = aligned ? "align_corners" : centred ? "half_pixel" : "asymmetric"
  let form = UpsampleForm.bilinear(try factors(node), coordinates: coordinates)
  return [try form.append(try context.value(node, "x"), to: &context)]
}

func importResizeNearest(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let sizes = [try node.integer("target_size_height") ?? 1, try node.integer("target_size_width") ?? 1]
  let form = try ResizeForm("DEFAULT", isNearest: true, sizes)
  return [try form.append(try context.value(node, "x"), [-2, -1], context.list(sizes), to: &context)]
}

func importResizeBilinear(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let sizes = [try node.integer("target_size_height") ?? 1, try node.integer("target_size_width") ?? 1]
  let form = try ResizeForm(try node.text("sampling_mode") ?? "DEFAULT", isNearest: false, sizes)
  return [try form.append(try context.value(node, "x"), [-2, -1], context.list(sizes), to: &context)]
}

/// The last `resized_dims` of `shape` are the extents of as many last axes; 0 leaves one as it is. What mlc writes of
/// its own has the schema's parameters.
func importResize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard node.arguments["resized_dims"] != nil else { return try MILGenericImport.convert(node, in: &context) }
  let (x, shape) = (try context.value(node, "x"), try context.value(node, "shape"))
  guard let count = try node.integer("resized_dims"), let length = context.fact(shape).shape.first?.constant,
    (1...length).contains(count), count <= context.fact(x).rank
  else { throw Diagnostic("coreml.parameter", "'resized_dims' does not fit \(context.fact(shape).type)") }
  let own = try context.apply(Shape(start: -count, dtype: .int64), x)
  let given = try context.slice(try context.converted(shape, to: .int64), axis: 0, from: length - count)
  let isKept = try context.apply(Equal(), given, context.scalar(0, like: given))
  let sizes = try context.apply(Select(), isKept, own, given)
  let isNearest = try node.text("interpolation_mode") == "NEAREST_NEIGHBOR"
  let form = try ResizeForm(
    try node.text("sampling_mode") ?? "DEFAULT",
    isNearest: isNearest,
    context.fact(sizes).value?.integers
  )
  return [try form.append(x, Array(-count..<0), sizes, to: &context)]
}

/// Of height and width.
private func factors(_ node: MILNode) throws(Diagnostic) -> [Double] {
  [try node.number("scale_factor_height") ?? 1, try node.number("scale_factor_width") ?? 1]
}
