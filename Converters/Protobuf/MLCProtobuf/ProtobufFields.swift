/// The varint fields of serialised bytes, in order; other fields are passed over. Ends at the first malformed one.
struct ProtobufFields: Sequence, IteratorProtocol {
  private var bytes: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

  mutating func next() -> (number: UInt32, value: UInt64)? {
    while let tag = bytes.takeVarint(), let number = UInt32(exactly: tag >> 3) {
      switch tag & 7 {
      case 0: return bytes.takeVarint().map { (number, $0) }
      case 1: bytes = bytes.dropFirst(8)
      case 2:
        guard let length = bytes.takeVarint(), length <= UInt64(bytes.count) else { return nil }
        bytes = bytes.dropFirst(Int(length))
      case 5: bytes = bytes.dropFirst(4)
      default: return nil
      }
    }
    return nil
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  /// Removes a varint from the front; `nil` when the bytes end within it or it exceeds ten bytes.
  package mutating func takeVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var index = startIndex
    while index < endIndex, shift < 70 {
      let byte = base[index]
      index += 1
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 {
        self = base[index..<endIndex]
        return value
      }
    }
    return nil
  }
}
