import CoreMLProto
import MLCCore

typealias MILProgram = CoreML_Specification_MILSpec_Program
typealias MILFunction = CoreML_Specification_MILSpec_Function
typealias MILBlock = CoreML_Specification_MILSpec_Block
typealias MILOperation = CoreML_Specification_MILSpec_Operation
typealias MILArgument = CoreML_Specification_MILSpec_Argument
typealias MILNamedType = CoreML_Specification_MILSpec_NamedValueType
typealias MILValueType = CoreML_Specification_MILSpec_ValueType
typealias MILTensorType = CoreML_Specification_MILSpec_TensorType
typealias MILDimension = CoreML_Specification_MILSpec_Dimension
typealias MILValue = CoreML_Specification_MILSpec_Value
typealias MILTensorValue = CoreML_Specification_MILSpec_TensorValue
typealias MILDataType = CoreML_Specification_MILSpec_DataType
typealias MLModelSpec = CoreML_Specification_Model
typealias MLFeature = CoreML_Specification_FeatureDescription
typealias MLArrayType = CoreML_Specification_ArrayFeatureType

extension DType {
  private static let milTypes: [(DType, MILDataType)] = [
    (.bool, .bool), (.string, .string),
    (.float16, .float16), (.float32, .float32), (.float64, .float64), (.bfloat16, .bfloat16),
    (.int8, .int8), (.int16, .int16), (.int32, .int32), (.int64, .int64), (.int4, .int4),
    (.uint8, .uint8), (.uint16, .uint16), (.uint32, .uint32), (.uint64, .uint64), (.uint4, .uint4),
    (.uint1, .uint1), (.uint2, .uint2), (.uint3, .uint3), (.uint6, .uint6),
  ]

  /// Whether MIL has it.
  var isMIL: Bool { DType.milTypes.contains { $0.0 == self } }
  var milType: MILDataType { DType.milTypes.first { $0.0 == self }!.1 }
  /// `nil` for types that no tensor of a Core ML package is read as: 8-bit floats, types to come.
  init?(_ type: MILDataType) {
    guard let match = DType.milTypes.first(where: { $0.1 == type }) else { return nil }
    self = match.0
  }
}

extension MILValueType {
  /// Symbolic extents are unknown dimensions.
  init(_ type: TensorType) {
    self.init()
    tensorType.dataType = type.dtype.milType
    tensorType.rank = Int64(type.rank)
    tensorType.dimensions = type.shape.map { extent in
      var dimension = MILDimension()
      if let size = extent.constant {
        dimension.constant.size = UInt64(max(0, size))
      } else {
        dimension.unknown = .init()
      }
      return dimension
    }
  }
}
