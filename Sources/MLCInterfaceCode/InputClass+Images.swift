import MLCCore

extension InputClass {
  /// What code that draws images names.
  static let imageNames: Set<String> = ["CGImage", "CVPixelBuffer", "drawn"]

  /// From pictures and from their files, of images whose size the model fixes.
  func writeImageInitialisers(_ code: inout SwiftCode) {
    for source in ImageSource.allCases { writeImageInitialiser(source, &code) }
  }

  /// What images are drawn from.
  private enum ImageSource: CaseIterable {
    case image, file
    /// Behind a feature's name.
    var label: String { self == .image ? "With" : "At" }
    /// Of `MLFeatureValue`'s initialiser.
    var argument: String { self == .image ? "cgImage" : "imageAt" }
    var type: String { self == .image ? "CGImage" : "URL" }
  }

  /// Draws images of models that fix their size.
  private func writeImageInitialiser(_ source: ImageSource, _ code: inout SwiftCode) {
    let drawn = features.filter { $0.imageSize != nil && !$0.isOptional }
    if drawn.isEmpty { return }
    func parameter(_ feature: Feature) -> String {
      guard drawn.contains(feature) else {
        return "\(feature.label): \(feature.holder)\(feature.isOptional ? " = nil" : "")"
      }
      return "\(feature.property)\(source.label) \(feature.quoted): \(source.type)"
    }
    code.document(
      source == .image
        ? "Images in the sizes that the model wants." : "Images in files, in the sizes that the model wants.",
      "",
      "Throws what ``MLFeatureValue`` throws."
    )
    let head = "convenience init(\(features.map { parameter($0) }.joined(separator: ", "))) throws"
    code.block("\(access.prefix)\(head)") { code in
      code.block("func drawn(_ value: MLFeatureValue) throws -> CVPixelBuffer") { code in
        code.line("if let buffer = value.imageBufferValue { return buffer }")
        code.line("throw MLModelError(.featureType)")
      }
      let arguments = features.arguments { feature in
        guard drawn.contains(feature), let (width, height, format) = feature.imageSize else { return feature.quoted }
        let size = "pixelsWide: \(width), pixelsHigh: \(height), pixelFormatType: \(format)"
        return "try drawn(MLFeatureValue(\(source.argument): \(feature.quoted), \(size)))"
      }
      code.line("self.init(\(arguments))")
    }
  }
}

extension Feature {
  /// Of an image whose size the model fixes: columns, rows, and the name of the pixel format; else `nil`.
  fileprivate var imageSize: (width: Int, height: Int, format: String)? {
    guard case .image(let space) = kind, let height = type.shape[type.rank - 2].constant,
      let width = type.shape[type.rank - 1].constant
    else { return nil }
    let format =
      switch space {
      case .rgb, .bgr: "kCVPixelFormatType_32BGRA"
      case .gray: "kCVPixelFormatType_OneComponent8"
      case .gray16: "kCVPixelFormatType_OneComponent16Half"
      }
    return (width, height, format)
  }
}
