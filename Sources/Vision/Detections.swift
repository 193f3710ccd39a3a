import CoreGraphics
import Foundation

/// What a detector with suppression of boxes gives: a row of confidences and one of centre, width and height for each
/// box, in fractions of the model's picture, rows counted downwards.
struct Detections {
  private let confidences: MLMultiArray, boxes: MLMultiArray
  private let labels: [String]

  /// `nil` for models whose outputs are others than `confidence: [n, classes]` and `coordinates: [n, 4]`.
  init?(_ outputs: any MLFeatureProvider, _ description: MLModelDescription) {
    guard outputs.featureNames == ["confidence", "coordinates"],
      let confidences = outputs.featureValue(for: "confidence")?.multiArrayValue,
      let boxes = outputs.featureValue(for: "coordinates")?.multiArrayValue,
      confidences.shape.count == 2, boxes.shape.count == 2, boxes.shape[1] == 4,
      confidences.shape[0] == boxes.shape[0]
    else { return nil }
    (self.confidences, self.boxes) = (confidences, boxes)
    labels = Detections.labels(confidences.shape[1].intValue, description)
  }

  /// The model's class labels; else, of as many as there are, what its metadata names under `classes`, separated by
  /// commas; else numbers.
  private static func labels(_ count: Int, _ description: MLModelDescription) -> [String] {
    if let labels = description.classLabels, labels.count == count { return labels.map { "\($0)" } }
    let own = description.metadata[.creatorDefinedKey] as? [String: String]
    let names = own?["classes"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    return names.count == count ? names : (0..<count).map { "\($0)" }
  }

  /// The boxes that have any confidence, as they lie in the region of the picture that `placement` drew into `size`.
  func observations(_ placement: Placement, _ size: (width: Int, height: Int)) -> [VNRecognizedObjectObservation] {
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    return (0..<boxes.shape[0].intValue).compactMap { row in
      let scores = labels.indices.map { confidences[row * labels.count + $0].floatValue }
      guard scores.contains(where: { $0 > 0 }) else { return nil }
      let box = (0..<4).map { CGFloat(boxes[row * 4 + $0].doubleValue) }
      let rect = CGRect(
        x: (box[0] - box[2] / 2) * width,
        y: (box[1] - box[3] / 2) * height,
        width: box[2] * width,
        height: box[3] * height
      )
      let found = VNClassificationObservation.sorted(zip(labels, scores).map { (name: $0, confidence: $1) })
      return VNRecognizedObjectObservation(boundingBox: placement.original(rect), labels: found)
    }
  }
}
