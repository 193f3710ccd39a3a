import MLCCore

extension InputClass {
  /// What code that draws images names.
  static let imageNames: Set<String> = ["CGImage", "CVPixelBuffer", "drawn"]

  /// From pictures and from their files, of images whose size the model fixes: initialisers, and what sets one image.
  func writeImages(_ code: inout SwiftCode) {
    let drawn = features.filter { $0.imageSize != nil }
    if drawn.isEmpty { return }
    let needed = drawn.filter { !$0.isOptional }
    if !needed.isEmpty { for source in ImageSource.allCases { writeInitialiser(needed, source, &code) } }
    let setters = SwiftIdentifier.distinct(
      drawn.map { "set\($0.property.prefix(1).uppercased())\($0.property.dropFirst())" }
    )
    for (feature, setter) in zip(drawn, setters) {
      for source in ImageSource.allCases { writeSetter(setter, feature, source, &code) }
    }
    code.line()
    code.block("private static func drawn(_ value: MLFeatureValue) throws -> CVPixelBuffer") { code in
      code.line("if let buffer = value.imageBufferValue { return buffer }")
      code.line("throw MLModelError(.featureType)")
    }
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

  private func writeInitialiser(_ drawn: [Feature], _ source: ImageSource, _ code: inout SwiftCode) {
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
      code.line("self.init(\(features.arguments { drawn.contains($0) ? drawing($0, source) : $0.quoted }))")
    }
  }

  private func writeSetter(_ name: String, _ feature: Feature, _ source: ImageSource, _ code: inout SwiftCode) {
    code.document(
      "`\(feature.name)`, \(source == .image ? "a picture" : "a file's picture") in the size that the model wants.",
      "",
      "Throws what ``MLFeatureValue`` throws."
    )
    code.block("\(access.prefix)func \(name)(with \(feature.quoted): \(source.type)) throws") { code in
      code.line("self.\(feature.quoted) = \(drawing(feature, source))")
    }
  }

  /// The image that is drawn from a parameter of the feature's name.
  private func drawing(_ feature: Feature, _ source: ImageSource) -> String {
    guard let (width, height, format) = feature.imageSize else { preconditionFailure("images of open sizes") }
    let size = "pixelsWide: \(width), pixelsHigh: \(height), pixelFormatType: \(format)"
    return "try Self.drawn(MLFeatureValue(\(source.argument): \(feature.quoted), \(size)))"
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
