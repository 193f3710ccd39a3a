import Foundation
import Testing

/// The command itself, as a person runs it.
@Suite final class CommandTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func run(_ arguments: String) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("Stickers")
    process.arguments = arguments.split(separator: " ").map { String($0) }
    process.currentDirectoryURL = folder
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func drawingsAreLearntAndRecognised() throws {
    for number in 1...4 { #expect(try run("draw star \(number) star\(number).png").status == 0) }
    #expect(try run("draw boat 1 boat.png").status == 0)
    #expect(try run("recognise albums anna star4.png").text == "star4.png: unknown\n")
    let learnt = try run("learn albums anna star star1.png star2.png star3.png")
    #expect(learnt.status == 0 && learnt.text.hasPrefix("anna has taught 3 drawings of 'star'"), "\(learnt.text)")
    let answer = try run("recognise albums anna star4.png boat.png")
    #expect(answer.text == "star4.png: star\nboat.png: unknown\n")
    #expect(try run("recognise albums ben star4.png").text == "star4.png: unknown\n")
  }

  @Test(arguments: [
    ("", 2), ("learn albums anna star", 2), ("recognise albums anna", 2), ("draw star x a.png", 2),
    ("draw cat 1 a.png", 2),
    ("recognise albums ../anna a.png", 1), ("recognise albums anna nothing.png", 1),
    ("learn albums anna star nothing.png", 1), ("draw star 1 nowhere/a.png", 1),
  ])
  func whatItCannotDoIsSaid(_ arguments: String, _ status: Int32) throws {
    let answer = try run(arguments)
    #expect(answer.status == status && !answer.text.isEmpty, "\(answer.text)")
    #expect(answer.text.hasPrefix("usage: Stickers") == (status == 2))
  }
}
