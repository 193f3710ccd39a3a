import CoreMLProto
import MLCCore
import MLCGraph

/// The shape that the description gives an array or an image.
struct FeatureShape {
  /// Open extents are the symbols `NAME_dAXIS`.
  let shape: [Dim]
  private let name: String
  private let ranges: [ClosedRange<Int>]
  /// Whole shapes, where the open extents only come in certain combinations.
  private let enumerated: [[Int]]

  private static let largest: UInt64 = 1 << 31

  /// An array. Throws `coreml.type`.
  init(array feature: MLFeature, zerosAreOpen: Bool = false) throws(Diagnostic) {
    let array = feature.type.multiArrayType
    var ranges: [ClosedRange<Int>] = []
    var enumerated: [[Int64]] = []
    switch array.shapeFlexibility {
    case .shapeRange(let given)?:
      for range in given.sizeRanges { ranges.append(try Self.range(range, feature)) }
    case .enumeratedShapes(let given)?:
      enumerated = (array.shape.isEmpty ? [] : [array.shape]) + given.shapes.map { $0.shape }
      guard let rank = enumerated.first?.count, enumerated.allSatisfy({ $0.count == rank }) else {
        throw Self.open(feature)
      }
      for axis in 0..<rank { ranges.append(try Self.range(over: enumerated.map { $0[axis] }, feature)) }
    case nil:
      for extent in array.shape {
        let isOpen = zerosAreOpen && extent == 0
        ranges.append(isOpen ? 1...Int.max : try Self.range(over: [extent], feature))
      }
    }
    guard !ranges.isEmpty, ranges.count <= 8 else { throw Self.open(feature) }
    self.init(ranges, enumerated, feature.name)
  }

  /// An image, `[1, C, H, W]`. Throws `coreml.type`.
  init(image feature: MLFeature) throws(Diagnostic) {
    let image = feature.type.imageType
    let channels = Self.isGray(feature) ? 1 : 3
    var height = try Self.range(over: [image.height], feature)
    var width = try Self.range(over: [image.width], feature)
    var enumerated: [[Int64]] = []
    switch image.sizeFlexibility {
    case .imageSizeRange(let given)?:
      height = try Self.range(given.heightRange, feature)
      width = try Self.range(given.widthRange, feature)
    case .enumeratedSizes(let given)?:
      let sizes = given.sizes.map { (Int64(clamping: $0.height), Int64(clamping: $0.width)) }
      enumerated = ([(image.height, image.width)] + sizes).map { [1, Int64(channels), $0, $1] }
      height = try Self.range(over: enumerated.map { $0[2] }, feature)
      width = try Self.range(over: enumerated.map { $0[3] }, feature)
    case nil: break
    }
    self.init([1...1, channels...channels, height, width], enumerated, feature.name)
  }

  /// Tells the function what the extents of its input along `axes` can be: along all that are open, unless said.
  func declare(axes: [Int]? = nil, in function: inout Function) {
    let open = (axes ?? Array(ranges.indices)).filter { ranges.indices.contains($0) && shape[$0].constant == nil }
    for axis in open { function.bounds["\(name)_d\(axis)"] = ranges[axis] }
    if let enumeration = SizeEnumeration(enumerated, of: name, axes: open) { function.enumerations.append(enumeration) }
  }

  static func isGray(_ feature: MLFeature) -> Bool {
    [.grayscale, .grayscaleFloat16].contains(feature.type.imageType.colorSpace)
  }

  private init(_ ranges: [ClosedRange<Int>], _ enumerated: [[Int64]], _ name: String) {
    (self.name, self.ranges, self.enumerated) = (name, ranges, enumerated.map { $0.map { Int($0) } })
    shape = ranges.enumerated().map { axis, range in
      range.lowerBound == range.upperBound ? Dim(range.lowerBound) : .symbol("\(name)_d\(axis)")
    }
  }

  private static func range(_ range: CoreML_Specification_SizeRange, _ feature: MLFeature) throws(Diagnostic)
    -> ClosedRange<Int>
  {
    guard range.lowerBound <= largest else { throw open(feature) }
    let low = Int(range.lowerBound)
    return low...(range.upperBound < 0 ? Int.max : max(low, Int(range.upperBound)))
  }

  private static func range(over extents: [Int64], _ feature: MLFeature) throws(Diagnostic) -> ClosedRange<Int> {
    guard let low = extents.min(), let high = extents.max(), low >= 1, high <= largest else { throw open(feature) }
    return Int(low)...Int(high)
  }

  private static func open(_ feature: MLFeature) -> Diagnostic {
    Diagnostic("coreml.type", "'\(feature.name)' has no shape that can be", at: .init(node: feature.name))
  }
}
