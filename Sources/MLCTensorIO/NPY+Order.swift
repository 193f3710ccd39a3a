import MLCCore

extension NPY {
  /// Elements in row-major order and the machine's byte order, bool bytes as 0 or 1.
  static func reordered(_ elements: UnsafeRawBufferPointer, _ header: Header) -> Tensor {
    func copy<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type) -> Tensor {
      Tensor(header.dtype, header.shape) { (out: UnsafeMutableBufferPointer<Word>) in
        forEachSource(header) { target, source in
          let word = elements.loadUnaligned(fromByteOffset: source * MemoryLayout<Word>.size, as: Word.self)
          out[target] = header.isLittleEndian ? Word(littleEndian: word) : Word(bigEndian: word)
        }
        if header.dtype == .bool { for i in out.indices where out[i] != 0 { out[i] = 1 } }
      }
    }
    switch header.dtype.bitWidth {
    case 8: return copy(UInt8.self)
    case 16: return copy(UInt16.self)
    case 32: return copy(UInt32.self)
    default: return copy(UInt64.self)
    }
  }

  /// Calls `body` for every element with its row-major position and its position in the file.
  static func forEachSource(_ header: Header, _ body: (_ target: Int, _ source: Int) -> Void) {
    let shape = header.shape
    let count = shape.reduce(1, *)
    guard header.isColumnMajor, shape.count > 1 else {
      for i in 0..<count { body(i, i) }
      return
    }
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in 1..<shape.count { strides[axis] = strides[axis - 1] &* shape[axis - 1] }
    var index = [Int](repeating: 0, count: shape.count)
    var source = 0
    for target in 0..<count {
      body(target, source)
      var axis = shape.count - 1
      while axis >= 0 {
        index[axis] += 1
        source += strides[axis]
        if index[axis] < shape[axis] { break }
        source -= strides[axis] * shape[axis]
        index[axis] = 0
        axis -= 1
      }
    }
  }
}
