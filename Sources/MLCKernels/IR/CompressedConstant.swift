import MLCCore

/// A constant kept in fewer bits than its elements take. Strategies multiply by it as it is, or expand a panel at a
/// time.
///
/// Element i is `(v − offset) · scale` in float32, with v the code itself, or what the palette of i's block has for the
/// code. An absent offset is 0, an absent scale 1.
package struct CompressedConstant: Hashable, Sendable {
  package enum Elements: Hashable, Sendable {
    /// An integer of at most eight bits for each element, in the constant's shape.
    case codes(Tensor)
    /// The elements where a `uint1` mask of the constant's shape is 1, row-major, in floating point; the others are 0.
    case sparse(Tensor, mask: Tensor)
  }
  /// The element type and shape that it stands for.
  package var dtype: DType, shape: [Int]
  package var elements: Elements
  /// 2ⁿ values for codes of n bits, a palette a block.
  package var palette: BlockValues?
  package var scale: BlockValues?
  /// Blocks as `scale` has them.
  package var offset: BlockValues?

  package init(
    _ dtype: DType,
    _ shape: [Int],
    _ elements: Elements,
    palette: BlockValues? = nil,
    scale: BlockValues? = nil,
    offset: BlockValues? = nil
  ) {
    (self.dtype, self.shape, self.elements) = (dtype, shape, elements)
    (self.palette, self.scale, self.offset) = (palette, scale, offset)
  }

  package var count: Int { shape.reduce(1, *) }

  /// Bytes of codes, palettes, scales and offsets.
  package var byteCount: Int {
    let tables = [palette, scale, offset].compactMap { $0?.values.count }.reduce(0, +) * 4
    switch elements {
    case .codes(let codes): return codes.byteCount + tables
    case .sparse(let values, let mask): return values.byteCount + mask.byteCount + tables
    }
  }
}

/// Numbers that hold for the blocks of a tensor: `grid` of them along each axis, all of one extent.
package struct BlockValues: Hashable, Sendable {
  package var grid: [Int]
  /// `width` numbers a block, blocks row-major.
  package var values: [Float], width: Int

  package init(grid: [Int], values: [Float], width: Int = 1) {
    (self.grid, self.values, self.width) = (grid, values, width)
  }

  package var blocks: Int { grid.reduce(1, *) }

  /// Along which axes blocks change.
  package var cutAxes: [Int] { grid.indices.filter { grid[$0] > 1 } }

  /// The block of the element at `position` of a tensor of `shape`.
  package func block(at position: [Int], of shape: [Int]) -> Int {
    zip(grid, zip(position, shape)).reduce(0) { $0 * $1.0 + $1.1.0 / ($1.1.1 / $1.0) }
  }
}

extension CompressedConstant {
  /// The same elements with an axis of extent 1 before axis `axis`.
  package func insertingAxis(_ axis: Int) -> CompressedConstant {
    var result = self
    result.shape.insert(1, at: axis)
    switch elements {
    case .codes(let codes): result.elements = .codes(codes.reshaped(result.shape))
    case .sparse(let values, let mask): result.elements = .sparse(values, mask: mask.reshaped(result.shape))
    }
    for path in [\CompressedConstant.palette, \.scale, \.offset] { result[keyPath: path]?.grid.insert(1, at: axis) }
    return result
  }

  /// Every element written out.
  package func expanded() -> Tensor {
    let floats: [Float]
    switch elements {
    case .codes(let codes): floats = expanded(codes)
    case .sparse(let values, let mask): floats = CompressedConstant.scattered(values.floats, mask.codes)
    }
    return Tensor(shape, floats: floats).converted(to: dtype)
  }

  /// The number that each code stands for by itself.
  package static func numbers(_ dtype: DType) -> [Float] {
    let size = 1 << dtype.bitWidth
    if let format = dtype.smallFloat { return (0..<size).map { Float(format.number(UInt8($0))) } }
    return (0..<size).map { Float(dtype.isSigned && $0 >= size / 2 ? $0 - size : $0) }
  }

  private func expanded(_ codes: Tensor) -> [Float] {
    var values = [Float](repeating: 0, count: count)
    let (bits, numbers) = (codes.codes, CompressedConstant.numbers(codes.dtype))
    let inner = shape.last ?? 1
    var position = [Int](repeating: 0, count: max(shape.count, 1))
    for row in stride(from: 0, to: count, by: max(inner, 1)) {
      for column in 0..<inner {
        if !shape.isEmpty { position[shape.count - 1] = column }
        let code = Int(bits[row + column])
        var value = palette.map { $0.values[$0.block(at: position, of: shape) * $0.width + code] } ?? numbers[code]
        if let offset { value -= offset.values[offset.block(at: position, of: shape)] }
        if let scale { value *= scale.values[scale.block(at: position, of: shape)] }
        values[row + column] = value
      }
      CompressedConstant.advance(&position, shape)
    }
    return values
  }

  /// The next row.
  private static func advance(_ position: inout [Int], _ shape: [Int]) {
    for axis in shape.indices.dropLast().reversed() {
      position[axis] += 1
      if position[axis] < shape[axis] { return }
      position[axis] = 0
    }
  }

  private static func scattered(_ values: [Float], _ mask: [UInt8]) -> [Float] {
    var next = 0
    return mask.map { bit in
      if bit == 0 { return 0 }
      next += 1
      return values[next - 1]
    }
  }
}
