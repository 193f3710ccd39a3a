import CoreGraphics
import CoreML
import Vision

/// Labels for photos, the surest first: by Vision's requests for Swift.
struct PhotoLabeller: Sendable {
  let model: MLModel

  static func load() async throws -> PhotoLabeller { PhotoLabeller(model: try await RoadSigns.load().model) }

  /// `region` is the part that is looked at, 0 … 1 from the lower left.
  func labels(
    of photo: Photo,
    fitting: Fitting = .fill,
    region: NormalizedRect = .fullImage
  ) async throws -> [Label] {
    var request = CoreMLRequest(model: try CoreMLModelContainer(model: model))
    request.regionOfInterest = region
    request.cropAndScaleAction =
      switch fitting {
      case .crop: .centerCrop
      case .fit: .scaleToFit
      case .fill: .scaleToFill
      }
    let handler =
      switch photo.content {
      case .file(let url): ImageRequestHandler(url, orientation: photo.orientation)
      case .image(let image): ImageRequestHandler(image, orientation: photo.orientation)
      }
    return try await handler.perform(request).compactMap { $0 as? ClassificationObservation }
      .map { Label(name: $0.identifier, confidence: $0.confidence) }
  }
}
