import Foundation
import Testing

/// The command itself, as a person runs it.
@Suite final class CommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("FineTune")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func digitsAreWrittenAndLearnt() throws {
    #expect(try run("write", "1", "1", "few.csv").status == 0)
    #expect(try run("write", "2", "3", "others.csv").status == 0)
    let (status, text) = try run("learn", "few.csv", "others.csv", "learnt")
    #expect(status == 0, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("epoch ") } == 10)
    #expect(lines.suffix(3).map { $0.prefix(9) } == ["10 digits", "30 others", "360 of ot"], "\(text)")
    #expect(lines.suffix(3).allSatisfy { $0.count { $0 == "%" } == 2 })
    for file in ["loss.svg", "Digits.mlmodelc/manifest.json"] {
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("learnt/\(file)").path), "\(file)")
    }
  }

  @Test func whatItCannotDoIsSaid() throws {
    for arguments in [["write", "1", "0", "a.csv"], ["write", "x", "1", "a.csv"], ["learn", "a", "b", "c"]] {
      let (status, text) = try run(arguments[0], arguments[1], arguments[2], arguments[3])
      #expect(status == (arguments[0] == "write" ? 2 : 1) && !text.isEmpty)
    }
    let (status, text) = try run()
    #expect(status == 2 && text.hasPrefix("usage: FineTune"))
  }
}
