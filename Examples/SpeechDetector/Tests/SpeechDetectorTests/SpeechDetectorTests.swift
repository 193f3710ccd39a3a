import Foundation
import Testing

@testable import SpeechDetector

@Suite struct SpeechDetectorTests {
  /// Two sentences of a synthesiser with silence before, between and behind them; Scripts/make_recording.sh prints
  /// where.
  private static let recording = Bundle.module.url(forResource: "Fixtures/two-sentences", withExtension: "wav")

  @Test func findsBothSentences() async throws {
    let segments = try await SpeechDetector.segments(in: try #require(Self.recording))
    let sentences = [1.00...4.02, 5.52...7.84]
    try #require(segments.count == sentences.count, "\(segments)")
    for (segment, sentence) in zip(segments, sentences) {
      #expect(abs(segment.lowerBound - sentence.lowerBound) < 0.15, "\(segment)")
      #expect(abs(segment.upperBound - sentence.upperBound) < 0.15, "\(segment)")
    }
  }

  @Test func hearsNothingInSilence() async throws {
    let activity = VoiceActivity(model: try await SileroVAD.load())
    let probabilities = try activity.probabilities([Float](repeating: 0, count: 16_000))
    #expect(probabilities.count == 32)
    #expect(SegmentFinder().segments(probabilities, sampleCount: 16_000).isEmpty)
  }

  /// What the model heard before changes what it answers: the state is carried.
  @Test func remembersWhatItHeard() async throws {
    let model = try await SileroVAD.load()
    let samples = try WAVFile(try Data(contentsOf: try #require(Self.recording))).samples
    let whole = try VoiceActivity(model: model).probabilities(Array(samples[0..<30_720]))
    let tail = try VoiceActivity(model: model).probabilities(Array(samples[20_480..<30_720]))
    #expect(whole.count == 60 && tail.count == 20)
    #expect(zip(whole.suffix(20), tail).contains { abs($0 - $1) > 0.01 })
  }

  @Test func refusesWhatIsNoRecording() {
    #expect(throws: WAVFile.Problem.self) { try WAVFile(Data("RIFF".utf8)) }
    #expect(throws: WAVFile.Problem.self) { try WAVFile(Data(repeating: 0, count: 100)) }
  }

  /// The command itself, as a person runs it.
  @Test func printsOneLineASegment() throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("SpeechDetector")
    process.arguments = [try #require(Self.recording).path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.split(separator: "\n").count == 2)
  }
}
