import Foundation

/// Prints where a recording has speech, one segment a line: its start and its end in seconds.
@main struct SpeechDetector {
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      complain("usage: SpeechDetector RECORDING.wav")
      exit(2)
    }
    do {
      for segment in try await segments(in: URL(fileURLWithPath: CommandLine.arguments[1])) {
        print(String(format: "%.2f %.2f", segment.lowerBound, segment.upperBound))
      }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// The stretches of speech in the WAV file at `url`, in seconds.
  static func segments(in url: URL) async throws -> [ClosedRange<Double>] {
    let recording = try WAVFile(try Data(contentsOf: url))
    guard recording.sampleRate == VoiceActivity.sampleRate else {
      throw WAVFile.Problem("the recording has \(recording.sampleRate) samples a second; the model takes 16000")
    }
    let activity = VoiceActivity(model: try await SileroVAD.load())
    let probabilities = try activity.probabilities(recording.samples)
    return SegmentFinder().segments(probabilities, sampleCount: recording.samples.count)
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
