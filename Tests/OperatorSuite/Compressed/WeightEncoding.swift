import MLCCore
import MLCGraph
import MLCOps

/// A way to keep a weight in fewer bits, applied to seeded codes: what the graph holds, not what an optimiser would
/// choose.
struct WeightEncoding: Sendable {
  enum Kind: Sendable {
    /// Codes, scales and perhaps offsets one a block.
    case linear(DType, offset: Bool)
    /// A palette for each block.
    case palette(DType)
    /// A palette for each block, and a scale for each output.
    case scaledPalette(DType)
    case sparse(DType)
  }
  var label: String
  var kind: Kind
  /// Extents of blocks along the outputs and along the inputs; `nil` for the whole axis.
  var outputs: Int?, inputs: Int?
  /// The weight's type.
  var dtype = DType.float32

  static let all: [WeightEncoding] = [
    .init(label: "int8", kind: .linear(.int8, offset: false)),
    .init(label: "int8-channel", kind: .linear(.int8, offset: false), outputs: 1),
    .init(label: "uint8-channel-offset", kind: .linear(.uint8, offset: true), outputs: 1),
    .init(label: "int4-channel", kind: .linear(.int4, offset: false), outputs: 1),
    .init(label: "int4-block", kind: .linear(.int4, offset: false), outputs: 1, inputs: 32),
    .init(label: "int4-odd-block", kind: .linear(.int4, offset: false), outputs: 1, inputs: 12),
    .init(label: "uint4-block-offset", kind: .linear(.uint4, offset: true), outputs: 1, inputs: 32),
    .init(label: "int8-half", kind: .linear(.int8, offset: false), outputs: 1, dtype: .float16),
    .init(label: "fp8-channel", kind: .linear(.float8e4m3fn, offset: false), outputs: 1),
    .init(label: "fp4-block", kind: .linear(.float4e2m1, offset: false), outputs: 1, inputs: 32),
    .init(label: "palette1", kind: .palette(.uint1)),
    .init(label: "palette2", kind: .palette(.uint2)),
    .init(label: "palette3", kind: .palette(.uint3)),
    .init(label: "palette4", kind: .palette(.uint4)),
    .init(label: "palette6", kind: .palette(.uint6)),
    .init(label: "palette8", kind: .palette(.uint8)),
    .init(label: "palette4-groups", kind: .palette(.uint4), outputs: 16),
    .init(label: "palette4-small-groups", kind: .palette(.uint4), outputs: 4),
    .init(label: "palette4-input-groups", kind: .palette(.uint4), inputs: 16),
    .init(label: "palette6-groups", kind: .palette(.uint6), outputs: 8),
    .init(label: "palette4-scaled", kind: .scaledPalette(.uint4)),
    .init(label: "palette4-half", kind: .palette(.uint4), dtype: .float16),
    .init(label: "sparse", kind: .sparse(.float32)),
    .init(label: "sparse-half", kind: .sparse(.float16), dtype: .float16),
  ]

  static func named(_ labels: String...) -> [WeightEncoding] {
    labels.map { label in all.first { $0.label == label }! }
  }

  /// Numbers without pattern, 0…255.
  private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 48)
    }
  }

  /// Appends a weight of `shape`, whose axes `output` and `input` are those of blocks. Blocks that do not divide an
  /// axis span it.
  func weight(_ shape: [Int], output: Int, input: Int, in builder: inout Builder) throws(Diagnostic) -> ValueID {
    var grid = shape.map { _ in 1 }
    for (axis, extent) in [(output, outputs), (input, inputs)] {
      if let extent, shape[axis].isMultiple(of: extent) { grid[axis] = shape[axis] / extent }
    }
    switch kind {
    case .linear(let type, let hasOffset): return try linear(type, hasOffset, shape, grid, &builder)
    case .palette(let type): return try palette(type, shape, grid, &builder)
    case .scaledPalette(let type):
      let plain = try palette(type, shape, grid, &builder)
      var channels = shape.map { _ in 1 }
      channels[output] = shape[output]
      return try builder(ConstexprBlockwiseShiftScale(), plain, builder.constant(scales(channels)))
    case .sparse(let type): return try sparse(type, shape, &builder)
    }
  }

  private func scales(_ grid: [Int]) -> Tensor {
    let bytes = WeightEncoding.bytes(grid.reduce(1, *), grid.count)
    return Tensor(grid, floats: bytes.map { 0.01 + Float($0) / 4096 }).converted(to: dtype)
  }

  private func linear(_ type: DType, _ hasOffset: Bool, _ shape: [Int], _ grid: [Int], _ builder: inout Builder)
    throws(Diagnostic) -> ValueID
  {
    // Floats of eight bits without those that are NaN.
    let mask = UInt8((1 << type.bitWidth) - 1) & (type.isFloat ? 0xbf : 0xff)
    let codes = WeightEncoding.bytes(shape.reduce(1, *), 3).map { $0 & mask }
    let offsets = WeightEncoding.bytes(grid.reduce(1, *), 5).map { $0 & mask }
    let offset = hasOffset ? builder.constant(Tensor(type, grid, codes: offsets)) : nil
    let data = builder.constant(Tensor(type, shape, codes: codes))
    return try builder(ConstexprBlockwiseShiftScale(), data, builder.constant(scales(grid)), offset)
  }

  private func palette(_ type: DType, _ shape: [Int], _ grid: [Int], _ builder: inout Builder) throws(Diagnostic)
    -> ValueID
  {
    let entries = 1 << type.bitWidth
    let codes = WeightEncoding.bytes(shape.reduce(1, *), 7).map { $0 & UInt8(entries - 1) }
    let values = WeightEncoding.bytes(grid.reduce(1, *) * entries, 9).map { Float($0) / 128 - 1 }
    let lut = Tensor(grid + [entries, 1], floats: values).converted(to: dtype)
    let indices = builder.constant(Tensor(type, shape, codes: codes))
    return try builder.append(ConstexprLutToDense(), [[indices], [builder.constant(lut)]])[0]
  }

  private func sparse(_ type: DType, _ shape: [Int], _ builder: inout Builder) throws(Diagnostic) -> ValueID {
    let mask = WeightEncoding.bytes(shape.reduce(1, *), 11).map { $0 & 1 }
    let count = mask.reduce(0) { $0 + Int($1) }
    let values = WeightEncoding.bytes(count, 13).map { Float($0) / 128 - 1 }
    let data = builder.constant(Tensor([count], floats: values).converted(to: type))
    return try builder(ConstexprSparseToDense(), data, builder.constant(Tensor(.uint1, shape, codes: mask)))
  }
}
