import Foundation
import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

@Suite struct ONNXExternalDataTests {
  /// Runs `body` with a folder that holds `model/weights.bin` (64 bytes, 0…63) and, outside of it, `outside.bin`.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("mlc-external-\(UUID().uuidString)")
    let folder = root.appendingPathComponent("model")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    try Data(0..<64).write(to: folder.appendingPathComponent("weights.bin"))
    try Data(0..<64).write(to: root.appendingPathComponent("outside.bin"))
    try body(folder.path)
  }

  private func external(_ entries: [String: String], dims: [Int64] = [8]) -> Onnx_ModelProto {
    model(initializers: [
      .with {
        $0.name = "w"
        $0.dataType = 2
        $0.dims = dims
        $0.dataLocation = .external
        $0.externalData = entries.map { key, value in
          .with {
            $0.key = key
            $0.value = value
          }
        }
      }
    ])
  }

  @Test func readsRangesOfAFile() throws {
    try withFolder { folder in
      let whole = try read(external(["location": "weights.bin"], dims: [64]), folder: folder)
      #expect(whole.graph.initializers["w"]?.integers == Array(0..<64))
      let part = try read(
        external(["location": "./weights.bin", "offset": "3", "length": "8"]),
        folder: folder
      )
      #expect(part.graph.initializers["w"]?.integers == Array(3..<11))
      let last = try read(external(["location": "weights.bin", "offset": "56"]), folder: folder)
      #expect(last.graph.initializers["w"]?.integers == Array(56..<64))
    }
  }

  @Test func findsFilesBesideTheModel() throws {
    try withFolder { folder in
      try external(["location": "weights.bin"]).serializedData().write(to: URL(fileURLWithPath: "\(folder)/m.onnx"))
      let model = try ONNXReader.read("\(folder)/m.onnx")
      #expect(model.graph.initializers["w"]?.integers == Array(0..<8))
    }
  }

  /// A pipe that nobody writes to, a device, a folder.
  @Test func refusesWhatIsNoFile() throws {
    try withFolder { folder in
      mkfifo("\(folder)/pipe", 0o600)
      try FileManager.default.createDirectory(atPath: "\(folder)/folder", withIntermediateDirectories: false)
      for location in ["pipe", "folder"] {
        expectDiagnostic("file.not-a-file") { _ = try read(external(["location": location]), folder: folder) }
      }
    }
  }

  @Test func refusesPathsThatLeaveTheFolder() throws {
    try withFolder { folder in
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "../outside.bin")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/up", withDestinationPath: "..")
      let locations = [
        "../outside.bin", "/etc/passwd", "\(folder)/weights.bin", "sub/../weights.bin", "link", "up/outside.bin", "",
        "..",
        "weights.bin\0",
      ]
      for location in locations {
        expectDiagnostic("onnx.external-data-path") { _ = try read(external(["location": location]), folder: folder) }
      }
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/inner", withDestinationPath: "weights.bin")
      #expect(throws: Never.self) { _ = try read(external(["location": "inner"]), folder: folder) }
      expectDiagnostic("onnx.external-data-path") { _ = try read(external(["location": "weights.bin"])) }
    }
  }

  @Test func refusesWhatIsNotThere() throws {
    try withFolder { folder in
      func expect(_ id: String, _ entries: [String: String], dims: [Int64] = [8]) {
        let all = entries.merging(["location": "weights.bin"]) { own, _ in own }
        expectDiagnostic(id) { _ = try read(external(all, dims: dims), folder: folder) }
      }
      expect("onnx.external-data-missing", ["location": "absent.bin"])
      expect("onnx.external-data-range", ["offset": "57"])
      expect("onnx.external-data-range", ["offset": "-1"])
      expect("onnx.external-data-range", ["offset": "9223372036854775807"])
      expect("onnx.external-data-range", ["offset": "92233720368547758070"])
      expect("onnx.external-data-range", ["length": "eight"])
      expect("onnx.external-data-range", [:], dims: [65])
      expect("onnx.tensor-size", ["length": "9"])
      expect("onnx.tensor-shape", [:], dims: [-8])
    }
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/dir", withIntermediateDirectories: false)
      expectDiagnostic("file.not-a-file") { _ = try read(external(["location": "dir"]), folder: folder) }
    }
  }
}
