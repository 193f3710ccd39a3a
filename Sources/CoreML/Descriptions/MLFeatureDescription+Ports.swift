import CoreVideo
import Foundation
import MLCCore
import MLCPackage

extension MLFeatureDescription {
  /// A state, which `port` brings into the function.
  convenience init(state name: String, _ port: FunctionInterface.Port) {
    let shape = port.type.shape.map { $0.constant ?? 0 }
    let constraint = MLStateConstraint(bufferShape: shape, dataType: port.type.dtype.multiArrayDataType)
    self.init(name: name, type: .state, stateConstraint: constraint)
  }

  /// An input or output of a compiled function.
  convenience init(_ caller: CallerFeature, in interface: FunctionInterface, isInput: Bool) {
    let (feature, port) = (caller.feature, caller.port)
    var image: MLImageConstraint?
    var dictionary: MLDictionaryConstraint?
    var array: MLMultiArrayConstraint?
    switch feature.form {
    case .image(let space):
      array = MLMultiArrayConstraint(port, in: interface, isInput: isInput)
      image = MLImageConstraint(port, space, in: interface)
    case .dictionary(let isText): dictionary = MLDictionaryConstraint(keyType: isText ? .string : .int64)
    case .scores(let labels): dictionary = MLDictionaryConstraint(keyType: labels.dtype == .string ? .string : .int64)
    case .array where TextFeature(port.type) == nil:
      array = MLMultiArrayConstraint(port, in: interface, isInput: isInput)
    case .array, .number, .sequence: break
    }
    let type = caller.type
    self.init(
      name: feature.name,
      type: type,
      isOptional: feature.isOptional,
      multiArrayConstraint: array,
      sequenceConstraint: type == .sequence ? MLSequenceConstraint(port) : nil,
      dictionaryConstraint: dictionary,
      imageConstraint: image,
      summary: feature.summary
    )
  }
}

extension CallerFeature {
  fileprivate var type: MLFeatureType {
    switch feature.form {
    case .image: .image
    case .number: port.type.dtype.isFloat ? .double : .int64
    case .sequence: .sequence
    case .dictionary, .scores: .dictionary
    case .array:
      switch TextFeature(port.type) {
      case nil: .multiArray
      case .text: .string
      case .list: .sequence
      }
    }
  }
}

extension MLSequenceConstraint {
  /// Of a list of texts or integers.
  fileprivate convenience init(_ port: FunctionInterface.Port) {
    let count = port.type.staticShape?.reduce(1, *)
    self.init(
      valueDescription: MLFeatureDescription(name: port.name, type: port.type.dtype == .string ? .string : .int64),
      countRange: count.map { NSRange(location: $0, length: 1) } ?? NSRange(location: 0, length: NSNotFound)
    )
  }
}

extension MLMultiArrayConstraint {
  fileprivate convenience init(_ port: FunctionInterface.Port, in interface: FunctionInterface, isInput: Bool) {
    let ranges = port.type.shape.map { $0.sizeRange(interface.symbols) }
    let shapes = port.type.enumeratedShapes(interface.enumerations)
    let shape =
      shapes.first.map { shapes.count == 1 || isInput ? $0 : [] } ?? (isInput ? ranges.map { $0.location } : [])
    let constraint = MLMultiArrayShapeConstraint(
      type: shapes.isEmpty ? .range : .enumerated,
      ranges: ranges,
      shapes: shapes
    )
    self.init(shape: shape, dataType: port.type.dtype.multiArrayDataType, shapeConstraint: constraint)
  }
}

extension MLImageConstraint {
  /// Of pixels `[…, H, W]`. Where sizes are open, the least that the model allows stands for them.
  fileprivate convenience init(
    _ port: FunctionInterface.Port,
    _ space: Feature.ColorSpace,
    in interface: FunctionInterface
  ) {
    let sizes = port.type.shape.suffix(2).map { $0.sizeRange(interface.symbols) }
    let shapes = port.type.enumeratedShapes(interface.enumerations).map { Array($0.suffix(2)) }
    let size = shapes.first ?? sizes.map { $0.location }
    self.init(
      pixelsHigh: size[0],
      pixelsWide: size[1],
      pixelFormatType: space.pixelFormat,
      sizeConstraint: MLImageSizeConstraint(
        type: shapes.isEmpty ? .range : shapes.count > 1 ? .enumerated : .unspecified,
        pixelsWide: sizes[1],
        pixelsHigh: sizes[0],
        enumerated: shapes.map { MLImageSize(pixelsWide: $0[1], pixelsHigh: $0[0]) }
      )
    )
  }
}

extension Feature.ColorSpace {
  /// Core Video's.
  var pixelFormat: OSType {
    switch self {
    case .rgb, .bgr: kCVPixelFormatType_32BGRA
    case .gray: kCVPixelFormatType_OneComponent8
    case .gray16: kCVPixelFormatType_OneComponent16Half
    }
  }
}

extension TensorType {
  /// The shapes that this comes in, the model's default first: one when it is fixed, none when a size is free in a
  /// range.
  fileprivate func enumeratedShapes(_ enumerations: [SizeEnumeration]) -> [[Int]] {
    if let staticShape { return [staticShape] }
    let symbols = shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    guard let enumeration = enumerations.first(where: { symbols.isSubset(of: $0.symbols) }) else { return [] }
    let shapes = enumeration.choices.compactMap { choice -> [Int]? in
      let numbers = Dictionary(uniqueKeysWithValues: zip(enumeration.symbols, choice))
      let extents = shape.compactMap { $0.evaluate(numbers) }
      return extents.count == rank ? extents : nil
    }
    return shapes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Dim {
  /// The sizes this can be; a size without limit has the length `NSNotFound`.
  fileprivate func sizeRange(_ symbols: [FunctionInterface.Symbol]) -> NSRange {
    if let constant { return NSRange(location: constant, length: 1) }
    guard let name = symbol, let range = symbols.first(where: { $0.name == name })?.range else {
      return NSRange(location: 1, length: NSNotFound)
    }
    let isOpen = range.upperBound >= Int.max - 1
    return NSRange(location: range.lowerBound, length: isOpen ? NSNotFound : range.count)
  }
}
