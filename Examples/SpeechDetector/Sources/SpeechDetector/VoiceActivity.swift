import CoreML

/// How probable speech is in each chunk of a recording.
///
/// The model listens as a person does: what it heard before is in two vectors, `h` and `c`, that each prediction takes
/// and gives back. They are carried from chunk to chunk here, and a new recording begins with zeros.
struct VoiceActivity {
  static let sampleRate = 16_000
  /// Samples that each prediction is about.
  static let chunkSize = 512
  /// Samples before a chunk that the model wants to see again.
  private static let contextSize = 64
  private static let stateSize = 128

  let model: SileroVAD

  /// One probability for each chunk of `samples`; the last chunk is filled up with silence.
  func probabilities(_ samples: [Float]) throws -> [Float] {
    var h = MLShapedArray<Float>(repeating: 0, shape: [1, 1, Self.stateSize])
    var c = h
    var context = [Float](repeating: 0, count: Self.contextSize)
    var probabilities: [Float] = []
    for start in stride(from: 0, to: samples.count, by: Self.chunkSize) {
      var chunk = Array(samples[start..<min(start + Self.chunkSize, samples.count)])
      chunk += [Float](repeating: 0, count: Self.chunkSize - chunk.count)
      let window = MLShapedArray(scalars: context + chunk, shape: [1, Self.contextSize + Self.chunkSize])
      let output = try model.prediction(input: window, h: h, c: c)
      probabilities.append(output.speech_probsShapedArray.scalars[0])
      (h, c) = (output.hnShapedArray, output.cnShapedArray)
      context = Array(chunk.suffix(Self.contextSize))
    }
    return probabilities
  }
}
