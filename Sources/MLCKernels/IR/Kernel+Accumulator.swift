import MLCCore

extension Kernel {
  /// The element type of the sums that a contraction hands to its epilogue: int32 of integers, float32 of floats.
  package func accumulatorType(in program: KernelProgram) -> DType {
    switch body {
    case .convolution(let c): program[params[c.x].tensor].dtype.isInteger ? .int32 : .float32
    case .matmul(let m): program[params[m.lhs.param].tensor].dtype.isInteger ? .int32 : .float32
    case .loopNest, .attention, .routine: .float32
    }
  }
}
