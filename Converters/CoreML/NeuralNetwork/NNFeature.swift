import CoreMLProto
import MLCCore

/// What the description says of an input or output that is a tensor.
enum NNFeature {
  private static let largest: UInt64 = 1 << 31

  /// Extents of an array, open ones being the symbols `NAME_dAXIS`, and their bounds. Throws `coreml.type`.
  static func shape(_ feature: MLFeature) throws(Diagnostic) -> (shape: [Dim], bounds: [String: ClosedRange<Int>]) {
    let array = feature.type.multiArrayType
    var ranges: [ClosedRange<Int>] = []
    switch array.shapeFlexibility {
    case .shapeRange(let given)?:
      for range in given.sizeRanges { ranges.append(try self.range(range, feature)) }
    case .enumeratedShapes(let given)?:
      var shapes = given.shapes.map { $0.shape }
      if !array.shape.isEmpty { shapes.append(array.shape) }
      guard let rank = shapes.first?.count, shapes.allSatisfy({ $0.count == rank }) else { throw open(feature) }
      for axis in 0..<rank {
        let extents = shapes.map { $0[axis] }
        ranges.append(try range(extents.min()!, extents.max()!, feature))
      }
    case nil: for extent in array.shape { ranges.append(try range(extent, extent, feature)) }
    }
    guard !ranges.isEmpty, ranges.count <= 8 else { throw open(feature) }
    return named(ranges, feature.name, firstAxis: 0)
  }

  /// Channels, height and width of an image. Throws `coreml.type`.
  static func image(_ feature: MLFeature) throws(Diagnostic) -> (shape: [Dim], bounds: [String: ClosedRange<Int>]) {
    let image = feature.type.imageType
    var (height, width) = (try range(image.height, image.height, feature), try range(image.width, image.width, feature))
    switch image.sizeFlexibility {
    case .imageSizeRange(let given)?:
      height = try range(given.heightRange, feature)
      width = try range(given.widthRange, feature)
    case .enumeratedSizes(let given)?:
      let heights = given.sizes.map { Int64(clamping: $0.height) } + [image.height]
      let widths = given.sizes.map { Int64(clamping: $0.width) } + [image.width]
      height = try range(heights.min()!, heights.max()!, feature)
      width = try range(widths.min()!, widths.max()!, feature)
    case nil: break
    }
    let sized = named([height, width], feature.name, firstAxis: 2)
    return ([isGray(feature) ? 1 : 3] + sized.shape, sized.bounds)
  }

  static func isGray(_ feature: MLFeature) -> Bool {
    [.grayscale, .grayscaleFloat16].contains(feature.type.imageType.colorSpace)
  }

  private static func named(_ ranges: [ClosedRange<Int>], _ name: String, firstAxis: Int)
    -> (shape: [Dim], bounds: [String: ClosedRange<Int>])
  {
    var bounds: [String: ClosedRange<Int>] = [:]
    let shape = ranges.enumerated().map { axis, range -> Dim in
      if range.lowerBound == range.upperBound { return Dim(range.lowerBound) }
      bounds["\(name)_d\(firstAxis + axis)"] = range
      return .symbol("\(name)_d\(firstAxis + axis)")
    }
    return (shape, bounds)
  }

  private static func range(_ range: CoreML_Specification_SizeRange, _ feature: MLFeature) throws(Diagnostic)
    -> ClosedRange<Int>
  {
    guard range.lowerBound <= largest else { throw open(feature) }
    let low = Int(range.lowerBound)
    return low...(range.upperBound < 0 ? Int.max : max(low, Int(range.upperBound)))
  }

  private static func range(_ low: Int64, _ high: Int64, _ feature: MLFeature) throws(Diagnostic) -> ClosedRange<Int> {
    guard low >= 1, high >= low, high <= largest else { throw open(feature) }
    return Int(low)...Int(high)
  }

  private static func open(_ feature: MLFeature) -> Diagnostic {
    Diagnostic("coreml.type", "'\(feature.name)' has no shape that can be", at: .init(node: feature.name))
  }
}
