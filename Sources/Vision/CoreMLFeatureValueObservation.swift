import Foundation

/// An output of a model that is no picture. Its value goes into archives as `MLFeatureValue` does.
public struct CoreMLFeatureValueObservation: VisionObservation {
  public let uuid: UUID
  public let confidence: Float
  public let originatingRequestDescriptor: RequestDescriptor?
  public let featureName: String
  public let featureValue: MLSendableFeatureValue

  /// `nil` for values that do not go from task to task.
  public init?(_ observation: VNCoreMLFeatureValueObservation) { self.init(observation, nil) }

  init?(_ observation: VNCoreMLFeatureValueObservation, _ descriptor: RequestDescriptor?) {
    guard let value = MLSendableFeatureValue(observation.featureValue) else { return nil }
    (uuid, confidence, featureName) = (observation.uuid, observation.confidence, observation.featureName)
    (featureValue, originatingRequestDescriptor) = (value, descriptor)
  }

  /// Values are compared, and found by what else the observation says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(uuid)
    hasher.combine(featureName)
  }

  public var description: String { "\(featureName): \(featureValue)" }
}

extension CoreMLFeatureValueObservation {
  private enum CodingKeys: String, CodingKey {
    case uuid, confidence, originatingRequestDescriptor, featureName, featureValue
  }

  /// Throws `DecodingError.dataCorrupted` for a value that is none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    uuid = try values.decode(UUID.self, forKey: .uuid)
    confidence = try values.decode(Float.self, forKey: .confidence)
    featureName = try values.decode(String.self, forKey: .featureName)
    let key = CodingKeys.originatingRequestDescriptor
    originatingRequestDescriptor = try values.decodeIfPresent(RequestDescriptor.self, forKey: key)
    let archive = try values.decode(Data.self, forKey: .featureValue)
    guard let object = try? NSKeyedUnarchiver.unarchivedObject(ofClass: MLFeatureValue.self, from: archive),
      let value = MLSendableFeatureValue(object)
    else {
      let problem = "no value of a feature"
      throw DecodingError.dataCorruptedError(forKey: .featureValue, in: values, debugDescription: problem)
    }
    featureValue = value
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(uuid, forKey: .uuid)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(featureName, forKey: .featureName)
    try values.encodeIfPresent(originatingRequestDescriptor, forKey: .originatingRequestDescriptor)
    let object = MLFeatureValue(featureValue)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    try values.encode(archive, forKey: .featureValue)
  }
}
