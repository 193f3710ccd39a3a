import CoreML
import Foundation
import Testing

@testable import QuestionAnswering

/// Other models than the package's: those of Scripts/make_fixtures.py, which point to "Oslo" and to "New York".
@Suite struct ExportTests {
  private static func answerer(_ model: String, _ more: [String] = []) async throws -> QuestionAnswerer {
    Samples.useBuiltCommand()
    let files = ["--model", try Samples.file(model).path, "--vocabulary", try Samples.vocabulary().path]
    return try await #require(Options(files + more + ["Where?"])).answerer()
  }

  /// One of a fixed length, with Google's names, and one of a range of lengths, with Apple's and no mask.
  @Test(arguments: [("pointer.onnx", 24), ("pointer.mlpackage", 40)])
  func exportsAreReadUnderTheirNames(_ model: String, _ window: Int) async throws {
    let answerer = try await Self.answerer(model)
    #expect(answerer.model.window == window)
    let long = Array(repeating: "It rained all day.", count: 12).joined(separator: " ")
    for (paragraph, answer) in [
      ("Ann lives in Oslo.", "Oslo"), ("Tom moved from Paris to New York.", "New York"), ("It rained.", nil),
      ("\(long) Tom moved to New York. \(long)", "New York"),
    ] {
      #expect(try answerer.answer("Where?", in: paragraph)?.text == answer)
      // What stands in the question answers nothing.
      #expect(try answerer.answer("Who lives in Oslo?", in: paragraph)?.text == answer)
    }
  }

  @Test func windowsAreBoundedByTheModel() async throws {
    #expect(try await Self.answerer("pointer.mlpackage", ["--window", "30"]).model.window == 30)
    await #expect(throws: QuestionError.windowTooLong(41, longest: 40)) {
      try await Self.answerer("pointer.mlpackage", ["--window", "41"])
    }
  }

  @Test func theCommandAnswers() throws {
    let text = FileManager.default.temporaryDirectory.appendingPathComponent("facts-\(UUID().uuidString).txt")
    try Data("Tom has a dog.\nAnn lives in the south\nof France.\n".utf8).write(to: text)
    defer { try? FileManager.default.removeItem(at: text) }
    let (status, output) = try Self.run(["Where does Ann live?", text.path])
    #expect(status == 0 && output.hasPrefix("the south of France (") && output.hasSuffix(" %)\n"), "\(output)")
    #expect(try Self.run(["When was Ann born?", text.path]) == (0, "no answer\n"))
    #expect(try Self.run([]).status == 2)
    #expect(try Self.run(["--window", "2000000", "Where?", "/nonexistent.txt"]).status == 1)
  }

  @Test func argumentsAreChecked() {
    #expect(Options(["Who?"])?.question == "Who?")
    #expect(Options(["--window", "64", "Who?", "a.txt"])?.window == 64)
    for wrong in [
      ["--window", "0", "Who?"], ["--window"], ["--model", "a.onnx", "Who?"], ["--cased", "Who?"], ["--other", "Who?"],
      ["Who?", "a.txt", "b.txt"], ["--vocabulary", "a.txt", "Who?"],
    ] { #expect(Options(wrong) == nil, "\(wrong)") }
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let (process, output) = (Process(), Pipe())
    (process.executableURL, process.arguments) = (Samples.program, arguments)
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
