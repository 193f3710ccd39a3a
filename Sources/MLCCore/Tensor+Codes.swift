import CMLCNumerics

// Tensors of elements of at most eight bits, as their bits.

extension Tensor {
  /// The bits of each element in the low bits of a byte. The element type has at most eight bits.
  package var codes: [UInt8] {
    precondition((1...8).contains(dtype.bitWidth), "\(dtype) is wider than a byte")
    let width = UInt32(dtype.bitWidth)
    return withBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
        if count > 0 {
          mlc_unpack_bits(bytes.bindMemory(to: UInt8.self).baseAddress, width, out.baseAddress, count)
        }
        initialized = count
      }
    }
  }

  /// A tensor whose elements have the low bits of `codes`.
  package init(_ dtype: DType, _ shape: [Int], codes: [UInt8]) {
    self = codes.withUnsafeBufferPointer { Tensor(dtype, shape, codes: $0) }
  }

  package init(_ dtype: DType, _ shape: [Int], codes: UnsafeBufferPointer<UInt8>) {
    precondition((1...8).contains(dtype.bitWidth), "\(dtype) is wider than a byte")
    precondition(shape.checkedProduct == codes.count, "\(codes.count) codes for shape \(shape)")
    let storage = Storage(byteCount: dtype.byteCount(codes.count)!) { bytes in
      guard codes.count > 0 else { return }
      let out = bytes.bindMemory(to: UInt8.self).baseAddress
      mlc_pack_bits(codes.baseAddress, UInt32(dtype.bitWidth), out, codes.count)
    }
    self = Tensor(dtype, shape, storage: storage)!
  }

  /// How many elements of a `uint1` tensor are 1.
  package var setBitCount: Int {
    precondition(dtype == .uint1, "a mask is uint1, not \(dtype)")
    return withBytes { mlc_count_bits($0.bindMemory(to: UInt8.self).baseAddress, count) }
  }
}
