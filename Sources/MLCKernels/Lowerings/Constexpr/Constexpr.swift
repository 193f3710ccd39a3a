import MLCCore
import MLCGraph
import MLCOps

// Compressed constants stay compressed: each of these gives a tensor of kind `compressed`, and what reads it decides
// how. Forms that no kernel reads are computed here, as constant folding would.

extension ConstexprBlockwiseShiftScale: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    guard var constant = context.codes("data") else {
      return try context.foldConstant(because: "its scales apply to floating-point elements")
    }
    constant.dtype = context.outputFact().dtype
    constant.scale = try context.blocks("scale")
    constant.offset = context.operation.argument("offset") == nil ? nil : try context.blocks("offset")
    try context.setOutput(to: constant)
  }
}

extension ConstexprLutToDense: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (indices, lut) = (try context.constantOperand("indices"), try context.constantOperand("lut"))
    guard lut.shape.last == 1, lut.rank == indices.rank + 2 else {
      return try context.foldConstant(because: "its palettes hold vectors")
    }
    let palette = BlockValues(
      grid: Array(lut.shape.prefix(indices.rank)),
      values: lut.floats,
      width: lut.shape[indices.rank]
    )
    let dtype = context.outputFact().dtype
    try context.setOutput(to: CompressedConstant(dtype, indices.shape, .codes(indices), palette: palette))
  }
}

extension ConstexprSparseToDense: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (data, mask) = (try context.constantOperand("nonzero_data"), try context.constantOperand("mask"))
    let values = data.dtype.isFloat ? data : data.converted(to: .float32)
    let dtype = context.outputFact().dtype
    try context.setOutput(to: CompressedConstant(dtype, mask.shape, .sparse(values, mask: mask)))
  }
}

extension ConstexprCast: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let source = context.input("source_val")
    guard var constant = context.program.compressed(source), context.program.root(source) == source else {
      return try context.foldConstant(because: nil)
    }
    constant.dtype = outputDType
    try context.setOutput(to: constant)
  }
}

extension ConstexprLutToSparse: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.foldConstant(because: "elements of a sparse weight are not looked up")
  }
}

extension ConstexprSparseBlockwiseShiftScale: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    try context.foldConstant(because: "elements of a sparse weight are not scaled")
  }
}

extension LoweringContext {
  /// The constant argument `name`, written out when it is compressed. Throws `constexpr.operand` when nothing is known
  /// of it.
  mutating func constantOperand(_ name: String) throws(Diagnostic) -> Tensor {
    let source = input(name)
    if let value = constantValue(of: source) { return value }
    throw Diagnostic("constexpr.operand", "'\(name)' is no constant that is known here")
  }

  /// The elements of a constant, written out when it is compressed; `nil` for what is computed as the program runs.
  func constantValue(of tensor: TensorID) -> Tensor? {
    let value: Tensor
    switch program[program.root(tensor)].kind {
    case .constant(let plain): value = plain
    case .compressed(let constant): value = constant.expanded()
    case .input, .output, .temporary, .alias: return nil
    }
    return program[tensor].type.staticShape.map { value.reshaped($0) }
  }

  /// The constant argument `name`; a compressed one is written out, and a remark says why. `nil` for what is not
  /// constant.
  mutating func writtenOut(_ name: String, because reason: String) -> Tensor? {
    let source = input(name)
    guard let value = constantValue(of: source) else { return nil }
    if let constant = program.compressed(source) {
      let (old, new) = (constant.byteCount, constant.count * constant.dtype.bitWidth / 8)
      program.remarkExpanded(program[source].name, from: old, to: new, because: reason, at: origin)
    }
    return value
  }

  /// Scales or offsets, one a block.
  fileprivate mutating func blocks(_ name: String) throws(Diagnostic) -> BlockValues {
    let value = try constantOperand(name)
    return BlockValues(grid: value.shape, values: value.floats)
  }

  /// The argument `name` as codes that have neither scale nor offset yet.
  fileprivate mutating func codes(_ name: String) -> CompressedConstant? {
    let source = input(name)
    switch program[source].kind {
    case .constant(let value) where value.dtype.isInteger && value.dtype.bitWidth <= 8:
      return CompressedConstant(.float32, value.shape, .codes(value))
    case .constant(let value) where value.dtype.smallFloat != nil:
      let codes = value.reinterpreted(as: value.dtype.isPacked ? .uint4 : .uint8)
      let numbers = CompressedConstant.numbers(value.dtype)
      let palette = BlockValues(grid: value.shape.map { _ in 1 }, values: numbers, width: numbers.count)
      return CompressedConstant(.float32, value.shape, .codes(codes), palette: palette)
    case .compressed(let constant) where constant.scale == nil && constant.offset == nil:
      if case .codes = constant.elements { return constant }
      return nil
    default: return nil
    }
  }

  /// Makes the output `constant`; what has no elements, or those of another type than float16 and float32, becomes
  /// plain.
  fileprivate mutating func setOutput(to constant: CompressedConstant) throws(Diagnostic) {
    let isPlain = constant.count == 0 || constant.dtype.bitWidth > 32 || constant.dtype.smallFloat != nil
    if isPlain { return try foldConstant(because: "kernels scale in float32") }
    let name = function[operation.outputs[0]].name
    let shape = constant.shape.map { Dim($0) }
    setOutput(to: program.add(KernelTensor(name, constant.dtype, shape, .compressed(constant))))
  }

  /// Computes the operation, whose arguments are constants. `reason` says why, when that makes a weight larger.
  fileprivate mutating func foldConstant(because reason: String?) throws(Diagnostic) {
    var arguments: [[Tensor]] = []
    var bytes = 0
    for values in operation.inputs {
      var tensors: [Tensor] = []
      for value in values {
        let source = tensor(of: value)
        bytes += program.compressed(source)?.byteCount ?? 0
        guard let plain = constantValue(of: source) else {
          throw Diagnostic("constexpr.operand", "'\(program[source].name)' is no constant that is known here")
        }
        tensors.append(plain)
      }
      arguments.append(tensors)
    }
    bytes = max(bytes, arguments.joined().reduce(0) { $0 + $1.byteCount })
    let results = try operation.op.evaluate(Operands(type(of: operation.op).portNames, arguments))
    for (index, result) in results.enumerated() {
      let name = function[operation.outputs[index]].name
      setOutput(index, to: program.add(KernelTensor(name, result.dtype, result.type.shape, .constant(result))))
    }
    let size = results.map(\.byteCount).max() ?? 0
    guard let reason else { return }
    program.remarkExpanded(function[operation.outputs[0]].name, from: bytes, to: size, because: reason, at: origin)
  }
}
