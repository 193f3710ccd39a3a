import MLCCore
import MLCGraph

/// `(data − offset) · scale` with a scale, and perhaps an offset, for each block of a grid.
struct ShiftScale {
  private let scales: [Double]
  private let offsets: [Double]?
  private let dtype: DType

  init(scale: Tensor, offset: Tensor?) { (scales, offsets, dtype) = (scale.doubles, offset?.doubles, scale.dtype) }

  /// Throws `constexpr.dtype`, and `constexpr.blocks` when scales or offsets do not fit `shape`.
  static func check(_ shape: [Int], scale: Fact, offset: Fact?) throws(Diagnostic) {
    guard scale.dtype.isFloat, offset.map({ Set<DType>.quantized.contains($0.dtype) }) ?? true else {
      throw Diagnostic(
        "constexpr.dtype",
        "the scale is \(scale.type), the offset \(offset?.type.description ?? "absent")"
      )
    }
    _ = try BlockGrid(shape, grid: scale.type.staticShape ?? [])
    if let offset, offset.shape != scale.shape {
      throw Diagnostic("constexpr.blocks", "offsets are \(offset.type), but scales are \(scale.type)")
    }
  }

  /// Dense data, each run of the grid in one go.
  func dense(_ data: Tensor, _ grid: BlockGrid) -> Tensor {
    let elements = Elements(data)
    var values = [Double](repeating: 0, count: data.count)
    values.withUnsafeMutableBufferPointer { values in
      grid.forEachRun { range, block in
        let (scale, offset) = (scales[block], offsets?[block] ?? 0)
        elements.forEach(range) { values[$0] = ($1 - offset) * scale }
      }
      return
    }
    return values.withUnsafeBufferPointer { Tensor(dtype, data.shape, from: $0) }
  }

  /// Elements at the places of `mask`, in order.
  func sparse(_ data: Tensor, _ grid: BlockGrid, mask: [UInt8]) -> Tensor {
    let elements = Elements(data)
    var values = [Double](repeating: 0, count: data.count)
    var next = 0
    values.withUnsafeMutableBufferPointer { values in
      grid.forEachRun { range, block in
        let (scale, offset) = (scales[block], offsets?[block] ?? 0)
        let count = mask[range].reduce(0) { $0 + Int($1) }
        elements.forEach(next..<next + count) { values[$0] = ($1 - offset) * scale }
        next += count
      }
      return
    }
    return values.withUnsafeBufferPointer { Tensor(dtype, data.shape, from: $0) }
  }
}

/// Elements read as doubles, range by range.
private enum Elements {
  case codes([UInt8], signBit: UInt8)
  case floats([Float])
  case doubles([Double])

  init(_ tensor: Tensor) {
    switch tensor.dtype {
    case .float64: self = .doubles(tensor.doubles)
    case let type where type.isFloat: self = .floats(tensor.floats)
    default: self = .codes(tensor.codes, signBit: tensor.dtype.isSigned ? 1 << UInt8(tensor.dtype.bitWidth - 1) : 0)
    }
  }

  @inline(__always)
  func forEach(_ range: Range<Int>, _ body: (Int, Double) -> Void) {
    switch self {
    case .codes(let codes, let sign):
      codes.withUnsafeBufferPointer { codes in
        for index in range { body(index, Double(Int(codes[index] ^ sign) - Int(sign))) }
      }
    case .floats(let floats):
      floats.withUnsafeBufferPointer { floats in for index in range { body(index, Double(floats[index])) } }
    case .doubles(let doubles):
      doubles.withUnsafeBufferPointer { doubles in for index in range { body(index, doubles[index]) } }
    }
  }
}
