import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MaxUnpool` → `scatter_nd` into zeros: `x: T[N, C, *S]` and where each element was, row-major in `[N, C, *S′]`,
/// `S′ = (S − 1)·stride + kernel − pads`. A greater `output_shape`, a constant, adds zeros behind.
package enum ONNXMaxUnpool: ONNXOperator {
  package static let types = ["MaxUnpool"]
  package static let sinceOpset = 9
  package static var note: String { "known sizes" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, places) = (try context.required(0), try context.required(1))
    let shape = context.fact(x).shape
    guard context.fact(places).rank == shape.count, context.fact(places).dtype.isInteger else {
      throw Diagnostic("onnx.max-unpool", "\(context.fact(places).type) are no places of \(context.fact(x).type)")
    }
    let sizes = try sizes(node, shape, in: &context)
    let leading = try context.extents(of: x, at: [0, 1])
    let list = try context.concat([leading, context.constant(ints: sizes)], axis: 0)
    let zeros = try context.emit(Fill(), list, try context.number(0, like: x))
    let flat = context.constant(ints: [-1], "flat")
    let rows = try context.emit(Reshape(), places, context.constant(ints: [-1, 1], "rows"))
    let scattered = try context.emit(
      ScatterNd(mode: .update),
      try context.emit(Reshape(), zeros, flat),
      rows,
      try context.emit(Reshape(), x, flat)
    )
    let y = try context.emit(Reshape(), scattered, list)
    guard let wanted = try context.constant(2, "output_shape")?.integers else { return [y] }
    let have = context.fact(y).shape.map { $0.constant ?? 0 }
    guard wanted.count == have.count, zip(wanted, have).allSatisfy({ $0 >= $1 }) else {
      throw Diagnostic("onnx.max-unpool", "output_shape \(wanted) does not hold \(context.fact(y).type)")
    }
    guard wanted != have else { return [y] }
    guard context.fact(y).type.staticShape != nil else {
      throw Diagnostic("onnx.max-unpool", "output_shape needs known sizes", kind: .unsupported)
    }
    let amounts = zip(wanted, have).flatMap { [0, $0 - $1] }
    return [try context.emit(Pad(mode: "constant"), y, context.constant(ints: amounts, "pad"))]
  }

  /// S′.
  private static func sizes(_ node: ONNXNode, _ shape: [Dim], in context: inout ONNXContext)
    throws(Diagnostic) -> [Int]
  {
    let extents = shape.dropFirst(2).compactMap(\.constant)
    let count = extents.count
    let kernel = try node.ints("kernel_shape") ?? []
    let strides = try node.ints("strides") ?? [Int](repeating: 1, count: count)
    let pads = try node.ints("pads") ?? [Int](repeating: 0, count: 2 * count)
    let limit = 1 << 24
    guard count > 0, count == shape.count - 2, kernel.count == count, strides.count == count, pads.count == 2 * count,
      (extents + kernel + strides + pads).allSatisfy({ 0...limit ~= $0 })
    else { throw Diagnostic("onnx.max-unpool", "the attributes do not fit extents of \(shape.dropFirst(2))") }
    let sizes = (0..<count).map { (extents[$0] - 1) * strides[$0] + kernel[$0] - pads[$0] - pads[count + $0] }
    guard sizes.allSatisfy({ $0 >= 0 }) else { throw Diagnostic("onnx.max-unpool", "sizes of \(sizes)") }
    return sizes
  }
}
