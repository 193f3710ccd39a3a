import CoreGraphics
import Foundation
import ImageIO
import Testing
import Vision

@testable import PhotoLabels

/// Photos are Scripts/train.py's, which the model has not seen.
@Suite struct PhotoLabelsTests {
  private static func file(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appendingPathComponent(name)
  }

  /// As it is stored.
  private static func image(_ name: String) throws -> CGImage {
    let source = try #require(CGImageSourceCreateWithURL(try file(name), nil))
    return try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
  }

  /// Photos from 64 × 64 to 640 × 480, wide and high ones, by both of Vision's interfaces.
  @Test(arguments: ["stop", "warning", "yield", "turn left", "turn right", "no entry", "no sign"])
  func photosOfAllSizesGetTheirLabels(_ label: String) async throws {
    let labeller = try await PhotoLabeller.load()
    let photo = Photo(try Self.file(label.replacingOccurrences(of: " ", with: "-") + ".jpg"))
    let labels = try await labeller.labels(of: photo)
    #expect(labels.count == 7)
    #expect(labels[0].name == label && labels[0].confidence > 0.6, "\(labels)")
    #expect(abs(labels.reduce(0) { $0 + $1.confidence } - 1) < 0.01)
    #expect(zip(labels, labels.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    #expect(try labeller.labelsWithVN(of: photo) == labels)
  }

  /// A camera held in any way writes what is upright into the file, in Exif; a mirrored left is a right.
  @Test(arguments: CGImagePropertyOrientation.allCases)
  func everyOrientationGetsTheSameLabel(_ orientation: CGImagePropertyOrientation) async throws {
    let labeller = try await PhotoLabeller.load()
    let name = "orientation-\(orientation.rawValue).jpg"
    let (file, stored) = (try Self.file(name), try Self.image(name))
    for photo in [Photo(file), Photo(stored, orientation: orientation)] {
      let labels = try await labeller.labels(of: photo)
      #expect(labels[0].name == "turn left" && labels[0].confidence > 0.6, "\(labels)")
      #expect(try labeller.labelsWithVN(of: photo) == labels)
    }
  }

  /// What is said goes before what the file says, and an image says nothing.
  @Test func aWrongOrientationGetsAnotherLabel() async throws {
    let labeller = try await PhotoLabeller.load()
    let (file, stored) = (try Self.file("orientation-2.jpg"), try Self.image("orientation-2.jpg"))
    for photo in [Photo(file, orientation: .up), Photo(stored)] {
      #expect(try await labeller.labels(of: photo)[0].name == "turn right")
      #expect(try labeller.labelsWithVN(of: photo)[0].name == "turn right")
    }
    let upsideDown = Photo(try Self.file("warning.jpg"), orientation: .down)
    #expect(try await labeller.labels(of: upsideDown)[0].name == "yield")
  }

  /// The sign stands at the left of a panorama more than twice as wide as it is high.
  @Test func cropAndScaleSayWhatIsSeen() async throws {
    let labeller = try await PhotoLabeller.load()
    let photo = Photo(try Self.file("panorama.png"))
    var seen: [Fitting: Label] = [:]
    for fitting in Fitting.allCases {
      let labels = try await labeller.labels(of: photo, fitting: fitting)
      seen[fitting] = labels[0]
      #expect(try labeller.labelsWithVN(of: photo, fitting: fitting) == labels)
    }
    // The middle has nothing of it.
    #expect(seen[.crop]?.name == "no sign")
    #expect(seen[.fit]?.name == "stop" && seen[.fill]?.name == "stop", "\(seen)")
    let left = CGRect(x: 0, y: 0, width: 0.42, height: 1)
    let labels = try await labeller.labels(of: photo, region: NormalizedRect(normalizedRect: left))
    #expect(labels[0].name == "stop" && labels[0].confidence > 0.6, "\(labels)")
    #expect(try labeller.labelsWithVN(of: photo, region: left) == labels)
  }

  @Test func aSquarePhotoIsTheSameHoweverItFits() async throws {
    let labeller = try await PhotoLabeller.load()
    let photo = Photo(try Self.file("turn-left.jpg"))
    let middle = CGRect(x: 54, y: 0, width: 303, height: 303)
    let square = try #require(try Self.image("turn-left.jpg").cropping(to: middle))
    let crop = try await labeller.labels(of: photo, fitting: .crop)
    #expect(crop[0].name == "turn left")
    for fitting in Fitting.allCases {
      let labels = try await labeller.labels(of: Photo(square), fitting: fitting)
      for label in labels {
        let other = crop.first { $0.name == label.name }
        #expect(abs(label.confidence - (other?.confidence ?? -1)) < 0.01, "\(label), cropped \(crop)")
      }
    }
  }

  @Test func whatIsNoPhotoIsRefused() async throws {
    let labeller = try await PhotoLabeller.load()
    for file in [#filePath, "/nonexistent.jpg"] {
      let photo = Photo(URL(fileURLWithPath: file))
      await #expect(throws: (any Error).self) { try await labeller.labels(of: photo) }
      #expect(throws: (any Error).self) { try labeller.labelsWithVN(of: photo) }
    }
  }

  /// The command itself, as a person runs it.
  @Test func theCommandPrintsLabels() throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("PhotoLabels")
    let files = [try Self.file("stop.jpg").path, try Self.file("orientation-6.jpg").path]
    process.arguments = ["--crop"] + files
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = text.split(separator: "\n").map { String($0) }
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("\(files[0]): stop ") && lines[0].hasSuffix(" %"))
    #expect(lines[1].hasPrefix("\(files[1]): turn left "))
  }
}
