import Foundation
import Testing

/// What goes wrong in the first ten minutes: one sentence that says what to do, and the right exit code.
@Suite struct FirstMinutesTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")
  private let inputs = MLCProcess.fixture("classifier.npz")

  /// The run ends with `status`, nothing on standard output, and one line of standard error that holds each of `words`.
  private func expect(
    _ run: MLCProcess,
    _ status: Int32,
    _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(run.status == status && run.output.isEmpty, "\(run.status) \(run.output)", sourceLocation: sourceLocation)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("error: "), "\(run.errors)", sourceLocation: sourceLocation)
    for word in words { #expect(run.errors.contains(word), "\(run.errors)", sourceLocation: sourceLocation) }
  }

  @Test func wrongFile() throws {
    expect(try MLCProcess("compile", "model.onnx"), 3, "no file or folder 'model.onnx'", "[file.missing]")
    expect(try MLCProcess("verify", inputs), 3, "give an ONNX model (.onnx)", "[format.unknown]")
    let work = try Workspace()
    try Data("<!DOCTYPE html>".utf8).write(to: work.url.appending(path: "page.onnx"))
    expect(try MLCProcess("inspect", work.path("page.onnx")), 3, "[onnx.malformed]")
    try Data().write(to: work.url.appending(path: "empty.onnx"))
    expect(try MLCProcess("inspect", work.path("empty.onnx")), 3, "[onnx.malformed]")
  }

  @Test func wrongInputName() throws {
    expect(try MLCProcess("compile", classifier, "--input", "image=1,4"), 2, "no input 'image'", "'x'")
    let run = try MLCProcess("predict", classifier, "--reference", "--input", "image=\(inputs)")
    expect(run, 2, "no input 'image'", "its inputs are 'x'", "[input.unknown]")
  }

  @Test func wrongShape() throws {
    expect(try MLCProcess("compile", classifier, "--input", "x=1,5"), 2, "x", "fp32[batch, 4]", "[onnx.input-shape]")
    let misshapen = MLCProcess.fixture("classifier.misshapen.npz")
    let run = try MLCProcess("predict", classifier, "--reference", "--inputs", misshapen)
    expect(run, 3, "fp32[batch, 4]", "fp32[2, 3]", "[input.shape]")
  }

  @Test func missingCompiler() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    for environment in [["MLC_CC": "", "PATH": ""], ["PATH": "/nonexistent"]] {
      let run = try MLCProcess(arguments: ["compile", model], environment: environment)
      expect(run, 5, "sudo apt-get install clang lld", "[compiler.missing]")
      #expect(work.contents == ["classifier.onnx"])
    }
    let folder = try MLCProcess(arguments: ["compile", model], environment: ["MLC_CC": "/usr/bin/"])
    expect(folder, 5, "there is no C compiler '/usr/bin/'", "[compiler.missing]")
    // Without a compiler the reference still answers.
    let run = try MLCProcess(
      arguments: ["predict", model, "--reference", "--inputs", inputs],
      environment: ["PATH": "/nonexistent"]
    )
    #expect(run.status == 0 && !run.output.isEmpty)
  }
}
