import MLCCore
import MLCGraph
import MLCOps

/// `x: T[B, C, H, W]` at `coordinates: [B, H′, W′, 2]`, x before y.
func importResample(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  return [try resampled(node, x, try context.value(node, "coordinates"), &context)]
}

/// `x` at the places that matrices `[B or 1, 6]` make of those of the result.
func importAffine(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (x, matrices) = (try context.value(node, "x"), try context.value(node, "transform_matrix"))
  guard let height = try node.integer("output_height"), let width = try node.integer("output_width"),
    (1...1 << 20).contains(height), (1...1 << 20).contains(width), context.fact(matrices).rank == 2,
    context.fact(x).rank == 4, context.fact(matrices).shape[1] == 6
  else {
    throw Diagnostic("coreml.parameter", "\(context.fact(matrices).type) are no matrices for \(context.fact(x).type)")
  }
  let isAligned = try node.flag("align_corners")
  func steps(_ count: Int) -> [Double] {
    (0..<count).map { index in
      isAligned
        ? count == 1 ? -1 : 2 * Double(index) / Double(count - 1) - 1 : (2 * Double(index) + 1) / Double(count) - 1
    }
  }
  var points: [Double] = []
  for y in steps(height) { for x in steps(width) { points += [x, y, 1] } }
  let grid = context.constant(Tensor(.float32, [height * width, 3], points), "grid")
  let rows = try context.reshape(
    try context.converted(matrices, to: .float32),
    [context.fact(matrices).shape[0], 2, 3]
  )
  var places = try context.apply(MatMul(transposeY: true), grid, rows)
  places = try context.reshape(places, [context.fact(matrices).shape[0], Dim(height), Dim(width), 2])
  if context.fact(matrices).shape[0] != context.fact(x).shape[0] {
    let batch = try context.apply(Shape(start: 0, end: 1, dtype: .int64), x)
    let shape = try context.concat([batch, context.constant(.shape([height, width, 2]), "places")], axis: 0)
    places = try context.apply(BroadcastTo(), places, shape)
  }
  return [try resampled(node, x, places, &context)]
}

private func resampled(
  _ node: MILNode,
  _ x: ValueID,
  _ coordinates: ValueID,
  _ context: inout MILContext
) throws(Diagnostic) -> ValueID {
  let (data, grid) = (context.fact(x), context.fact(coordinates))
  let sampling = (try node.text("sampling_mode") ?? "bilinear").lowercased()
  let paddings = ["constant": "zeros", "border": "border", "reflection": "mirror", "symmetric": "symmetric"]
  guard data.rank == 4, data.dtype.isFloat, grid.rank == 4, grid.shape[3] == 2,
    ["bilinear", "nearest"].contains(sampling),
    let padding = paddings[(try node.text("padding_mode") ?? "constant").lowercased()]
  else { throw Diagnostic("coreml.parameter", "\(grid.type) in \(data.type) by '\(sampling)'") }
  let places = try context.converted(coordinates, to: .float32)
  var (taps, extents): ([[SampleTap]], [ValueID]) = ([], [])
  for axis in 0..<2 {
    extents.append(try context.extent(of: x, axis: 2 + axis))
    let look = try GridAxis(
      extents[axis],
      .float32,
      mode: sampling == "bilinear" ? "linear" : "nearest",
      padding: padding,
      alignsCorners: try node.flag("align_corners"),
      in: &context
    )
    let own = try context.element(1 - axis, of: places, axis: 3)
    taps.append(try look.taps(at: try place(node, own, look, &context), in: &context))
  }
  let flat = try context.reshape(x, [data.shape[0], data.shape[1], data.shape[2] * data.shape[3]])
  let outside = padding == "zeros" ? try node.number("padding_value") ?? 0 : 0
  let given = try context.raised(try context.converted(flat, to: .float32), by: -outside)
  let y = try context.raised(try context.sum(try context.taps(given, taps, extents)), by: outside)
  return try context.converted(y, to: data.dtype)
}

/// A coordinate in elements.
private func place(_ node: MILNode, _ x: ValueID, _ axis: GridAxis, _ context: inout MILContext) throws(Diagnostic)
  -> ValueID
{
  let mode = (try node.text("coordinates_mode") ?? "unnormalized").lowercased()
  switch mode {
  case "unnormalized": return x
  case "normalized_minus_one_to_one": return try axis.position(x, in: &context)
  case "normalized_zero_to_one":
    return try axis.position(try context.raised(try context.scaled(x, by: 2), by: -1), in: &context)
  default: throw Diagnostic("coreml.parameter", "'coordinates_mode' is '\(mode)'")
  }
}
