import Foundation
import Testing

/// Models that were cut short or changed on their way: the command says what is wrong, and nothing worse happens.
@Suite struct DamagedModelTests {
  /// What `mlc inspect` on `data` ends with.
  private func status(_ data: Data, in work: Workspace) throws -> Int32 {
    let path = work.path("damaged.onnx")
    try data.write(to: URL(filePath: path))
    return try status(["inspect", path], errors: .nullDevice)
  }

  /// Runs `mlc` under a limit of 1 GB of memory of its own and 10 s.
  private func status(_ arguments: [String], errors: FileHandle) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let command = "ulimit -d 1000000; exec timeout 10 \"$0\" \"$@\""
    process.arguments = ["-c", command, MLCProcess.executable.path()] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  private struct Numbers {
    var state: UInt64 = 11
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test func cutShortAtTwoHundredPlaces() throws {
    let work = try Workspace()
    let data = try Data(contentsOf: URL(filePath: MLCProcess.fixture("classifier.onnx")))
    var wrong: [String] = []
    for step in 0..<200 {
      let length = step * (data.count - 1) / 200
      let result = try status(data.prefix(length), in: work)
      if result != 3 { wrong.append("\(length) bytes: \(result)") }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// A changed byte may leave a model that is still one (0), or ask for an operator that there is not (4).
  @Test func fiveHundredChangedBytes() throws {
    let work = try Workspace()
    let data = try Data(contentsOf: URL(filePath: MLCProcess.fixture("classifier.onnx")))
    var numbers = Numbers()
    var wrong: [String] = []
    for _ in 0..<500 {
      var changed = data
      let (place, byte) = (numbers.below(data.count), UInt8(numbers.below(256)))
      changed[changed.startIndex + place] = byte
      let result = try status(changed, in: work)
      if ![0, 3, 4].contains(result) { wrong.append("byte \(place) as \(byte): \(result)") }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// Models that are whole, and cannot be meant well: the diagnostic names the id and the node or the weight.
  @Test(arguments: [
    ("overflowing.onnx", "graph.tensor-size", "Expand_0"), ("oversized.onnx", "onnx.tensor-shape", "weight"),
    ("cyclic.onnx", "onnx.cycle", "Relu_1"), ("outside.onnx", "onnx.external-data-path", "weight"),
    ("absolute.onnx", "onnx.external-data-path", "weight"),
  ])
  func craftedModels(_ name: String, _ id: String, _ culprit: String) throws {
    let work = try Workspace()
    let folder = work.url.appending(path: "models")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.copyItem(at: MLCProcess.fixtures.appending(path: name), to: folder.appending(path: name))
    let model = work.path("models/\(name)")
    // What the model points to is there, so that only its place speaks against it.
    try Data(count: 4).write(to: work.url.appending(path: "outside.bin"))
    let log = work.url.appending(path: "errors.txt")
    for command in [["inspect", model], ["compile", model, "--target", "x86-64-v2"]] {
      try Data().write(to: log)
      let result = try status(command, errors: try FileHandle(forWritingTo: log))
      let errors = try String(contentsOf: log, encoding: .utf8)
      let isNamed = errors.contains("[\(id)]") && errors.contains(culprit)
      #expect(result == 3 && isNamed, "\(command[0]): \(result) \(errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == [name])
    }
  }
}
