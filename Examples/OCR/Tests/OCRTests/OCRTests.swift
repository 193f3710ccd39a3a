import Foundation
import Testing

@testable import OCR

@Suite struct OCRTests {
  /// Made by Scripts/make_page.py.
  private static let page = Bundle.module.url(forResource: "Fixtures/page", withExtension: "png")
  private static let text = [
    "Compiled on Linux", "The quick brown fox jumps over", "the lazy dog, twice a day.", "Invoice 20461",
    "Room 7, 2nd floor", "Handle with care",
  ]

  @Test func readsThePage() async throws {
    let page = try Picture(png: try #require(Self.page).path)
    let lines = try await PageReader.load().lines(of: page)
    #expect(lines.map { $0.text } == Self.text)
    // The last line stands at 12 degrees, rising to the right.
    let slanted = try #require(lines.last).box.direction
    #expect(abs(atan2(-slanted.y, slanted.x) * 180 / .pi - 12) < 3)
  }

  /// The command itself, as a person runs it.
  @Test func printsTheTextAndDrawsTheBoxes() throws {
    let boxes = FileManager.default.temporaryDirectory.appendingPathComponent("boxes-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: boxes) }
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OCR")
    process.arguments = [try #require(Self.page).path, boxes.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.split(separator: "\n").map { String($0) } == Self.text)
    let (before, after) = (try Picture(png: try #require(Self.page).path), try Picture(png: boxes.path))
    #expect(after.width == before.width && after.height == before.height)
    // Around a line of text there is red, inside and far from it everything is as it was.
    let changed = zip(before.pixels, after.pixels).filter { $0 != $1 }.count
    #expect(changed > 6 * 300 && changed < before.pixels.count / 10)
  }

  @Test func refusesWhatIsNoPicture() {
    #expect(throws: Picture.Problem.self) { try Picture(png: #filePath) }
    #expect(throws: Picture.Problem.self) { try Picture(png: "/nonexistent.png") }
  }

  @Test func boxesFollowTheText() throws {
    let diamond = [Point(x: 0, y: 10), Point(x: 40, y: 0), Point(x: 42, y: 8), Point(x: 2, y: 18)]
    let box = try #require(RotatedBox(around: diamond))
    #expect(abs(box.width - 41.23) < 0.1 && abs(box.height - 8.25) < 0.1)
    #expect(box.direction.x > 0.9 && box.direction.y < -0.2)
    #expect(abs(box.centre.x - 21) < 0.01 && abs(box.centre.y - 9) < 0.01)
    let upright = try #require(
      RotatedBox(around: [.init(x: 0, y: 0), .init(x: 4, y: 0), .init(x: 4, y: 30), .init(x: 0, y: 30)])
    )
    #expect(upright.width == 30 && upright.height == 4 && upright.direction == Point(x: 0, y: -1))
  }
}
