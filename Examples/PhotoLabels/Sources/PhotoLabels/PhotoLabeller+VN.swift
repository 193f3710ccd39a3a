import CoreGraphics
import Vision

extension PhotoLabeller {
  /// The same by Vision's older requests, which block: for code that is not asynchronous.
  func labelsWithVN(
    of photo: Photo,
    fitting: Fitting = .fill,
    region: CGRect = VNNormalizedIdentityRect
  ) throws -> [Label] {
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
    request.regionOfInterest = region
    request.imageCropAndScaleOption =
      switch fitting {
      case .crop: .centerCrop
      case .fit: .scaleFit
      case .fill: .scaleFill
      }
    try handler(photo).perform([request])
    return (request.results ?? []).compactMap { $0 as? VNClassificationObservation }
      .map { Label(name: $0.identifier, confidence: $0.confidence) }
  }

  private func handler(_ photo: Photo) -> VNImageRequestHandler {
    switch (photo.content, photo.orientation) {
    case (.file(let url), nil): VNImageRequestHandler(url: url)
    case (.file(let url), let orientation?): VNImageRequestHandler(url: url, orientation: orientation)
    case (.image(let image), let orientation): VNImageRequestHandler(cgImage: image, orientation: orientation ?? .up)
    }
  }
}
