import MLCCore
import MLCGraph

// What the operators of compressed constants ask of their arguments.

extension ConstantExpression {
  /// Throws `constexpr.operand` unless every argument is a constant of known shape.
  func requireConstants(_ inputs: Operands<Fact>) throws(Diagnostic) {
    for name in Self.portNames {
      for fact in inputs[all: name] where !fact.isConstant || fact.type.staticShape == nil {
        throw Diagnostic("constexpr.operand", "'\(name)' is computed as the model runs; \(Self.name) takes constants")
      }
    }
  }

  /// Throws `constexpr.dtype` unless `fact` has one of `types`.
  func require(_ fact: Fact, _ name: String, _ types: Set<DType>) throws(Diagnostic) {
    guard !types.contains(fact.dtype) else { return }
    throw Diagnostic("constexpr.dtype", "'\(name)' is \(fact.dtype.rawValue), which \(Self.name) does not take")
  }

  /// Throws `constexpr.mask` unless `mask: uint1[*S]` has as many ones as `data: T[N]` elements, as far as the mask is
  /// known.
  func requireMask(_ mask: Fact, _ data: Fact) throws(Diagnostic) {
    try require(mask, "mask", [.uint1])
    guard data.rank == 1, let count = data.shape[0].constant else {
      throw Diagnostic("constexpr.mask", "the elements of a sparse constant are \(data.type); expected rank 1")
    }
    guard let places = mask.value?.setBitCount, places != count else { return }
    throw Diagnostic("constexpr.mask", "the mask has \(places) ones for \(count) elements")
  }
}

extension Set<DType> {
  /// What `(data − offset) · scale` is made from.
  static let quantized: Set<DType> = floats.union(smallFloats).union([.int4, .uint4, .int8, .uint8])
  static let floats: Set<DType> = [.float16, .bfloat16, .float32, .float64]
  static let indices: Set<DType> = [.uint1, .uint2, .uint3, .uint4, .uint6, .uint8]
  static let paletteEntries: Set<DType> = floats.union([.int8, .uint8])
  static let smallFloats = Set(DType.allCases.filter { $0.smallFloat != nil })
  static let sparse: Set<DType> = floats.union([.int4, .uint4, .int8, .uint8])
}
