import CoreVideo
import Foundation

/// How sure a model is, mostly 0 to 1.
public typealias VNConfidence = Float

/// What a request found.
open class VNObservation: NSObject, NSCopying {
  public let uuid = UUID()
  public let confidence: VNConfidence

  init(confidence: VNConfidence) { self.confidence = confidence }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A class, and how sure the model is of it.
public final class VNClassificationObservation: VNObservation {
  public let identifier: String

  init(identifier: String, confidence: VNConfidence) {
    self.identifier = identifier
    super.init(confidence: confidence)
  }

  /// Models of Core ML come without such curves.
  public var hasPrecisionRecallCurve: Bool { false }
  /// False: there is no curve.
  public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool { false }
  /// False: there is no curve.
  public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool { false }

  public override var description: String { "\(identifier) \(confidence)" }
}

/// Something in the picture.
open class VNDetectedObjectObservation: VNObservation {
  /// Where it is, in fractions of the region of interest, rows counted upwards.
  public let boundingBox: CGRect

  /// With confidence 1.
  public init(boundingBox: CGRect) {
    self.boundingBox = boundingBox
    super.init(confidence: 1)
  }

  /// With confidence 1.
  public convenience init(requestRevision: Int, boundingBox: CGRect) { self.init(boundingBox: boundingBox) }

  init(boundingBox: CGRect, confidence: VNConfidence) {
    self.boundingBox = boundingBox
    super.init(confidence: confidence)
  }
}

/// Something in the picture, and what it may be.
public final class VNRecognizedObjectObservation: VNDetectedObjectObservation {
  /// By falling confidence.
  public let labels: [VNClassificationObservation]

  init(boundingBox: CGRect, labels: [VNClassificationObservation]) {
    self.labels = labels
    super.init(boundingBox: boundingBox, confidence: labels.first?.confidence ?? 0)
  }

  public override var description: String { "\(labels.first?.description ?? "object") at \(boundingBox)" }
}

/// An output of a model.
public final class VNCoreMLFeatureValueObservation: VNObservation {
  public let featureName: String
  public let featureValue: MLFeatureValue

  init(_ name: String, _ value: MLFeatureValue) {
    (featureName, featureValue) = (name, value)
    super.init(confidence: 1)
  }
}

/// A picture that a model made.
public final class VNPixelBufferObservation: VNObservation {
  public let featureName: String?
  public let pixelBuffer: CVPixelBuffer

  init(_ name: String?, _ buffer: CVPixelBuffer) {
    (featureName, pixelBuffer) = (name, buffer)
    super.init(confidence: 1)
  }
}
