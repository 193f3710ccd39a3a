import MLCCore

extension Kernel {
  /// The element type of the sums that a contraction hands to its epilogue: int32 of bytes, float32 of floats of at
  /// most 32 bits, that of its operands of what is wider.
  package func accumulatorType(in program: KernelProgram) -> DType {
    switch body {
    case .convolution(let c): program[params[c.x].tensor].dtype.isInteger ? .int32 : .float32
    case .matmul(let m): sums(of: program[params[m.lhs.param].tensor].dtype)
    case .loopNest, .attention, .routine: .float32
    }
  }

  private func sums(of operand: DType) -> DType {
    if operand.isWideFactor { return operand }
    return operand.isInteger ? .int32 : .float32
  }
}
