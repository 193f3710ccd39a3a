import CoreML

/// What stands in pictures of single lines.
struct LineReader {
  /// Of the pictures, in pixels.
  static let height = 48

  private let model: TextRecogniser
  /// The characters by class, after the first class, which stands for none.
  private let alphabet: [String]

  /// Throws when the model does not carry its alphabet.
  init(model: TextRecogniser) throws {
    let own = model.model.modelDescription.metadata[.creatorDefinedKey] as? [String: String]
    guard let characters = own?["character"] else { throw Picture.Problem("the recogniser has no alphabet") }
    self.model = model
    // The last class is the space.
    alphabet = characters.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } + [" "]
  }

  /// The text of each of `lines`, and the mean probability of its characters.
  func read(_ lines: [Picture]) throws -> [(text: String, confidence: Float)] {
    let half: [Float] = [0.5, 0.5, 0.5]
    let inputs = lines.map { TextRecogniserInput(x: $0.tensor(mean: half, deviation: half)) }
    return try model.predictions(inputs: inputs).map { decode($0.softmax_11_tmp_0ShapedArray) }
  }

  /// `probabilities` is [1, columns, classes]. The most probable class of each column; repetitions count once, and the
  /// first class separates characters.
  private func decode(_ probabilities: MLShapedArray<Float>) -> (text: String, confidence: Float) {
    let (columns, classes) = (probabilities.shape[1], probabilities.shape[2])
    var (text, sum, count, last) = ("", Float(0), 0, 0)
    probabilities.withUnsafeShapedBufferPointer { values, _, _ in
      for column in 0..<columns {
        let (from, through) = (column * classes, (column + 1) * classes)
        var best = from
        for index in from..<through where values[index] > values[best] { best = index }
        let character = best - from
        if character != 0 && character != last && character <= alphabet.count {
          text += alphabet[character - 1]
          sum += values[best]
          count += 1
        }
        last = character
      }
    }
    return (text.trimmingSpaces, count == 0 ? 0 : sum / Float(count))
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
