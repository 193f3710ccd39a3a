import Foundation

/// A model that takes a picture.
public final class VNCoreMLModel: NSObject {
  /// What requests run.
  let model: MLModel
  /// The input that gets the picture: the first that is an image, by name. Another may be named.
  public var inputImageFeatureName: String
  /// What the model's other inputs are.
  public var featureProvider: (any MLFeatureProvider)?

  /// Throws `VNErrorCode.invalidModel` where no input of the model is an image.
  public convenience init(for model: MLModel) throws { try self.init(model) }

  init(_ model: MLModel) throws {
    self.model = model
    inputImageFeatureName = try VNCoreMLModel.imageInput(of: model)
  }

  static func imageInput(of model: MLModel) throws -> String {
    let inputs = model.modelDescription.inputDescriptionsByName
    if let name = inputs.filter({ $0.value.type == .image }).keys.min() { return name }
    let names = inputs.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
    throw VNError(
      .invalidModel,
      "no input of the model is an image, only \(names); 'mlc convert --image-input NAME=rgb' makes one"
    )
  }
}
