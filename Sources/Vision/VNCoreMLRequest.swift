import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The only revision.
public let VNCoreMLRequestRevision1 = 1

/// What a model of Core ML makes of a picture.
///
/// A classifier's classes are `VNClassificationObservation`, by falling confidence; outputs `confidence` `[n, classes]`
/// and `coordinates` `[n, 4]` of a detector are `VNRecognizedObjectObservation`; of other models each output is one
/// observation, by name, `VNPixelBufferObservation` where it is an image and else `VNCoreMLFeatureValueObservation`.
open class VNCoreMLRequest: VNImageBasedRequest {
  public let model: VNCoreMLModel
  /// How the picture becomes one of the model's size.
  open var imageCropAndScaleOption = VNImageCropAndScaleOption.centerCrop

  public convenience init(model: VNCoreMLModel) { self.init(model: model, completionHandler: nil) }

  public init(model: VNCoreMLModel, completionHandler: VNRequestCompletionHandler? = nil) {
    self.model = model
    super.init(completionHandler: completionHandler)
  }

  override func copied() -> VNRequest {
    let request = VNCoreMLRequest(model: model, completionHandler: completionHandler)
    request.imageCropAndScaleOption = imageCropAndScaleOption
    request.regionOfInterest = regionOfInterest
    request.devices = devices
    return request
  }

  override func observations(_ image: HandledImage) throws -> [VNObservation] {
    let run = ModelRun(
      model: model.model,
      input: model.inputImageFeatureName,
      others: model.featureProvider,
      region: regionOfInterest,
      option: imageCropAndScaleOption
    )
    return try run.observations(image)
  }
}
