import CoreML
import Foundation
import Testing

@testable import Stickers

/// Two users teach five stickers each, by three drawings of each.
@Suite final class StickersTests {
  private static let annas: [Sketch] = [.arrow, .cup, .flower, .house, .star]
  private static let bens: [Sketch] = [.boat, .fish, .heart, .key, .tree]

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func album(_ user: String) throws -> Album { try Album(of: user, in: folder) }

  /// The drawing with a number, each of a hand of its own.
  private static func drawing(_ sketch: Sketch, _ number: Int) throws -> CGImage {
    let kind = Sketch.allCases.firstIndex(of: sketch) ?? 0
    var hand = Hand(seed: UInt64(1000 * kind + number))
    return try #require(hand.draw(sketch).image)
  }

  private static func inputs(_ sketch: Sketch, _ numbers: Range<Int>) throws -> [StickerBookInput] {
    try numbers.map { try StickerBookInput(drawingWith: drawing(sketch, $0)) }
  }

  private static func examples(_ sketches: [Sketch], _ numbers: Range<Int> = 0..<3) throws -> [StickerBookTrainingInput]
  {
    try sketches.flatMap { sketch in
      try numbers.map { try StickerBookTrainingInput(drawingWith: drawing(sketch, $0), label: sketch.rawValue) }
    }
  }

  /// The share of new drawings of `sketches` that `album` calls `label`, or by their names.
  private static func share(_ sketches: [Sketch], in album: Album, called label: String? = nil) throws -> Double {
    let labels = try sketches.map { try album.recognise(inputs($0, 10..<30)) }
    let right = zip(sketches, labels).map { sketch, labels in labels.count { $0 == label ?? sketch.rawValue } }
    return Double(right.reduce(0, +)) / Double(20 * sketches.count)
  }

  @Test(arguments: [(annas, bens), (bens, annas)])
  func threeExamplesAreEnoughAndOthersStayUnknown(_ own: [Sketch], _ others: [Sketch]) async throws {
    let album = try album("anna")
    #expect(try Self.share(own + others, in: album, called: Album.unknown) == 1)
    try await album.learn(Self.examples(own))
    let known = try Self.share(own, in: album)
    let unknown = try Self.share(others, in: album, called: Album.unknown)
    #expect(known > 0.88, "\(known)")
    #expect(unknown > 0.93, "\(unknown)")
  }

  /// What is not recognised is unknown; hardly anything is taken for another sticker.
  @Test func tenStickersAreToldApart() async throws {
    let album = try album("anna")
    try await album.learn(Self.examples(Sketch.allCases))
    let known = try Self.share(Sketch.allCases, in: album)
    let unknown = try Self.share(Sketch.allCases, in: album, called: Album.unknown)
    #expect(known > 0.92, "\(known)")
    #expect(1 - known - unknown < 0.02, "\(known), \(unknown)")
  }

  @Test func eachUserHasStickersOfTheirOwn() async throws {
    let (anna, ben) = (try album("anna"), try album("ben"))
    try await anna.learn(Self.examples([.star]))
    #expect(ben.model == StickerBook.urlOfModelInThisBundle && anna.model != ben.model)
    let star = try StickerBookTrainingInput(drawingWith: Self.drawing(.star, 0), label: "pentagram")
    try await ben.learn([star])
    let drawing = try Self.inputs(.star, 0..<1)
    #expect(try anna.recognise(drawing) == ["star"])
    #expect(try ben.recognise(drawing) == ["pentagram"])
    #expect(try album("eve").recognise(drawing) == [Album.unknown])
  }

  /// The model in memory and the one that is written and loaded answer the same, and the next lesson begins with it.
  @Test func whatIsLearntIsKept() async throws {
    let drawings = try Sketch.allCases.flatMap { try Self.inputs($0, 10..<14) }
    let updated = try await album("anna").learn(Self.examples([.star, .heart]))
    let answers = try updated.predictions(inputs: drawings).map { $0.label }
    #expect(Set(answers) == [Album.unknown, "heart", "star"])
    #expect(try album("anna").recognise(drawings) == answers)
    try await album("anna").learn(Self.examples([.house]))
    let more = try album("anna").recognise(drawings)
    #expect(Set(more) == [Album.unknown, "heart", "house", "star"])
    #expect(zip(answers, more).allSatisfy { $0 == $1 || $1 == "house" })
  }

  /// Whatever was not recognised is, once it is an example itself.
  @Test func anExampleIsRecognised() async throws {
    let album = try album("anna")
    for sketch in Sketch.allCases {
      try await album.learn(Self.examples([sketch], 0..<1))
      #expect(try album.recognise(Self.inputs(sketch, 0..<1)) == [sketch.rawValue])
    }
  }

  @Test func whatCannotBeLearntIsRefused() async throws {
    for name in ["", "..", "a/b", "a b", "../anna", "anna.mlmodelc"] {
      #expect(throws: Album.Problem.self) { try Album(of: name, in: self.folder) }
    }
    let album = try album("anna")
    for label in ["", Album.unknown] {
      let example = try StickerBookTrainingInput(drawingWith: Self.drawing(.star, 0), label: label)
      await #expect(throws: Album.Problem.self) { try await album.learn([example]) }
    }
    await #expect(throws: MLModelError.self) { try await album.learn([]) }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
