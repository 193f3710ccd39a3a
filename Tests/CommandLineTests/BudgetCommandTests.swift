import Foundation
import Testing

/// What small files may take of memory and time, seen from outside.
@Suite struct BudgetCommandTests {
  /// Constants of a kilobyte that would unfold to gigabytes: the command takes less memory than they would, whatever it
  /// makes of them.
  @Test func smallModelsTakeLittleMemory() throws {
    for name in ["doubling.onnx", "expanding.onnx"] {
      let work = try Workspace()
      let model = MLCProcess.fixture(name)
      let commands = [
        ["convert", model, "-o", work.path("a.mlpackage")],
        ["compile", model, "-o", work.path("a.mlmodelc"), "--target", "x86-64-v2"],
        ["inspect", model],
      ]
      for command in commands {
        let run = try MeasuredProcess(command)
        #expect([0, 3, 4].contains(run.status), "\(command[0]) \(name): \(run.status)\n\(run.errors)")
        #expect(run.status == 0 || run.errors.contains("error: "), "\(run.errors)")
        let peak = run.peak >> 20
        #expect(run.peak > 0 && peak < 400, "\(command[0]) \(name) takes \(peak) MiB")
      }
    }
  }

  /// What stays computed is said.
  @Test func whatStaysComputedIsNamed() throws {
    let work = try Workspace()
    let run = try MLCProcess("convert", MLCProcess.fixture("expanding.onnx"), "-o", work.path("a.mlpackage"))
    let isSaid = run.errors.contains("Expand_") && run.errors.contains("computed at run time")
    #expect(run.status == 0 && isSaid, "\(run.errors)")
    let quiet = try MLCProcess("convert", MLCProcess.fixture("classifier.onnx"), "-o", work.path("b.mlpackage"))
    #expect(quiet.status == 0 && !quiet.errors.contains("computed at run time"), "\(quiet.errors)")
  }

  @Test func resultsWithoutEndAreRefused() throws {
    let model = MLCProcess.fixture("enormous.onnx")
    let work = try Workspace()
    let input = work.path("x.json")
    try "[1]".write(toFile: input, atomically: true, encoding: .utf8)
    let run = try MLCProcess("predict", model, "--reference", "--input", "x=\(input)")
    let isNamed = run.errors.contains("Expand_0") && run.errors.contains("[budget.memory]")
    #expect(run.status == 3 && isNamed, "\(run.errors)")
    let verify = try MLCProcess("verify", model)
    #expect(verify.status == 3 && verify.errors.contains("[budget.memory]"), "\(verify.errors)")
    let inputs = ["--input", "a=\(input)", "--input", "b=\(input)"]
    let limited = try MLCProcess(
      arguments: ["predict", MLCProcess.fixture("sum.onnx"), "--reference", "--limit-memory", "3B"] + inputs
    )
    #expect(limited.status == 3 && limited.errors.contains("Add_0"), "\(limited.errors)")
  }

  @Test func timeIsLimited() throws {
    let work = try Workspace()
    let out = work.path("a.mlmodelc")
    let run = try MLCProcess("compile", MLCProcess.fixture("classifier.onnx"), "-o", out, "--limit-time", "1ms")
    #expect(run.status == 3 && run.errors.contains("[budget.time]"), "\(run.errors)")
    #expect(work.contents.isEmpty)
  }

  /// Sizes are drawn so that the model takes them.
  @Test func float16FindsSizes() throws {
    let work = try Workspace()
    let model = MLCProcess.fixture("constrained.onnx")
    let out = work.path("a.mlmodelc")
    let run = try MLCProcess("compile", model, "-o", out, "--precision", "fp16", "--target", "x86-64-v2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try MLCProcess("verify", model).status == 0)
  }

  @Test func settingsHaveLimits() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    func build(_ settings: String) throws -> MLCProcess {
      try settings.write(toFile: work.path("mlc.json"), atomically: true, encoding: .utf8)
      return try MLCProcess("build", model, "--package", work.path("out.mlmodelc"))
    }
    let late = try build(#"{"limitTime": "1ms"}"#)
    #expect(late.status == 3 && late.errors.contains("[budget.time]"), "\(late.errors)")
    let wrong = try build(#"{"limitMemory": "much"}"#)
    #expect(wrong.status == 3 && wrong.errors.contains("[settings.field]"), "\(wrong.errors)")
  }
}

/// One run of the command, and the most anonymous memory that it was seen to have.
private struct MeasuredProcess {
  let status: Int32, errors: String, peak: Int

  init(_ arguments: [String]) throws {
    let work = try Workspace()
    let process = Process()
    process.executableURL = MLCProcess.executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try Data().write(to: URL(filePath: work.path("errors")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: work.path("errors")))
    try process.run()
    var peak = 0
    while process.isRunning {
      peak = max(peak, ProcessMemory.anonymousBytes(of: process.processIdentifier))
      usleep(1000)
    }
    process.waitUntilExit()
    (status, self.peak) = (process.terminationStatus, peak)
    errors = try String(contentsOfFile: work.path("errors"), encoding: .utf8)
  }
}
