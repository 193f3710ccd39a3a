import Foundation
import Testing

/// Keras models that were changed on their way: `mlc` says what is wrong, whatever the HDF5 library does with them.
@Suite struct DamagedKerasTests {
  private struct Numbers {
    var state: UInt64
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// `data` cut short, or with up to 16 bytes changed, or with a piece of it zeroed.
  private func damaged(_ data: Data, _ numbers: inout Numbers) -> Data {
    var bytes = [UInt8](data)
    switch numbers.below(4) {
    case 0: return Data(bytes.prefix(numbers.below(bytes.count)))
    case 1:
      let start = numbers.below(bytes.count)
      for place in start..<min(bytes.count, start + 1 + numbers.below(64)) { bytes[place] = 0 }
    default: for _ in 0...numbers.below(16) { bytes[numbers.below(bytes.count)] = UInt8(numbers.below(256)) }
    }
    return Data(bytes)
  }

  /// 300 files: every run ends by itself with a diagnostic, or finds nothing wrong.
  @Test func threeHundredDamagedFiles() throws {
    let work = try Workspace()
    var numbers = Numbers(state: 5)
    var (wrong, seen): ([String], [Int32: Int]) = ([], [:])
    for index in 0..<300 {
      let name = ["dense.h5", "lstm.keras", "lstm.h5"][index % 3]
      let data = damaged(try Data(contentsOf: URL(filePath: MLCProcess.fixture(name))), &numbers)
      let path = work.path("damaged\(index).\(name.split(separator: ".")[1])")
      try data.write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let output = work.path("out.mlpackage")
      let run = try MLCProcess(
        arguments: index % 2 == 0 ? ["inspect", path] : ["convert", path, "-o", output],
        environment: ["SWIFT_BACKTRACE": "enable=no"]
      )
      seen[run.status, default: 0] += 1
      let isExplained = run.status == 0 || run.errors.contains("error: ") && run.errors.contains("[")
      if ![0, 3, 4].contains(run.status) || !isExplained { wrong.append("file \(index): \(run.status) \(run.errors)") }
    }
    print("exit codes of damaged Keras files: \(seen.sorted { $0.key < $1.key })")
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    #expect(seen[3, default: 0] > 100, "the damage was noticed in \(seen) only")
  }

  /// The structure of any HDF5 file is shown, whether or not mlc reads a model in it.
  @Test func inspectsAnyHDF5() throws {
    let run = try MLCProcess("inspect", MLCProcess.fixture("dense.h5"))
    #expect(run.status == 0)
    for text in ["/model_weights", "contiguous", "float32", "@model_config", "@layer_names"] {
      #expect(run.output.contains(text), "\(text)")
    }
    let json = try MLCProcess("inspect", MLCProcess.fixture("dense.h5"), "--json").json()
    let objects = try #require(json["objects"] as? [[String: Any]])
    #expect(objects.contains { $0["path"] as? String == "/model_weights" })
    #expect((json["inputs"] as? [[String: Any]])?.count == 1)
    let refused = try MLCProcess("inspect", MLCProcess.fixture("lambda.h5"))
    #expect(refused.status == 4)
    #expect(refused.output.contains("/model_weights"))
    #expect(refused.errors.contains("Lambda"))
  }

  /// Archives that are none, lack a part, or unpack to more than any model's description.
  @Test func archivesThatAreNone() throws {
    let work = try Workspace()
    let cut = work.path("cut")
    try Data(contentsOf: URL(filePath: MLCProcess.fixture("lstm.keras"))).prefix(1000).write(to: URL(filePath: cut))
    let cases = [
      ("keras.zip", cut), ("keras.archive", MLCProcess.fixture("classifier.npz")),
      ("keras.size", MLCProcess.fixture("huge-config.keras")),
    ]
    for (id, file) in cases {
      let path = work.path("\(id).keras")
      try FileManager.default.copyItem(atPath: file, toPath: path)
      let run = try MLCProcess("inspect", path)
      #expect(run.status == 3 && run.errors.contains("[\(id)]"), "\(run.errors)")
    }
  }
}
