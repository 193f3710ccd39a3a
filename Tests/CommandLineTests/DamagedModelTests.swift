import Foundation
import Testing

/// Models that were cut short or changed on their way: the command says what is wrong, and nothing worse happens.
@Suite struct DamagedModelTests {
  /// Runs `mlc inspect` on `data` under a limit of 1 GB of memory of its own and 10 s.
  private func status(_ data: Data, in work: Workspace) throws -> Int32 {
    let path = work.path("damaged.onnx")
    try data.write(to: URL(filePath: path))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let command = "ulimit -d 1000000; exec timeout 10 \"$0\" inspect \"$1\""
    process.arguments = ["-c", command, MLCProcess.executable.path(), path]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
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
}
