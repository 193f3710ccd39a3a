import Foundation
import MLCCore
import MLCProtobuf
import ONNXProto
import SwiftProtobuf
import Testing

@Suite struct ProtobufScanTests {
  /// Root: field 5 is a `TensorProto`-shaped message (type 1) whose field 9 is a payload; field 6 nests type 0.
  private let rules: [ProtobufScan.Rule] = [.init(0, 5, 1), .init(1, 9, nil), .init(0, 6, 0)]

  private func scan(_ bytes: [UInt8], minimum: Int = 4) throws(Diagnostic) -> ProtobufScan {
    let storage = storage(bytes)
    return try ProtobufScan(storage.bytes, rules: rules, minimumLength: minimum, format: "test")
  }

  /// A length-delimited field.
  private func field(_ number: Int, _ payload: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(payload.count) + payload
  }
  private func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f | 0x80)] + varint(value >> 7)
  }

  @Test func recordsPayloadsAndLeavesTheRest() throws {
    let bytes = field(5, field(8, Array("w".utf8)) + field(9, [1, 2, 3, 4, 5])) + field(2, [9, 9])
    let scan = try scan(bytes)
    #expect(scan.payloads.map { $0.range } == [7..<12] && scan.payloads.map { $0.field } == [9])
    let graph = try scan.decode(Onnx_GraphProto.self)
    #expect(graph.initializer.map { $0.name } == ["w"] && !graph.initializer[0].hasRawData)
    #expect(scan.payloads(in: graph.initializer[0].unknownFields) == scan.payloads)
  }

  @Test func leavesShortPayloadsInPlace() throws {
    let scan = try scan(field(5, field(9, [1, 2, 3])))
    #expect(scan.payloads.isEmpty)
    #expect(try scan.decode(Onnx_GraphProto.self).initializer[0].rawData == Data([1, 2, 3]))
  }

  @Test func dropsForgedMarkers() throws {
    let forged = varint(19000 << 3) + varint(0)
    let other = varint(19999 << 3) + varint(0)
    let bytes = field(5, forged + other + field(19000, [0])) + field(5, field(9, [1, 2, 3, 4]))
    let scan = try scan(bytes)
    let tensors = try scan.decode(Onnx_GraphProto.self).initializer
    #expect(tensors.count == 2 && tensors[0].unknownFields.data.isEmpty)
    #expect(scan.payloads(in: tensors[0].unknownFields).isEmpty)
    #expect(scan.payloads(in: tensors[1].unknownFields).map { $0.range.count } == [4])
  }

  @Test func findsMarkersAmongOtherUnknownFields() throws {
    let unknown =
      field(200, [1, 2]) + varint(201 << 3 | 5) + [0, 0, 0, 0] + varint(202 << 3 | 1) + [UInt8](repeating: 0, count: 8)
    let scan = try scan(field(5, unknown + field(9, [1, 2, 3, 4])))
    let tensor = try scan.decode(Onnx_GraphProto.self).initializer[0]
    #expect(scan.payloads(in: tensor.unknownFields).count == 1)
  }

  @Test func refusesDamage() {
    let damaged: [[UInt8]] = [
      [0x2a], [0x2a, 0x05, 0x00], [0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f], [0x00], [0x0b], [0x0c], [0x08],
      [0x08] + [UInt8](repeating: 0x80, count: 11), [0x0d, 0, 0], [0x09, 0],
      field(5, [0x4a, 0x05, 1, 2, 3]) + [0, 0, 0],
    ]
    for bytes in damaged { expectDiagnostic("test.malformed") { _ = try scan(bytes) } }
  }

  @Test func boundsDepth() throws {
    var bytes: [UInt8] = []
    for _ in 0..<250 { bytes = field(6, bytes) }
    #expect(throws: Never.self) { _ = try scan(bytes) }
    bytes = field(6, bytes)
    expectDiagnostic("test.nesting") { _ = try scan(bytes) }
  }
}
