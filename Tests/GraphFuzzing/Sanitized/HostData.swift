import Foundation
import MLCCore

/// What `Host.c` reads: numbers as int64, byte strings padded to a multiple of 8.
struct HostData {
  private(set) var bytes = Data()

  mutating func append(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(contentsOf part: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: part)
    bytes.append(contentsOf: repeatElement(0, count: (8 - part.count % 8) % 8))
  }
}

/// What `Host.c` writes, read in order.
struct HostResults {
  private let bytes: Data
  private var place = 0

  init(_ bytes: Data) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number() -> Int {
    let value = string(8).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    return Int(Int64(littleEndian: value))
  }

  /// The next `count` bytes.
  mutating func string(_ count: Int) -> Data {
    let padded = (count + 7) / 8 * 8
    precondition(place + padded <= bytes.count, "the host wrote \(bytes.count) bytes, more were expected")
    defer { place += padded }
    return bytes[bytes.startIndex + place..<bytes.startIndex + place + count]
  }
}

extension DType {
  /// Bytes to which an element is aligned.
  var alignment: Int { max(1, bitWidth / 8) }
}
