import Foundation
import Testing

@testable import Colorizer

@Suite struct ColorizerTests {
  static func picture(_ name: String) throws -> Picture {
    let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    return try Picture(contentsOf: folder.appendingPathComponent("\(name).jpg"))
  }

  /// The network has seen these; the grey picture that it gets here has no trace of their colours.
  @Test(arguments: ["astronaut", "chelsea", "coffee"])
  func aGreyPictureGetsItsColoursBack(_ name: String) async throws {
    let original = try Self.picture(name)
    let grey = original.grey
    #expect(grey.lab.allSatisfy { abs($0.a) < 1 && abs($0.b) < 1 })
    let coloured = try await Colorizer.load().colorized(grey)
    #expect(coloured.width == original.width && coloured.height == original.height)
    func distance(_ picture: Picture) -> Float {
      let distances = zip(picture.lab, original.lab).map { $0.distance(to: $1) }
      return distances.reduce(0, +) / Float(distances.count)
    }
    #expect(distance(coloured) < 0.6 * distance(grey), "\(distance(coloured)), grey \(distance(grey))")
    let change = zip(coloured.lab, grey.lab).map { abs($0.l - $1.l) }.max() ?? 100
    #expect(change < 2, "lightness changes by \(change)")
  }

  @Test func picturesAreReadAndWritten() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let picture = try Self.picture("chelsea")
    #expect(picture.width == 225 && picture.height == 150)
    try picture.write(to: file)
    #expect(try Picture(contentsOf: file) == picture)
    #expect(throws: Picture.Problem.self) { try Picture(contentsOf: URL(fileURLWithPath: #filePath)) }
  }

  @Test func planesChangeTheirSize() {
    let plane = Plane(width: 4, height: 2, values: [0, 0, 8, 8, 0, 0, 8, 8])
    #expect(plane.resized(width: 4, height: 2).values == plane.values)
    #expect(plane.resized(width: 8, height: 1).values.max() == 8)
    let narrow = plane.resized(width: 2, height: 1).values
    #expect(narrow[0] < 2 && narrow[1] > 6 && narrow[0] + narrow[1] == 8)
    let one = Plane(width: 1, height: 1, values: [3]).resized(width: 3, height: 5)
    #expect(one.values == [Float](repeating: 3, count: 15))
  }

  /// The command itself, as a person runs it, on more pictures than are worked on at once.
  @Test func theCommandColoursAGallery() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gallery-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("Colorizer")
    let names = ["astronaut", "chelsea", "coffee"]
    process.arguments = [folder.path] + names.map { fixtures.appendingPathComponent("\($0).jpg").path }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let files = names.map { folder.appendingPathComponent("\($0).png") }
    #expect(text.split(separator: "\n").map(String.init) == files.map(\.path))
    for file in files { #expect(try Picture(contentsOf: file).lab.contains { abs($0.a) + abs($0.b) > 20 }) }
  }
}
