import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Col2Im` → a `gather` of all that falls on an element, and its sum: `T[N, C·∏block, L]` → `T[N, C, *image]`,
/// block b of L adding its `block_shape` elements from `b·stride − pad` on, `dilation` apart. Shapes must be constants.
package enum ONNXCol2Im: ONNXOperator {
  package static let types = ["Col2Im"]
  package static let sinceOpset = 18

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let shape = context.fact(x).shape
    guard let image = try context.constant(1, "image_shape")?.integers,
      let block = try context.constant(2, "block_shape")?.integers
    else { throw Diagnostic("onnx.missing-input", "inputs 1 and 2 are required") }
    let axes = try axes(node, image, block)
    let counts = axes.map(\.blocks)
    guard let size = block.checkedProduct, let length = counts.checkedProduct, let pixels = image.checkedProduct,
      shape.count == 3, let columns = shape[1].constant, columns.isMultiple(of: size),
      ONNXContext.fits(shape[2], Dim(length)), let all = [size, length].checkedProduct, max(all, pixels) <= 1 << 24
    else {
      throw Diagnostic("onnx.col2im", "\(context.fact(x).type) is not \(counts) blocks of \(block) elements")
    }
    let channels = columns / size
    let flat = try context.reshape(x, [shape[0], Dim(channels), Dim(all)], sources: [x])
    let sources = sources(axes, length)
    let most = max(1, sources.map(\.count).max() ?? 1)
    guard pixels * most <= 1 << 24 else {
      throw Diagnostic("onnx.col2im", "\(most) blocks on one element are too many", kind: .unsupported)
    }
    let target = [shape[0], Dim(channels)] + image.map { Dim($0) }
    let places = sources.flatMap { $0 + [Int](repeating: 0, count: most - $0.count) }
    let index = context.constant(Tensor(.int64, [pixels, most], places), "sources")
    var found = try context.emit(Gather(axis: 2), flat, index)
    if sources.contains(where: { $0.count < most }) {
      let isFound = sources.flatMap { source in (0..<most).map { $0 < source.count ? 1 : 0 } }
      let mask = context.constant(Tensor(.bool, [pixels, most], isFound), "found")
      found = try context.emit(Select(), mask, found, try context.number(0, like: found))
    }
    let sum = most == 1 ? try context.emit(Squeeze([3]), found) : try context.emit(ReduceSum(axes: [3]), found)
    return [try context.reshape(sum, target, sources: [x])]
  }

  private struct Axis {
    var extent: Int, kernel: Int, blocks: Int, stride: Int, dilation: Int, pad: Int
  }

  private static func axes(_ node: ONNXNode, _ image: [Int], _ block: [Int]) throws(Diagnostic) -> [Axis] {
    let count = image.count
    let strides = try node.ints("strides") ?? [Int](repeating: 1, count: count)
    let dilations = try node.ints("dilations") ?? [Int](repeating: 1, count: count)
    let pads = try node.ints("pads") ?? [Int](repeating: 0, count: 2 * count)
    let limit = 1 << 24
    guard count > 0, block.count == count, strides.count == count, dilations.count == count, pads.count == 2 * count,
      (image + block + strides + dilations).allSatisfy({ 1...limit ~= $0 }), pads.allSatisfy({ 0...limit ~= $0 })
    else { throw Diagnostic("onnx.col2im", "image \(image), blocks \(block) and their attributes do not fit") }
    return (0..<count).map { k in
      let room = image[k] + pads[k] + pads[count + k] - dilations[k] * (block[k] - 1) - 1
      return Axis(
        extent: image[k],
        kernel: block[k],
        blocks: room < 0 ? 0 : room / strides[k] + 1,
        stride: strides[k],
        dilation: dilations[k],
        pad: pads[k]
      )
    }
  }

  /// For each element of the image the places of `[∏kernel, ∏blocks]` that fall on it.
  private static func sources(_ axes: [Axis], _ length: Int) -> [[Int]] {
    var found = [[(kernel: 0, block: 0)]]
    for axis in axes {
      var own = [[(Int, Int)]](repeating: [], count: axis.extent)
      for kernel in 0..<axis.kernel {
        for block in 0..<axis.blocks {
          let place = block * axis.stride + kernel * axis.dilation - axis.pad
          if 0..<axis.extent ~= place { own[place].append((kernel, block)) }
        }
      }
      found = found.flatMap { outer in
        own.map { inner in
          outer.flatMap { a in inner.map { (a.kernel * axis.kernel + $0.0, a.block * axis.blocks + $0.1) } }
        }
      }
    }
    return found.map { $0.map { $0.kernel * length + $0.block } }
  }
}
