import MLCCore

extension Kernel {
  /// Whether the strategies can compute `value` as this contraction's epilogue; always for other kernels.
  ///
  /// Contractions vectorise along one axis, the columns or the output channels: loads must be contiguous or constant in
  /// it. A convolution's operands are read at the loops' own position, so that blocked layouts need no arithmetic.
  func acceptsEpilogue(_ value: Scalar, in program: KernelProgram) -> Bool {
    let loads = value.loads
    guard loads.allSatisfy({ program[params[$0.param].tensor].dtype.isFloat }) else { return false }
    switch body {
    case .convolution: return value.isVectorizable && loads.allSatisfy { Kernel.isConvolutionOperand($0.index) }
    case .matmul(let m): return value.isVectorizable && loads.allSatisfy { Kernel.isColumnwise($0.index, m.n.id) }
    case .attention(let a): return value.isVectorizable && loads.allSatisfy { Kernel.isColumnwise($0.index, a.n.id) }
    case .loopNest, .routine: return true
    }
  }

  private static func isConvolutionOperand(_ index: [Index]) -> Bool {
    if index.count == 1 { return index[0] == .axis(1) || index[0] == .constant(0) }
    guard index.count == 4 else { return index.isEmpty }
    return index.enumerated().allSatisfy { $1 == .axis($0) || $1 == .constant(0) }
  }

  private static func isColumnwise(_ index: [Index], _ column: Int) -> Bool {
    index.enumerated().allSatisfy { (dimension, position) in
      guard let affine = position.affine else { return !position.mentions(column) }
      guard let coefficient = affine.coefficients[column] else { return true }
      return coefficient == 1 && dimension == index.count - 1
    }
  }
}

extension Index {
  /// Whether the axis occurs in it.
  package func mentions(_ axis: Int) -> Bool {
    switch self {
    case .dim: false
    case .axis(let id): id == axis
    case .sum(let a, let b): a.mentions(axis) || b.mentions(axis)
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.mentions(axis)
    case .value(let s):
      s.loads.contains { $0.index.contains { $0.mentions(axis) } }
    }
  }
}

extension Scalar {
  /// Whether every part works on float vectors: no integer arithmetic, no data-dependent position.
  package var isVectorizable: Bool {
    var answer = true
    visitNodes { node in
      switch node {
      case .constant(_, let t), .cast(_, let t): if t.widened != .float32 { answer = false }
      case .integer, .index: answer = false
      case .load(_, let index):
        if index.contains(where: { if case .value = $0 { true } else { false } }) { answer = false }
      case .unary(let f, _):
        switch f {
        case .logicalNot, .bitwiseNot, .tan, .asin, .acos, .atan, .sinh, .cosh, .asinh, .acosh, .atanh: answer = false
        default: break
        }
      case .binary(let f, _, _):
        switch f {
        case .add, .sub, .mul, .div, .max, .min: break
        default: answer = false
        }
      default: break
      }
    }
    return answer
  }
}
