import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Col2Im` → sums of padded pieces of blocks along one axis after the other, or, where very many overlap, a
/// `gather` of all that falls on an element, and its sum: `T[N, C·∏block, L]` → `T[N, C, *image]`, block b of L adding
/// its `block_shape` elements from `b·stride − pad` on, `dilation` apart. Shapes must be constants.
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
      ONNXContext.fits(shape[2], Dim(length)), let all = [size, length].checkedProduct, max(all, pixels) <= 1 << 22
    else {
      throw Diagnostic("onnx.col2im", "\(context.fact(x).type) is not \(counts) blocks of \(block) elements")
    }
    let channels = columns / size
    if axes.allSatisfy({ $0.pieces <= mostPieces }) {
      let apart = [shape[0], Dim(channels)] + (block + counts).map { Dim($0) }
      return [try folded(try context.reshape(x, apart, sources: [x]), axes, in: &context)]
    }
    let flat = try context.reshape(x, [shape[0], Dim(channels), Dim(all)], sources: [x])
    let falls = axes.map(\.falls)
    let most = falls.map { max(1, $0.map(\.count).max() ?? 1) }
    guard let width = most.checkedProduct, let count = [pixels, width].checkedProduct, count <= 1 << 23 else {
      throw Diagnostic("onnx.col2im", "\(most) blocks on one element are too many", kind: .unsupported)
    }
    let target = [shape[0], Dim(channels)] + image.map { Dim($0) }
    let places = places(axes, falls, most, length)
    let index = context.constant(Tensor(.int64, [pixels, width], places.map { max(0, $0) }), "sources")
    var found = try context.emit(Gather(axis: 2), flat, index)
    if places.contains(-1) {
      let mask = context.constant(Tensor(.bool, [pixels, width], places.map { $0 < 0 ? 0 : 1 }), "found")
      found = try context.emit(Select(), mask, found, try context.number(0, like: found))
    }
    let sum = width == 1 ? try context.emit(Squeeze([3]), found) : try context.emit(ReduceSum(axes: [3]), found)
    return [try context.reshape(sum, target, sources: [x])]
  }

  /// Pieces along an axis that are added up one by one.
  private static let mostPieces = 32

  private static func axes(_ node: ONNXNode, _ image: [Int], _ block: [Int]) throws(Diagnostic) -> [Overlap] {
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
      return Overlap(
        extent: image[k],
        kernel: block[k],
        blocks: room < 0 ? 0 : room / strides[k] + 1,
        stride: strides[k],
        dilation: dilations[k],
        pad: pads[k]
      )
    }
  }

  /// For each element of the image the places of `[∏kernel, ∏blocks]` that fall on it, `∏most` each; −1 is none.
  private static func places(
    _ axes: [Overlap],
    _ falls: [[[(kernel: Int, block: Int)]]],
    _ most: [Int],
    _ length: Int
  ) -> [Int] {
    var (elements, blocks, width) = ([0], [0], 1)
    for (number, axis) in axes.enumerated() {
      var (nextElements, nextBlocks): ([Int], [Int]) = ([], [])
      for row in stride(from: 0, to: elements.count, by: width) {
        for own in falls[number] {
          for outer in row..<row + width {
            for inner in 0..<most[number] {
              let isFound = elements[outer] >= 0 && inner < own.count
              nextElements.append(isFound ? elements[outer] * axis.kernel + own[inner].kernel : -1)
              nextBlocks.append(isFound ? blocks[outer] * axis.blocks + own[inner].block : -1)
            }
          }
        }
      }
      (elements, blocks, width) = (nextElements, nextBlocks, width * most[number])
    }
    return zip(elements, blocks).map { $0 < 0 ? -1 : $0 * length + $1 }
  }
}

extension ONNXCol2Im.Overlap {
  /// For each element which elements of which blocks fall on it.
  fileprivate var falls: [[(kernel: Int, block: Int)]] {
    var falls = [[(kernel: Int, block: Int)]](repeating: [], count: extent)
    for element in 0..<kernel {
      for block in 0..<blocks {
        let place = block * stride + element * dilation - pad
        if 0..<extent ~= place { falls[place].append((element, block)) }
      }
    }
    return falls
  }
}
