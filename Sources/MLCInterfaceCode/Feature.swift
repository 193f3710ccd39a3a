import MLCCore
import MLCPackage

/// One input, output or state of a model, as generated code sees it.
struct Feature: Equatable {
  enum Kind: Equatable {
    /// An `MLMultiArray`, with scalars of this type as an `MLShapedArray`: what Core ML's API hands out for the
    /// elements.
    case array(scalar: String)
    /// A text, a list of texts, and one of integers.
    case text, texts, integers
    /// One `Double` or `Int64`.
    case number(scalar: String)
    /// Numbers by keys, `String` or `Int64`.
    case dictionary(key: String)
    /// A `CVPixelBuffer`, in colour or grey.
    case image(MLCCore.Feature.ColorSpace)
  }

  /// In the model.
  let name: String
  /// In Swift, not quoted.
  let property: String
  let type: TensorType
  let kind: Kind
  let description: String?
  /// Whether callers may leave it out, and the number that stands for it then.
  var isOptional = false, defaultValue: Double?

  /// What callers see, as generated code does.
  static func all(
    _ features: [CallerFeature],
    taken: Set<String> = [],
    suffixes: [String] = []
  ) -> [Feature] {
    let properties = SwiftIdentifier.distinct(features.map { $0.name }, taken: taken, suffixes: suffixes)
    return zip(features, properties).map { feature, property in
      let summary = feature.feature.summary
      return Feature(
        name: feature.name,
        property: property,
        type: feature.port.type,
        kind: kind(feature),
        description: feature.port.metadata["description"] ?? (summary.isEmpty ? nil : summary),
        isOptional: feature.feature.isOptional,
        defaultValue: feature.feature.defaultValue
      )
    }
  }

  private static func kind(_ feature: CallerFeature) -> Kind {
    switch feature.feature.form {
    case .array: kind(feature.port.type)
    case .image(let space): .image(space)
    case .number: .number(scalar: feature.port.type.dtype.isFloat ? "Double" : "Int64")
    case .sequence: .integers
    case .dictionary(let isText): .dictionary(key: isText ? "String" : "Int64")
    case .scores(let labels): .dictionary(key: labels.dtype == .string ? "String" : "Int64")
    }
  }

  private static func kind(_ type: TensorType) -> Kind {
    if let scalar = scalar(type.dtype) { return .array(scalar: scalar) }
    return type.shape.allSatisfy { $0.constant == 1 } ? .text : .texts
  }

  /// The Swift type of an array's elements in Core ML's API; `nil` for texts, of which it has no arrays.
  private static func scalar(_ dtype: DType) -> String? {
    switch dtype {
    case .float16: "Float16"
    case .float32, .bfloat16: "Float"
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1: "Float"
    case .float64: "Double"
    case .int8: "Int8"
    case .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .bool: "Int32"
    case .int4, .int2, .uint6, .uint4, .uint3, .uint2, .uint1: "Int32"
    case .string: nil
    }
  }

  /// What holds it.
  var holder: String {
    let type =
      switch kind {
      case .array: "MLMultiArray"
      case .text: "String"
      case .texts: "[String]"
      case .integers: "[Int64]"
      case .number(let scalar): scalar
      case .dictionary(let key): "[\(key): Double]"
      case .image: "CVPixelBuffer"
      }
    return isOptional ? type + "?" : type
  }

  /// What gives it as a value.
  var value: String {
    if case .array(let scalar) = kind { "MLShapedArray<\(scalar)>\(isOptional ? "?" : "")" } else { holder }
  }

  var isDictionary: Bool { if case .dictionary = kind { true } else { false } }
  var isArray: Bool { if case .array = kind { true } else { false } }

  /// `property` where a declaration or an expression stands.
  var quoted: String { SwiftIdentifier.quoted(property) }

  /// `property` as it labels an argument.
  var label: String { SwiftIdentifier.label(property) }

  /// Of an image, `width × height`.
  private var sizes: String { type.shape.suffix(2).reversed().map { $0.description }.joined(separator: " × ") }

  /// `` `images`: Float array of shape [batch, 3, height, width]. ``
  var documentation: String {
    let shape = type.shape.map { $0.description }.joined(separator: ", ")
    let words =
      switch kind {
      case .array(let scalar): type.rank == 0 ? "one \(scalar)" : "\(scalar) array of shape [\(shape)]"
      case .text: "one text"
      case .texts: "texts of shape [\(shape)]\(type.rank > 1 ? ", row by row" : "")"
      case .integers: "integers"
      case .number(let scalar): "one \(scalar)"
      case .dictionary(let key): "numbers by \(key)"
      case .image(let space): "\(space.channels == 1 ? "grey" : "colour") image of \(sizes) pixels"
      }
    let absent = isOptional ? defaultValue.map { "; optional, \(Float($0)) by default" } ?? "; optional" : ""
    return "`\(name)`: \(words)\(absent).\(description.map { " " + $0 } ?? "")"
  }
}
