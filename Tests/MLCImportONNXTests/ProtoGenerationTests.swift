import Foundation
import ONNXProto
import SwiftProtobuf
import Testing

/// The generated Swift and the schemas in `Specs` say the same, and so does `protoc`.
@Suite struct ProtoGenerationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func executable(_ name: String, in folders: [String]) -> String? {
    folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
  private static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
  static let protoc = executable("protoc", in: path)
  static let plugin = executable("protoc-gen-swift", in: [root.path + "/.build/release"] + path)

  /// Standard output of a command that must succeed.
  private func run(_ command: String, _ arguments: [String], input: URL? = nil, plugin: String? = nil) throws -> String
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      plugin.map { ["PROTOC_GEN_SWIFT": $0] } ?? [:]
    ) { $1 }
    if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command) failed")
    return String(decoding: data, as: UTF8.self)
  }

  /// Never skipped: `make test` installs the one program and builds the other.
  @Test func generatedCodeIsCurrent() throws {
    try #require(Self.protoc != nil, "protoc is not installed: run 'make setup'")
    try #require(Self.plugin != nil, "protoc-gen-swift is not built: swift build -c release --product protoc-gen-swift")
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("mlc-proto-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    _ = try run(Self.root.path + "/Specs/generate.sh", [scratch.path], plugin: Self.plugin)
    for folder in ["Converters/ONNX/Proto", "Converters/CoreML/Proto"] {
      let checkedIn = Self.root.appendingPathComponent(folder)
      let fresh = scratch.appendingPathComponent(folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: fresh.path).sorted()
      #expect(try FileManager.default.contentsOfDirectory(atPath: checkedIn.path).sorted() == names)
      for name in names {
        let same = FileManager.default.contentsEqual(
          atPath: checkedIn.appendingPathComponent(name).path,
          andPath: fresh.appendingPathComponent(name).path
        )
        #expect(same, "\(folder)/\(name) is stale: run Specs/generate.sh")
      }
    }
  }

  /// Field names in order of printing, without repeats in a row: the two printers abbreviate lists differently.
  private func fields(_ text: String) -> [String] {
    var names: [String] = []
    for line in text.split(separator: "\n") {
      let name = String(line.prefix { $0 != ":" && $0 != "{" }).trimmingCharacters(in: .whitespaces)
      if names.last != name || name == "}" { names.append(name) }
    }
    return names
  }

  @Test(arguments: ["attributes.onnx", "control.onnx", "tensors_small.onnx", "tensors_large.onnx"])
  func protocDecodesTheSameFields(file: String) throws {
    let url = URL(fileURLWithPath: try fixture(file))
    let arguments = ["--decode=onnx.ModelProto", "-I", Self.root.path + "/Specs/onnx", "onnx.proto"]
    let theirs = fields(
      try run(try #require(Self.protoc, "protoc is not installed: run 'make setup'"), arguments, input: url)
    )
    let ours = fields(try Onnx_ModelProto(serializedBytes: Data(contentsOf: url)).textFormatString())
    #expect(theirs == ours)
    #expect(!theirs.contains { Int($0) != nil }, "\(file) has fields that the schema lacks")
  }
}
