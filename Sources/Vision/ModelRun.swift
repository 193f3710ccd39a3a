import CoreGraphics
import CoreVideo
import Foundation

/// A model on a picture, once.
struct ModelRun {
  let model: MLModel
  /// The input that gets the picture.
  let input: String
  /// What the other inputs are.
  let others: (any MLFeatureProvider)?
  let region: CGRect
  let option: VNImageCropAndScaleOption

  /// Throws `VNError`, and what predictions throw.
  func observations(_ image: HandledImage) throws -> [VNObservation] {
    guard let constraint = model.modelDescription.inputDescriptionsByName[input]?.imageConstraint else {
      throw VNError(.invalidModel, "the model has no input '\(input)' that is an image")
    }
    guard VNNormalizedIdentityRect.contains(region), let scaling = Scaling(rawValue: option.rawValue) else {
      throw VNError(.invalidArgument, "the region of interest \(region) is no part of a picture")
    }
    let (source, orientation) = try image.source()
    let size = (width: constraint.pixelsWide, height: constraint.pixelsHigh)
    let drawing = ImageDrawing(orientation: orientation, part: region, scaling: scaling)
    let buffer = try drawing.buffer(of: source, size.width, size.height, constraint.pixelFormatType)
    let value = MLFeatureValue(pixelBuffer: buffer)
    let outputs = try model.prediction(from: PictureFeatures(name: input, value: value, others: others))
    if let classes = classifications(outputs) { return classes }
    if let detector = Detections(outputs, model.modelDescription),
      let placement = Placement(of: source.size, Orientation(orientation), part: region, scaling, into: size)
    {
      return detector.observations(placement, size)
    }
    return outputs.featureNames.sorted().compactMap { name in
      guard let value = outputs.featureValue(for: name) else { return nil }
      if let buffer = value.imageBufferValue { return VNPixelBufferObservation(name, buffer) }
      return VNCoreMLFeatureValueObservation(name, value)
    }
  }

  /// A classifier's classes by falling confidence, of equal ones by name; `nil` for other models.
  private func classifications(_ outputs: any MLFeatureProvider) -> [VNClassificationObservation]? {
    let description = model.modelDescription
    guard let name = description.predictedFeatureName else { return nil }
    if let scores = description.predictedProbabilitiesName.flatMap({ outputs.featureValue(for: $0) }) {
      return VNClassificationObservation.sorted(
        scores.dictionaryValue.map { ("\($0.key.base)", $0.value.floatValue) }
      )
    }
    guard let label = outputs.featureValue(for: name) else { return nil }
    let text = label.type == .string ? label.stringValue : "\(label.int64Value)"
    return [VNClassificationObservation(identifier: text, confidence: 1)]
  }
}

extension VNClassificationObservation {
  /// By falling confidence, of equal ones by name.
  static func sorted(_ classes: [(name: String, confidence: Float)]) -> [VNClassificationObservation] {
    classes.sorted { $0.confidence == $1.confidence ? $0.name < $1.name : $0.confidence > $1.confidence }
      .map { VNClassificationObservation(identifier: $0.name, confidence: $0.confidence) }
  }
}

/// A picture's feature, and those that an application gives beside it.
private final class PictureFeatures: MLFeatureProvider {
  private let name: String
  private let value: MLFeatureValue
  private let others: (any MLFeatureProvider)?

  init(name: String, value: MLFeatureValue, others: (any MLFeatureProvider)?) {
    (self.name, self.value, self.others) = (name, value, others)
  }

  var featureNames: Set<String> { (others?.featureNames ?? []).union([name]) }
  func featureValue(for featureName: String) -> MLFeatureValue? {
    featureName == name ? value : others?.featureValue(for: featureName)
  }
}
