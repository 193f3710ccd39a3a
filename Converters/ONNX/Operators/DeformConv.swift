import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DeformConv` on two axes → `gather`s and a product: a convolution of `x: T[N, C, H, W]` whose window's elements
/// are moved by `offset: T[N, G·kh·kw·2, H′, W′]`, y then x, and scaled by `mask: T[N, G·kh·kw, H′, W′]`. Values
/// between elements are weighed in a line, those outside are 0. G offset groups share the channels.
package enum ONNXDeformConv: ONNXOperator {
  package static let types = ["DeformConv"]
  package static let sinceOpset = 19
  package static var note: String { "two spatial axes" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, weight, offset) = (try context.required(0), try context.required(1), try context.required(2))
    let (data, kernel, moves) = (context.fact(x), context.fact(weight), context.fact(offset))
    let (groups, offsetGroups) = (try node.int("group", default: 1), try node.int("offset_group", default: 1))
    let sizes = kernel.shape.compactMap(\.constant)
    guard data.rank == 4, sizes.count == 4, moves.rank == 4, data.dtype.isFloat, groups > 0, offsetGroups > 0,
      let channels = data.shape[1].constant, channels > 0, channels.isMultiple(of: groups),
      channels.isMultiple(of: offsetGroups), sizes[0].isMultiple(of: groups), sizes[1] == channels / groups,
      let depth = [sizes[1], sizes[2], sizes[3]].checkedProduct,
      let moved = [2, offsetGroups, sizes[2], sizes[3]].checkedProduct, moves.shape[1].constant == moved
    else {
      let types = "\(data.type), \(kernel.type) and \(moves.type)"
      throw Diagnostic("onnx.deform-conv", "\(types) are no convolution of two axes", kind: .unsupported)
    }
    try ONNXConv.checkKernelShape(node, kernel.shape)
    let (n, out) = (data.shape[0], Array(moves.shape[2...]))
    let points: [Dim] = [n, Dim(offsetGroups), Dim(sizes[2]), Dim(sizes[3])]
    let shifts = try context.reshape(offset, points + [2] + out, sources: [offset])
    var (taps, extents): ([[SampleTap]], [ValueID]) = ([], [])
    for side in 0..<2 {
      extents.append(try context.extent(of: x, axis: 2 + side))
      let base = try base(node, side, sizes[2 + side], offset, in: &context)
      let place = try context.emit(Add(), try context.element(side, of: shifts, axis: 4), base)
      taps.append(try context.linearTaps(place, extents[side]))
    }
    let each = Dim(channels / offsetGroups)
    let flat = try context.reshape(x, [n, Dim(offsetGroups), each, data.shape[2] * data.shape[3]], sources: [x])
    var values = try context.sum(try context.taps(flat, taps, extents))
    if let mask = context.input(4) {
      let factors = try context.reshape(mask, points[..<2] + [1] + points[2...] + out, sources: [offset])
      values = try context.emit(Mul(), values, factors)
    }
    let area = out.reduce(1, *)
    let shape = [context.fact(values).shape[0], Dim(groups), Dim(depth), area]
    let columns = try context.reshape(values, shape, sources: [offset, x])
    let rows = try context.reshape(weight, [Dim(groups), Dim(sizes[0] / groups), Dim(depth)])
    let product = try context.emit(MatMul(), rows, columns)
    let y = try context.reshape(product, [n, Dim(sizes[0])] + out, sources: [offset])
    guard let bias = context.input(3) else { return [y] }
    return [try context.emit(Add(), y, try context.emit(ExpandDims([1, 2]), bias))]
  }

  /// Where the elements of the windows are before they are moved, as a value that broadcasts to `[kh, kw, H′, W′]`.
  /// Throws `onnx.deform-conv`.
  private static func base(
    _ node: ONNXNode,
    _ side: Int,
    _ kernel: Int,
    _ offset: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let strides = try node.ints("strides") ?? [1, 1]
    let dilations = try node.ints("dilations") ?? [1, 1]
    let pads = try node.ints("pads") ?? [0, 0, 0, 0]
    let limit = 1 << 16
    guard strides.count == 2, dilations.count == 2, pads.count == 4,
      (strides + dilations + pads + [kernel]).allSatisfy({ 0...limit ~= $0 })
    else { throw Diagnostic("onnx.deform-conv", "strides, dilations or pads do not fit two axes") }
    let dtype = context.fact(offset).dtype
    let window = (0..<kernel).map { $0 * dilations[side] - pads[side] }
    let shape = side == 0 ? [kernel, 1, 1, 1] : [kernel, 1, 1]
    let inWindow = context.constant(Tensor(dtype, shape, window), "window")
    let numbers = try context.cast(try context.places(of: offset, axis: 2 + side), to: dtype)
    var steps = try context.scaled(numbers, by: Double(strides[side]))
    if side == 0 { steps = try context.emit(ExpandDims([1]), steps) }
    return try context.emit(Add(), inWindow, steps)
  }
}
