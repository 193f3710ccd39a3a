import MLCKernels

/// Blocks of channels by their definition, for tensors of known shapes.
extension Layout.Blocked {
  private func stored(_ shape: [Int]) -> (blocks: Int, rows: Int, columns: Int) {
    let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
    return ((shape[1] + block - 1) / block, top + rows + bottom, left + columns + right)
  }

  func storedCount(_ shape: [Int]) -> Int {
    let (blocks, rows, columns) = stored(shape)
    return shape[0] * blocks * shape[2..<shape.count - 2].reduce(1, *) * rows * columns * block
  }

  /// Where the element lies that is number `flat` of the plain tensor.
  func place(of flat: Int, in shape: [Int]) -> Int {
    let (blocks, rows, columns) = stored(shape)
    let depth = shape[2..<shape.count - 2].reduce(1, *)
    let (height, width) = (shape[shape.count - 2], shape[shape.count - 1])
    let (x, y, z) = (flat % width, flat / width % height, flat / width / height % depth)
    let (image, channel) = (flat / width / height / depth).quotientAndRemainder(dividingBy: shape[1])
    let plane = (image * blocks + channel / block) * depth + z
    return ((plane * rows + y + top) * columns + x + left) * block + channel % block
  }
}
