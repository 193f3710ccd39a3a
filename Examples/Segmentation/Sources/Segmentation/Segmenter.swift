import CoreGraphics
import CoreML

/// A YOLOv8-seg network with a picture as input.
struct Segmenter {
  let model: MLModel
  /// Of the classes; their numbers where the model has none.
  let names: [String]
  var thresholds = Thresholds()
  private let input: (name: String, constraint: MLImageConstraint)

  var width: Int { input.constraint.pixelsWide }
  var height: Int { input.constraint.pixelsHigh }

  /// Throws `Problem` for a model that takes no picture.
  init(model: MLModel) throws {
    let pictures = model.modelDescription.inputDescriptionsByName.compactMap { name, description in
      description.imageConstraint.map { (name: name, constraint: $0) }
    }
    guard let input = pictures.first else { throw Problem("the model takes no picture") }
    let own = model.modelDescription.metadata[.creatorDefinedKey] as? [String: String]
    (self.model, self.input, names) = (model, input, Self.names(in: own?["names"] ?? ""))
  }

  /// The network's answer for `picture`, which is stretched to the network's size.
  func output(for picture: CGImage) throws -> NetworkOutput {
    let value = try MLFeatureValue(cgImage: picture, constraint: input.constraint)
    return try NetworkOutput(model.prediction(from: MLDictionaryFeatureProvider(dictionary: [input.name: value])))
  }

  func decoded(_ output: NetworkOutput) throws -> [Detection] {
    try ArrayDecoder(output: output, thresholds: thresholds, width: width, height: height).detections()
  }

  func decodedByTensors(_ output: NetworkOutput) async -> [Detection] {
    await TensorDecoder(output: output, thresholds: thresholds, width: width, height: height).detections()
  }

  func name(_ kind: Int) -> String { kind < names.count ? names[kind] : "class \(kind)" }

  /// The quoted words of a dictionary as exporters write it, `{0: 'circle', 1: 'square'}`, in its order. What would
  /// steer a terminal is left out.
  static func names(in text: String) -> [String] {
    var (names, word, quote) = ([String](), "", Character?.none)
    for character in text {
      if character == quote {
        names.append(word)
        (word, quote) = ("", nil)
      } else if quote == nil {
        if character == "'" || character == "\"" { quote = character }
      } else {
        word.unicodeScalars += character.unicodeScalars.filter {
          ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
      }
    }
    return names
  }
}
