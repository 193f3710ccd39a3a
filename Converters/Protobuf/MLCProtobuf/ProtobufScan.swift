import CProtobufScan
import Foundation
import MLCCore
import SwiftProtobuf

/// A serialised message split in two: large payloads, which stay where they are, and the rest, which decodes cheaply.
///
/// Format names the diagnostics: a scan for `onnx` throws `onnx.malformed`, `onnx.nesting` or `onnx.too-large`.
package struct ProtobufScan: Sendable {
  /// In messages of type `message`, `field` holds a message of type `next`, or a payload when that is `nil`.
  package struct Rule: Sendable {
    package var message: UInt8, field: UInt32, next: UInt8?
    package init(_ message: UInt8, _ field: UInt32, _ next: UInt8?) {
      (self.message, self.field, self.next) = (message, field, next)
    }
  }

  /// A field left in place: its bytes are `range` of the scanned bytes.
  package struct Payload: Hashable, Sendable {
    package let range: Range<Int>
    package let field: UInt32
  }

  /// In file order.
  package let payloads: [Payload]
  private let rest: Data
  private let format: String

  /// Deeper messages than this do not decode.
  private static let maximumDepth = 250
  private static let maximumRest = 1 << 28

  /// Records payloads of at least `minimumLength` bytes. Message type 0 is the root.
  package init(
    _ bytes: UnsafeRawBufferPointer,
    rules: [Rule],
    minimumLength: Int = 1024,
    format: String
  ) throws(Diagnostic) {
    let table = rules.map {
      MLCScanRule(message: UInt32($0.message), field: $0.field, next: $0.next.map(UInt32.init) ?? MLC_SCAN_PAYLOAD)
    }
    let limits = MLCScanLimits(
      minimum_length: minimumLength,
      maximum_rest: Self.maximumRest,
      maximum_depth: UInt32(Self.maximumDepth)
    )
    var handle: OpaquePointer?
    let status = mlc_scan(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
      bytes.count,
      table,
      table.count,
      limits,
      &handle
    )
    guard status == MLC_SCAN_OK, let handle else { throw Self.failure(status, format) }
    defer { mlc_scan_free(handle) }
    var count = 0
    let records = mlc_scan_payloads(handle, &count)
    payloads = UnsafeBufferPointer(start: records, count: count).map {
      Payload(range: $0.offset..<$0.offset + $0.length, field: $0.field)
    }
    let start = mlc_scan_rest(handle, &count)
    rest = start.map { Data(bytes: $0, count: count) } ?? Data()
    self.format = format
  }

  /// The rest as a message. Its strings must be UTF-8.
  package func decode<M: SwiftProtobuf.Message>(_ type: M.Type) throws(Diagnostic) -> M {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = Self.maximumDepth + 1
    do { return try M(serializedBytes: rest, options: options) } catch BinaryDecodingError.messageDepthLimit {
      throw Self.failure(MLC_SCAN_TOO_DEEP, format)
    } catch BinaryDecodingError.invalidUTF8 {
      throw Diagnostic(.init("\(format).malformed"), "a string is not UTF-8")
    } catch { throw Self.failure(MLC_SCAN_MALFORMED, format) }
  }

  private static func failure(_ status: MLCScanStatus, _ format: String) -> Diagnostic {
    switch status {
    case MLC_SCAN_TOO_DEEP: Diagnostic(.init("\(format).nesting"), "messages nest more than \(maximumDepth) deep")
    case MLC_SCAN_TOO_LARGE:
      Diagnostic(.init("\(format).too-large"), "the file is too large for protobuf: 2 GiB, or 256 MiB without weights")
    case MLC_SCAN_OUT_OF_MEMORY: Diagnostic(.init("\(format).out-of-memory"), "out of memory", kind: .environment)
    default: Diagnostic(.init("\(format).malformed"), "damaged or truncated: its bytes are not a protobuf message")
    }
  }

  /// The payloads that were left out of a decoded message, by the markers among its unknown fields.
  package func payloads(in unknown: UnknownStorage) -> [Payload] {
    if unknown.data.isEmpty { return [] }
    return unknown.data.withUnsafeBytes { bytes in
      ProtobufFields(bytes).compactMap { field in
        guard field.number == UInt32(MLC_SCAN_MARKER), let index = Int(exactly: field.value) else { return nil }
        return payloads.indices.contains(index) ? payloads[index] : nil
      }
    }
  }
}
