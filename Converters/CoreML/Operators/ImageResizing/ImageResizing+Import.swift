import MLCCore
import MLCGraph
import MLCOps

/// By whole or fractional factors; each element is copied.
func importUpsampleNearest(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var resize = Resize()
  (resize.mode, resize.nearestMode, resize.coordinateMode) = ("nearest", "floor", "asymmetric")
  return try scaled(resize, node, &context)
}

/// Corners aligned, or pixel centres, or corners of pixels.
func importUpsampleBilinear(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let aligned = try node.integer("align_corners").map { $0 != 0 } ?? true
  let centred = try node.integer("half_pixel_centers").map { $0 != 0 } ?? !aligned
  guard !aligned || !centred else {
    throw Diagnostic("coreml.parameter", "align_corners excludes half_pixel_centers")
  }
  var resize = Resize()
  (resize.mode, resize.coordinateMode) = ("linear", aligned ? "align_corners" : centred ? "half_pixel" : "asymmetric")
  return try scaled(resize, node, &context)
}

func importResizeNearest(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var resize = Resize()
  (resize.mode, resize.nearestMode, resize.coordinateMode) = ("nearest", "floor", "asymmetric")
  return try sized(resize, node, &context)
}

func importResizeBilinear(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var resize = Resize()
  resize.mode = "linear"
  let sampling = try node.text("sampling_mode") ?? "DEFAULT"
  switch sampling {
  case "DEFAULT": resize.coordinateMode = "asymmetric"
  case "STRICT_ALIGN_CORNERS", "ALIGN_CORNERS": resize.coordinateMode = "align_corners"
  case "UNALIGN_CORNERS": resize.coordinateMode = "half_pixel"
  default: throw Diagnostic("coreml.parameter", "sampling_mode '\(sampling)' is not supported", kind: .unsupported)
  }
  return try sized(resize, node, &context)
}

private func scaled(_ resize: Resize, _ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var resize = resize
  resize.axes = [-2, -1]
  let x = try context.value(node, "x")
  let factors = [try node.number("scale_factor_height") ?? 1, try node.number("scale_factor_width") ?? 1]
  let scales = context.builder.constant(
    Tensor(.float32, [2], factors),
    name: "\(node.name)_scales",
    origin: node.origin
  )
  return try context.append(node, resize, [x, nil, scales])
}

private func sized(_ resize: Resize, _ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var resize = resize
  resize.axes = [-2, -1]
  let x = try context.value(node, "x")
  guard let height = try node.integer("target_size_height"), let width = try node.integer("target_size_width") else {
    throw Diagnostic("coreml.parameter", "the target size is missing")
  }
  return try context.append(node, resize, [x, context.list(node, [height, width])])
}
