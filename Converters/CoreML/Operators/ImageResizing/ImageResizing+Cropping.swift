import MLCCore
import MLCGraph
import MLCOps

/// Amounts off height and width, before and after each.
func importCrop(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let amounts = try node.integers("crop_height", count: 2) + node.integers("crop_width", count: 2)
  guard context.fact(x).rank >= 2, amounts.allSatisfy({ (0...1 << 31).contains($0) }) else {
    throw Diagnostic("coreml.parameter", "crops of \(amounts) off \(context.fact(x).type)")
  }
  return [try context.apply(Pad(mode: "constant"), x, context.list(amounts.map { -$0 }), context.scalar(0, like: x))]
}

/// `roi: [N, 1, 4 or 5, 1, 1]`, with five numbers the image first, else each of all images; since iOS 17 `boxes: [N,
/// 4]` of the images `box_indices`.
func importCropResize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  var regions = CroppedRegions()
  regions.size = (try node.integer("target_height") ?? 1, try node.integer("target_width") ?? 1)
  regions.isNormalized = try node.flag("normalized_coordinates")
  regions.spatialScale = try node.number("spatial_scale") ?? 1
  regions.boxes = try node.text("box_coordinate_mode") ?? regions.boxes
  regions.sampling = try node.text("sampling_mode") ?? regions.sampling
  regions.padValue = try node.number("pad_value") ?? 0
  guard node.arguments["boxes"] != nil else {
    return [try regions.append(x, roi: try context.value(node, "roi"), to: &context)]
  }
  let boxes = try context.value(node, "boxes")
  guard context.fact(boxes).rank == 2 else {
    throw Diagnostic("coreml.parameter", "'boxes' is \(context.fact(boxes).type)")
  }
  var given = try context.values(node, "box_indices").first
  if given == nil { given = try context.places(of: boxes, axis: 0) }
  return [try regions.append(x, boxes, try context.converted(given!, to: .int64), to: &context)]
}
