import Foundation

/// How a picture becomes one of a model's size.
public enum ImageCropAndScaleAction: CaseIterable, Codable, Hashable, Sendable {
  /// The largest middle part of the model's proportions.
  case centerCrop
  /// All of it in the middle, between bars of black.
  case scaleToFit
  /// All of it, its proportions changed.
  case scaleToFill
  /// Turned counterclockwise by 90°, then as `scaleToFit`.
  case scaleToFitPlus90CCWRotation
  /// Turned counterclockwise by 90°, then as `scaleToFill`.
  case scaleToFillPlus90CCWRotation

  var option: VNImageCropAndScaleOption {
    switch self {
    case .centerCrop: .centerCrop
    case .scaleToFit: .scaleFit
    case .scaleToFill: .scaleFill
    case .scaleToFitPlus90CCWRotation: .scaleFitRotate90CCW
    case .scaleToFillPlus90CCWRotation: .scaleFillRotate90CCW
    }
  }
}

/// A model that takes a picture. Containers are the same where model and input are.
public struct CoreMLModelContainer: Hashable, @unchecked Sendable {  // the provider is only read
  let model: MLModel
  let featureProvider: (any MLFeatureProvider)?
  /// The input that gets the picture: the first that is an image, by name. Another may be named.
  public var inputImageFeatureName: String

  /// `featureProvider` says what the model's other inputs are. Throws `VNErrorCode.invalidModel` where no input of the
  /// model is an image.
  public init(model: MLModel, featureProvider: (any MLFeatureProvider)? = nil) throws {
    (self.model, self.featureProvider) = (model, featureProvider)
    inputImageFeatureName = try VNCoreMLModel.imageInput(of: model)
  }

  public static func == (a: CoreMLModelContainer, b: CoreMLModelContainer) -> Bool {
    a.model === b.model && a.featureProvider === b.featureProvider
      && a.inputImageFeatureName == b.inputImageFeatureName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(model))
    hasher.combine(inputImageFeatureName)
  }
}

/// What a model of Core ML makes of a picture.
///
/// A classifier's classes are `ClassificationObservation`, by falling confidence; what a detector finds is
/// `RecognizedObjectObservation`; of other models each output is one observation, by name, `PixelBufferObservation`
/// where it is an image and else `CoreMLFeatureValueObservation`.
public struct CoreMLRequest: ImageProcessingRequest {
  public typealias Result = [any VisionObservation]

  /// What may change in what a request finds.
  public enum Revision: Codable, Hashable, Sendable, Comparable {
    case revision1
  }

  public static let supportedRevisions: [Revision] = [.revision1]

  public let modelContainer: CoreMLModelContainer
  public let revision: Revision
  public var regionOfInterest = NormalizedRect.fullImage
  /// How the picture becomes one of the model's size.
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill
  private var devices = StageDevices<ComputeStage>()

  public init(model: CoreMLModelContainer, _ revision: CoreMLRequest.Revision? = nil) {
    (modelContainer, self.revision) = (model, revision ?? .revision1)
  }

  /// A classifier's classes; `nil` for other models.
  public var supportedIdentifiers: [String]? {
    modelContainer.model.modelDescription.classLabels.map { $0.map { "\($0)" } }
  }

  public func computeDevice(for computeStage: ComputeStage) -> MLComputeDevice? { devices[computeStage] }
  public mutating func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: ComputeStage) {
    devices[computeStage] = computeDevice
  }

  public var descriptor: RequestDescriptor { .coreMLRequest(revision) }
  public var description: String { "CoreMLRequest of the input '\(modelContainer.inputImageFeatureName)'" }

  public func result(_ found: [any VisionObservation]) -> VisionResult { .coreML(self, found) }

  public func find(in image: RequestImage) throws -> [any VisionObservation] {
    let run = ModelRun(
      model: modelContainer.model,
      input: modelContainer.inputImageFeatureName,
      others: modelContainer.featureProvider,
      region: regionOfInterest.cgRect,
      option: cropAndScaleAction.option
    )
    do {
      return try run.observations(image.handled).compactMap { observation -> (any VisionObservation)? in
        switch observation {
        case let found as VNClassificationObservation: ClassificationObservation(found, descriptor)
        case let found as VNRecognizedObjectObservation: RecognizedObjectObservation(found, descriptor)
        case let found as VNPixelBufferObservation: PixelBufferObservation(found, descriptor)
        case let found as VNCoreMLFeatureValueObservation: CoreMLFeatureValueObservation(found, descriptor)
        default: nil
        }
      }
    } catch { throw VNError(error) }
  }
}
