import Foundation
import Testing

@testable import Segmentation

@Suite struct SegmentationTests {
  /// Made by Scripts/make_picture.py.
  private static let picture = Bundle.module.url(forResource: "Fixtures/shapes", withExtension: "png")
  private static let truth = Bundle.module.url(forResource: "Fixtures/shapes", withExtension: "json")

  private func shapes() throws -> [Shape] {
    try JSONDecoder().decode([Shape].self, from: Data(contentsOf: try #require(Self.truth)))
  }

  @Test func findsTheShapes() async throws {
    let segmenter = try Segmenter(model: try await Shapes.load().model)
    let image = try Picture.image(at: try #require(Self.picture).path)
    let output = try segmenter.output(for: image)
    let objects = try segmenter.decoded(output)
    let shapes = try shapes()
    #expect(objects.count == shapes.count)
    let scale = (x: Float(image.width) / Float(segmenter.width), y: Float(image.height) / Float(segmenter.height))
    for shape in shapes {
      func overlap(_ object: Detection) -> Float { shape.box.overlap(object.box.scaled(x: scale.x, y: scale.y)) }
      let object = try #require(objects.max { overlap($0) < overlap($1) })
      #expect(segmenter.name(object.kind) == shape.kind)
      #expect(overlap(object) > 0.85)
      let cells = (x: Float(output.maskWidth) / Float(image.width), y: Float(output.maskHeight) / Float(image.height))
      #expect(shape.overlap(object.mask, cells, width: image.width, height: image.height) > 0.85)
    }
  }

  @Test func bothWaysAgree() async throws {
    let segmenter = try Segmenter(model: try await Shapes.load().model)
    let output = try segmenter.output(for: try Picture.image(at: try #require(Self.picture).path))
    let (arrays, tensors) = (try segmenter.decoded(output), await segmenter.decodedByTensors(output))
    #expect(arrays.map { $0.kind } == tensors.map { $0.kind } && !arrays.isEmpty)
    for (a, b) in zip(arrays, tensors) {
      #expect(abs(a.score - b.score) < 1e-6 && a.box.overlap(b.box) > 0.9999)
      #expect(a.mask.columns == b.mask.columns && a.mask.rows == b.mask.rows)
      #expect(zip(a.mask.values, b.mask.values).allSatisfy { abs($0 - $1) < 1e-3 })
    }
  }

  /// The command itself, as a person runs it.
  @Test func printsAndDraws() throws {
    let result = FileManager.default.temporaryDirectory.appendingPathComponent("masks-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: result) }
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("Segmentation")
    process.arguments = [try #require(Self.picture).path, result.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let shapes = try shapes()
    let words = text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map { String($0) } }
    #expect(words.sorted() == shapes.map { $0.kind }.sorted())
    let before = try Picture(try Picture.image(at: try #require(Self.picture).path))
    let after = try Picture(try Picture.image(at: result.path))
    #expect(before.width == after.width && before.height == after.height)
    for shape in shapes {
      let (x, y) = (Int(shape.left + shape.width / 2), Int(shape.top + shape.height / 2))
      #expect(before.pixel(x, y) != after.pixel(x, y))
    }
    // Between the shapes, and in the box of a triangle but beside it, everything is as it was.
    for (x, y) in [(200, 300), (700, 250), (290, 360)] { #expect(before.pixel(x, y) == after.pixel(x, y)) }
  }

  @Test func readsNames() {
    #expect(Segmenter.names(in: "{0: 'circle', 1: \"cat's eye\"}") == ["circle", "cat's eye"])
    #expect(Segmenter.names(in: "{0: 'a\u{1b}[1m'}") == ["a[1m"])
    #expect(Segmenter.names(in: "").isEmpty)
  }
}
