import MLCCore

/// Elements of a tensor by index, without unpacking them all.
struct PackedElements {
  private let tensor: Tensor
  private let width: Int

  /// `width` bits an element, from the low bits up; the tensor's own width when left out.
  init(_ tensor: Tensor, width: Int? = nil) { (self.tensor, self.width) = (tensor, width ?? tensor.dtype.bitWidth) }

  subscript(index: Int) -> Double {
    tensor.withBytes { bytes in
      if width < 8 {
        let bit = index * width
        let low = Int(bytes[bit / 8])
        let high = bit / 8 + 1 < bytes.count ? Int(bytes[bit / 8 + 1]) : 0
        let raw = (low | high << 8) >> (bit % 8) & (1 << width - 1)
        let negative = tensor.dtype == .int4 && raw >= 8
        return Double(negative ? raw - 16 : raw)
      }
      return switch tensor.dtype {
      case .int8: Double(bytes.loadUnaligned(fromByteOffset: index, as: Int8.self))
      case .int16: Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
      case .int32: Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self))
      case .int64: Double(bytes.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self))
      case .uint16: Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
      case .uint32: Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      case .uint64: Double(bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      case .float16: Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Float16.self))
      case .bfloat16:
        Double(Float(bitPattern: UInt32(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) << 16))
      case .float32: Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self))
      case .float64: bytes.loadUnaligned(fromByteOffset: 8 * index, as: Double.self)
      default: Double(bytes[index])
      }
    }
  }
}

/// Which block of a grid an element is in: `shape` is cut into equal blocks, `grid` of them along each axis.
struct BlockIndex {
  private let strides: [Int]
  private let shape: [Int]
  private let sizes: [Int]
  private let gridStrides: [Int]

  /// Throws `coreml.compressed` unless the grid divides the shape.
  init(_ shape: [Int], _ grid: [Int]) throws(Diagnostic) {
    guard grid.count == shape.count, zip(shape, grid).allSatisfy({ $1 > 0 && $0 % $1 == 0 }) else {
      throw MILConstexpr.wrong("blocks of \(grid) do not divide \(shape)")
    }
    (strides, self.shape, gridStrides) = (shape.rowMajorStrides, shape, grid.rowMajorStrides)
    sizes = zip(shape, grid).map { max(1, $0 / $1) }
  }

  subscript(index: Int) -> Int {
    var block = 0
    for axis in shape.indices { block += index / strides[axis] % shape[axis] / sizes[axis] * gridStrides[axis] }
    return block
  }
}

extension Tensor {
  /// A tensor computed element by element, in order, each rounded once.
  init(expanding dtype: DType, _ shape: [Int], from element: (Int) -> Double) {
    let count = shape.reduce(1, *)
    switch dtype {
    case .float32:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<Float>) in for i in 0..<count { out[i] = Float(element(i)) } }
    case .float16:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<Float16>) in
        for i in 0..<count { out[i] = Float16(element(i)) }
      }
    default: self.init(dtype, shape, (0..<count).map(element))
    }
  }
}
