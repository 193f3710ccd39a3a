import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GridSample` → sums of `gather`s: `x: T[N, C, *S]`, `grid: F[N, *O, r]` with the last axis of the data first →
/// `T[N, C, *O]`.
///
/// Coordinates are computed in the type of the grid, in float32 at least; values in that type too, but for `nearest`,
/// which rounds halves to even. `cubic` is for one or two axes; with `border` its four elements are moved to the edge,
/// not the place between them, as onnxruntime does.
package enum ONNXGridSample: ONNXOperator {
  package static let types = ["GridSample"]
  package static let sinceOpset = 16

  private static let modes = ["bilinear": "linear", "bicubic": "cubic"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, given) = (try context.required(0), try context.required(1))
    let (data, grid) = (context.fact(x), context.fact(given))
    let count = data.rank - 2
    guard 1...3 ~= count, grid.rank == data.rank, ONNXContext.fits(grid.shape[count + 1], Dim(count)),
      grid.dtype.isFloat, data.dtype != .string
    else { throw Diagnostic("onnx.grid-sample", "\(grid.type) has no places in \(data.type)") }
    var mode = try node.string("mode", default: "linear")
    mode = modes[mode] ?? mode
    let padding = try node.string("padding_mode", default: "zeros")
    guard ["nearest", "linear"].contains(mode) || mode == "cubic" && count <= 2,
      ["zeros", "border", "reflection"].contains(padding)
    else { throw Diagnostic("onnx.grid-sample", "no mode '\(mode)' with padding '\(padding)' in \(count) axes") }
    let alignsCorners = try node.flag("align_corners")
    let dtype: DType = grid.dtype == .float64 ? .float64 : .float32
    let places = try context.cast(given, to: dtype)
    var (taps, extents): ([[SampleTap]], [ValueID]) = ([], [])
    for axis in 0..<count {
      extents.append(try context.extent(of: x, axis: axis + 2))
      let look = try GridAxis(
        extents[axis],
        dtype,
        mode: mode,
        padding: padding,
        alignsCorners: alignsCorners,
        in: &context
      )
      taps.append(try look.taps(try context.element(count - 1 - axis, of: places, axis: count + 1), in: &context))
    }
    let flat = try context.reshape(x, [data.shape[0], data.shape[1], data.shape[2...].reduce(1, *)])
    if mode == "nearest" { return [try context.sum(try context.taps(flat, taps, extents))] }
    let y = try context.sum(try context.taps(try context.cast(flat, to: dtype), taps, extents))
    return [try context.cast(y, to: data.dtype)]
  }
}
