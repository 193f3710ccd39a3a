import Foundation
import Testing

/// `mlc tune`, and what `mlc compile` does with what it writes.
@Suite struct TuneTests {
  @Test func tunedPackagesVerify() throws {
    let work = try Workspace()
    let (file, package) = (work.path("d.json"), work.path("c.mlmodelc"))
    let model = MLCProcess.fixture("classifier.onnx")
    let tune = ["tune", model, "-o", file, "--target", "x86-64-v2", "--iterations", "1", "--json"]
    let report = try MLCProcess(arguments: tune).json()
    let problems = try #require(report["problems"] as? [[String: Any]])
    #expect(!problems.isEmpty && report["file"] as? String == file)
    for problem in problems {
      let candidates = try #require(problem["candidates"] as? [[String: Any]])
      let times = candidates.compactMap { $0["ns"] as? Double }
      #expect(candidates.count > 1 && times.count == candidates.count)
    }
    let compile = ["compile", model, "-o", package, "--target", "x86-64-v2", "--device-file", file]
    let choices = try MLCProcess(arguments: compile + ["--explain", "--json"]).json()
    let target = try #require((choices["targets"] as? [[String: Any]])?.first)
    let chosen = try #require(target["choices"] as? [[String: Any]]).compactMap {
      ($0["candidates"] as? [[String: Any]])?.first
    }
    // The fastest is taken wherever it was measured.
    #expect(chosen.contains { $0["ns"] is Double })
    #expect(try MLCProcess("verify", model, package).status == 0)
  }

  @Test func refusesMeasurementsOfOtherDevices() throws {
    let work = try Workspace()
    let file = work.path("d.json")
    let text =
      "{\"format\": \"mlc-device\", \"version\": 1, \"tool\": \"mlc\", \"device\": \"armv8-a\", \"cpu\": \"\", "
      + "\"threads\": 1, \"problems\": []}"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let model = MLCProcess.fixture("classifier.onnx")
    let arguments = ["compile", model, "-o", work.path("c.mlmodelc"), "--target", "x86-64-v2", "--device-file", file]
    let run = try MLCProcess(arguments: arguments)
    #expect(run.status == 2 && run.errors.contains("[device-file.target]"), "\(run.errors)")
    for (old, new) in [("mlc-device", "mlc-package"), ("\"version\": 1", "\"version\": 2"), ("[]", "[1]")] {
      try text.replacing(old, with: new).write(toFile: file, atomically: true, encoding: .utf8)
      let run = try MLCProcess(arguments: arguments)
      #expect(run.status == 3 && run.errors.contains("[device-file.format]"), "\(run.errors)")
    }
  }
}
