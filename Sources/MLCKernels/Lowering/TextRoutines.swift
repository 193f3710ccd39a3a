import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension LoweringContext {
  /// Appends work on texts that the host does, over tensors read and then tensors written, each as one row.
  mutating func text(
    _ operation: TextOperation,
    extents: [Dim],
    reading inputs: [TensorID],
    writing outputs: [TensorID]
  ) {
    var params: [Kernel.Param] = []
    for tensor in inputs { params.append(.init(row(tensor), .read)) }
    for tensor in outputs { params.append(.init(row(tensor), .write)) }
    let routine = Routine.text(Routine.Text(operation, extents: extents))
    append(.kernel(Kernel(routine.name, params, .routine(routine), origins: [origin])))
  }

  private mutating func row(_ tensor: TensorID) -> TensorID {
    alias(tensor, [program[tensor].shape.reduce(1, *)])
  }

  /// The texts of `x` as the numbers of `output`.
  mutating func parse(_ x: TensorID, to output: TensorID) throws(Diagnostic) {
    let (dtype, shape) = (program[output].dtype, program[output].shape)
    let wide = temporary("parsed", TextOperation.wide(dtype), shape)
    text(.parse(dtype), extents: [shape.reduce(1, *)], reading: [x], writing: [wide])
    try map("cast", to: output) { (params, axes) throws(Diagnostic) in
      let value = params.load(wide, axes)
      return dtype == .bool ? .compare(.notEqual, value, .integer(0, .uint64)) : .cast(value, dtype)
    }
  }

  /// The numbers of `x` as texts in `output`.
  mutating func format(_ x: TensorID, to output: TensorID) throws(Diagnostic) {
    let (dtype, shape) = (program[x].dtype, program[x].shape)
    let wide = temporary("wide", TextOperation.wide(dtype), shape)
    try map("cast", to: wide) { (params, axes) throws(Diagnostic) in
      .cast(params.load(x, axes), TextOperation.wide(dtype))
    }
    text(.format(dtype), extents: [shape.reduce(1, *)], reading: [wide], writing: [output])
  }
}
