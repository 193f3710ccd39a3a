import Foundation
import MLCCore

/// Keeps an array alive for as long as a tensor views its memory.
private struct ArrayOwner: @unchecked Sendable {  // only keeps the array; nobody reads it through this
  let array: MLMultiArray
}

extension MLMultiArray {
  /// The elements as a tensor of `dtype`: a view where they lie densely and have that type, a converted copy else.
  func tensor(_ dtype: DType) -> Tensor {
    if let bits = dtype.sameBits, bits == dataType, isDense {
      let bytes = UnsafeRawBufferPointer(start: base, count: count * dataType.byteCount)
      let storage = Storage(viewing: bytes, of: ArrayOwner(array: self))
      if let tensor = Tensor(dtype, layout.shape, storage: storage) { return tensor }
    }
    if let bits = dtype.sameBits, let dense = ArrayLayout(layout.shape, width: bits.byteCount) {
      let storage = Storage(byteCount: count * bits.byteCount) { target in
        guard let place = target.baseAddress, count > 0 else { return }
        ElementCopy.copy(from: base, dataType, layout, to: place, bits, dense)
      }
      if let tensor = Tensor(dtype, layout.shape, storage: storage) { return tensor }
    }
    return Tensor(dtype, layout.shape, (0..<count).map { double(at: place($0)) })
  }

  /// An array of a tensor's elements: of its memory where Core ML has its element type, which then is this array's
  /// alone.
  ///
  /// Throws `MLModelError.generic` for an integer that does not fit Core ML's 32 bits.
  convenience init(consuming tensor: Tensor, output name: String) throws {
    let dataType = tensor.dtype.multiArrayDataType
    guard let layout = ArrayLayout(tensor.shape, width: dataType.byteCount) else {
      throw MLModelError(.generic, "no array can have the shape \(tensor.shape)")
    }
    if tensor.dtype.sameBits != nil, let start = tensor.withBytes({ $0.baseAddress }) {
      self.init(dataType, layout, base: UnsafeMutableRawPointer(mutating: start)) { _ in
        withExtendedLifetime(tensor) {}
      }
      return
    }
    try self.init(dataType, layout)
    if count == 0 { return }
    if tensor.dtype.isFloat {
      for (index, number) in tensor.doubles.enumerated() { setDouble(number, at: index) }
      return
    }
    let target = base.assumingMemoryBound(to: Int32.self)
    for (index, number) in tensor.integers.enumerated() {
      guard let narrow = Int32(exactly: number) else {
        throw MLModelError(.generic, "output '\(name)' holds \(number), which does not fit Core ML's 32-bit integers")
      }
      target[index] = narrow
    }
  }
}
