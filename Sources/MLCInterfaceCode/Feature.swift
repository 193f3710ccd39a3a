import MLCCore
import MLCPackage

/// One input, output or state of a model, as generated code sees it.
struct Feature: Equatable {
  /// In the model.
  let name: String
  /// In Swift, not quoted.
  let property: String
  let type: TensorType
  /// Scalars of `MLShapedArray`: what Core ML's API hands out for the element type.
  let scalar: String
  let description: String?

  /// The ports as features. Throws `generate.element-type` for elements that no `MLMultiArray` holds.
  static func all(
    _ ports: [FunctionInterface.Port],
    taken: Set<String> = [],
    suffixes: [String] = []
  ) throws(Diagnostic) -> [Feature] {
    let properties = SwiftIdentifier.distinct(ports.map { $0.name }, taken: taken, suffixes: suffixes)
    var features: [Feature] = []
    for (port, property) in zip(ports, properties) {
      guard let scalar = scalar(port.type.dtype) else {
        throw Diagnostic(
          "generate.element-type",
          "no MLMultiArray holds elements of \(port.type.dtype.rawValue)",
          kind: .unsupported,
          at: Location(node: port.name)
        )
      }
      features.append(
        Feature(
          name: port.name,
          property: property,
          type: port.type,
          scalar: scalar,
          description: port.metadata["description"]
        )
      )
    }
    return features
  }

  /// The Swift type of an array's elements in Core ML's API.
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

  /// `property` where a declaration or an expression stands.
  var quoted: String { SwiftIdentifier.quoted(property) }

  /// `property` as it labels an argument.
  var label: String { SwiftIdentifier.label(property) }

  /// `` `images`: Float array of shape [batch, 3, height, width]. ``
  var documentation: String {
    let shape = type.shape.map { $0.description }.joined(separator: ", ")
    let kind = type.rank == 0 ? "one \(scalar)" : "\(scalar) array of shape [\(shape)]"
    return "`\(name)`: \(kind).\(description.map { " " + $0 } ?? "")"
  }
}
