import CoreMLProto
import MLCCore

extension MLFeature {
  /// What an application sees of an array of rank `rank`: an image, whether it may be left out, words about it.
  mutating func describe(_ feature: Feature?, rank: Int) {
    guard let feature else { return }
    if !feature.summary.isEmpty { shortDescription = feature.summary }
    if case .image(let space) = feature.form, rank == 4 {
      type.imageType = .init(type.multiArrayType, space)
    } else if let number = feature.defaultValue {
      switch type.multiArrayType.dataType {
      case .double: type.multiArrayType.doubleDefaultValue = number
      case .int32: type.multiArrayType.intDefaultValue = Int32(clamping: Tensor.wrapping(number))
      default: type.multiArrayType.floatDefaultValue = Float(number)
      }
    }
    type.isOptional = feature.isOptional
  }
}

extension CoreML_Specification_ImageFeatureType {
  /// Pixels `[1, C, H, W]` of the sizes that the array has.
  fileprivate init(_ array: MLArrayType, _ space: Feature.ColorSpace) {
    self.init()
    colorSpace =
      switch space {
      case .gray: .grayscale
      case .gray16: .grayscaleFloat16
      case .rgb: .rgb
      case .bgr: .bgr
      }
    if array.shape.count == 4 { (height, width) = (array.shape[2], array.shape[3]) }
    switch array.shapeFlexibility {
    case .shapeRange(let ranges)? where ranges.sizeRanges.count == 4:
      (imageSizeRange.heightRange, imageSizeRange.widthRange) = (ranges.sizeRanges[2], ranges.sizeRanges[3])
    case .enumeratedShapes(let given)?:
      for shape in given.shapes where shape.shape.count == 4 {
        var size = ImageSize()
        (size.height, size.width) = (UInt64(clamping: shape.shape[2]), UInt64(clamping: shape.shape[3]))
        enumeratedSizes.sizes.append(size)
      }
    default: break
    }
  }
}
