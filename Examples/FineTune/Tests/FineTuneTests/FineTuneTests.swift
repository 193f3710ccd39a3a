import CoreML
import Foundation
import Testing

@testable import FineTune

@Suite final class FineTuneTests {
  private struct Lesson: Sendable {
    let reader: DigitReader
    let losses: [Double]
  }

  /// Five of each digit, of a hand that writes others in the tests.
  private static let lesson = Task {
    var hand = Hand(seed: 1)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mlmodelc", isDirectory: true)
    let (reader, losses) = try await DigitReader.original.learn(hand.digits(5), to: url)
    return Lesson(reader: reader, losses: losses)
  }

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test func aHandIsReadBetterThanBefore() async throws {
    var hand = Hand(seed: 2)
    let others = hand.digits(20)
    #expect(try DigitReader.original.accuracy(others) < 0.7)
    #expect(try await Self.lesson.value.reader.accuracy(others) > 0.95)
  }

  /// What the network could before is worth something still: a guess would be right once in ten.
  @Test func otherHandsAreNotForgotten() async throws {
    let others = try Digit.heldOut()
    #expect(others.count == 360)
    #expect(try DigitReader.original.accuracy(others) > 0.92)
    #expect(try await Self.lesson.value.reader.accuracy(others) > 0.84)
  }

  @Test func theLossFallsInEachEpoch() async throws {
    let losses = try await Self.lesson.value.losses
    #expect(losses.count == 10)
    #expect(zip(losses, losses.dropFirst()).allSatisfy { $0 > $1 }, "\(losses)")
    #expect(losses[9] < losses[0] / 5, "\(losses)")
  }

  @Test(arguments: ["conv0", "conv1", "dense"])
  func everyLayerIsTrained(_ layer: String) async throws {
    let key = MLParameterKey.weights.scoped(to: layer)
    let weights = try await [DigitReader.original, Self.lesson.value.reader].map { reader in
      let value = try Digits(contentsOf: reader.url).model.parameterValue(for: key)
      return MLShapedArray<Float>(try #require(value as? MLMultiArray)).scalars
    }
    #expect(weights[0].count == weights[1].count && weights[0] != weights[1])
  }

  @Test func theSameDigitsTeachTheSame() async throws {
    var hand = Hand(seed: 3)
    let digits = hand.digits(1)
    let first = try await DigitReader.original.learn(digits, to: folder.appendingPathComponent("first.mlmodelc"))
    let second = try await DigitReader.original.learn(digits, to: folder.appendingPathComponent("second.mlmodelc"))
    #expect(first.losses == second.losses)
    let answers = try [first.reader, second.reader].map { reader in
      try Digits(contentsOf: reader.url).predictions(inputs: digits.map { DigitsInput(counts: $0.array) })
        .map { $0.probabilities }
    }
    #expect(answers[0] == answers[1])
  }

  /// A lesson may follow a lesson.
  @Test func whatWasLearntLearnsMore() async throws {
    var hand = Hand(seed: 4)
    let reader = try await Self.lesson.value.reader
    let more = try await reader.learn(hand.digits(1), to: folder.appendingPathComponent("more.mlmodelc"))
    #expect(try await more.losses[0] < Self.lesson.value.losses[0] / 2)
  }

  @Test func filesAreReadAsTheyAreWritten() throws {
    var (hand, same, other) = (Hand(seed: 5), Hand(seed: 5), Hand(seed: 6))
    let digits = hand.digits(2)
    #expect(digits.map(\.value) == Array(0..<10) + Array(0..<10))
    #expect(digits == same.digits(2) && digits != other.digits(2))
    let file = folder.appendingPathComponent("digits.csv")
    try Digit.write(digits, to: file)
    #expect(try Digit.read(file) == digits)
  }

  @Test func whatIsNoDigitIsRefused() throws {
    let blank = String(repeating: "0,", count: 64)
    for (text, place) in [
      ("", "no digits"), (blank + "10", "line 1"), (blank + "1\n" + blank, "line 2"), (blank + "0,1", "line 1"),
      ("17," + blank.dropFirst(2) + "1", "line 1"), ("x," + blank.dropFirst(2) + "1", "line 1"),
      (blank.dropFirst(2) + "1", "line 1"), ("x," + blank + "1", "line 1"),
    ] {
      let file = folder.appendingPathComponent("digits.csv")
      try text.write(to: file, atomically: true, encoding: .utf8)
      let problem = #expect(throws: Digit.Problem.self) { try Digit.read(file) }
      #expect(problem?.description.contains(place) == true, "\(text): \(problem?.description ?? "")")
    }
    #expect(throws: (any Error).self) { try Digit.read(URL(fileURLWithPath: "/nonexistent.csv")) }
  }
}
