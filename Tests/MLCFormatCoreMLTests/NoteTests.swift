import CZlib
import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import SwiftProtobuf
import Testing

/// The note that a package holds beside its Core ML form: small, read as earlier versions spelled it, never trusted.
@Suite struct NoteTests {
  /// Ten of each hundred bytes that describe the program, and not forty.
  @Test func notesTakeLittle() throws {
    let package = try Noted()
    #expect(package.note.utf8.count * 10 < package.bytes, "\(package.note.utf8.count) of \(package.bytes)")
    #expect(difference(try Noted.layers(), try CoreMLPackage.read(package.path)) == nil)
  }

  @Test func notesAreReadAsJSONToo() throws {
    let package = try Noted()
    let json = try package.json()
    #expect(json.first == UInt8(ascii: "{") && json.count > 4 * package.note.utf8.count)
    try package.set(String(decoding: json, as: UTF8.self))
    #expect(difference(try Noted.layers(), try CoreMLPackage.read(package.path)) == nil)
  }

  /// A length that is not the stream's, bytes that are no base64, no stream, or one that unpacks to far more than
  /// packed bytes should.
  @Test func damagedNotesAreRefused() throws {
    let package = try Noted()
    let fields = package.note.split(separator: ":").map(String.init)
    try #require(fields.count == 3 && fields[0] == "zlib")
    let bomb = try Noted.stream(Data(repeating: 0x20, count: 1 << 26)).base64EncodedString()
    for damaged in [
      "zlib:", "zlib:\(fields[1])", "zlib:-1:\(fields[2])", "zlib:0:\(fields[2])",
      "zlib:\(Int(fields[1])! - 1):\(fields[2])", "zlib:\(Int(fields[1])! + 1):\(fields[2])",
      "zlib:\(fields[1]):!\(fields[2])", "zlib:\(fields[1]):", "zlib:\(Int.max):\(fields[2])",
      "zlib:4:\(fields[2].prefix(fields[2].count / 8 * 4))", "zlib:\(1 << 26):\(bomb)",
    ] {
      try package.set(damaged)
      let problem = expectDiagnostic("coreml.note") { _ = try CoreMLPackage.read(package.path) }
      #expect(problem != nil, "\(damaged.prefix(40))")
    }
  }
}

/// A package, of many layers where no other is given, whose note can be changed.
final class Noted {
  private var scratch: Scratch?
  let path: String

  convenience init() throws {
    let scratch = try Scratch()
    try self.init(try Self.layers(), at: scratch.file("m.mlpackage"))
    self.scratch = scratch
  }

  init(_ program: Program, at path: String) throws {
    self.path = path
    _ = try CoreMLPackage.write(program, to: path)
  }

  /// Names as exporters write them.
  static func layers() throws -> Program {
    try program { builder in
      var x = builder.input("x", TensorType(.float32, [1, 8]))
      for layer in 0..<60 {
        let bias = builder.constant(numbers(.float32, [8]), name: "encoder.layer.\(layer).output.dense.bias")
        x = try builder(Add(), x, bias, name: "/encoder/layer.\(layer)/output/dense/Add_output_0")
        x = try builder(Tanh(), x, name: "/encoder/layer.\(layer)/output/activation/Tanh_output_0")
      }
      return [("y", x)]
    }
  }

  static func stream(_ data: Data) throws -> Data {
    var count = compressBound(uLong(data.count))
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let status = data.withUnsafeBytes { compress($0.bindMemory(to: UInt8.self), &bytes, &count) }
    try #require(status == Z_OK)
    return Data(bytes[..<Int(count)])
  }

  private static func compress(_ from: UnsafeBufferPointer<UInt8>, _ to: inout [UInt8], _ count: inout uLong) -> Int32 {
    compress2(&to, &count, from.baseAddress, uLong(from.count), Z_BEST_COMPRESSION)
  }

  private var file: URL { URL(fileURLWithPath: "\(path)/Data/com.apple.CoreML/model.mlmodel") }
  private func model() throws -> CoreML_Specification_Model {
    try CoreML_Specification_Model(serializedBytes: try Data(contentsOf: file))
  }

  var bytes: Int { (try? Data(contentsOf: file).count) ?? 0 }
  var note: String { (try? model().description_p.metadata.userDefined["com.mlc.program"]) ?? "" }

  /// What the note unpacks to.
  func json() throws -> Data {
    let fields = note.split(separator: ":")
    let length = try #require(Int(fields[1]))
    let packed = try #require(Data(base64Encoded: String(fields[2])))
    var (bytes, count) = ([UInt8](repeating: 0, count: length), uLong(length))
    let status = packed.withUnsafeBytes {
      uncompress(&bytes, &count, $0.bindMemory(to: UInt8.self).baseAddress, uLong($0.count))
    }
    try #require(status == Z_OK && count == uLong(length))
    return Data(bytes)
  }

  func set(_ note: String) throws {
    var changed = try model()
    changed.description_p.metadata.userDefined["com.mlc.program"] = note
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    let data: Data = try changed.serializedBytes(options: options)
    try data.write(to: file)
  }
}
