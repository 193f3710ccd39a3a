import CMLCTensor

/// An operation on elements that stand at the same place.
enum ElementwiseOperation: Sendable {
  case binary(Binary)
  case comparison(Comparison)
  case logic(Logic)
  case unary(Unary)
  case cast
  /// The second where the first is true, else the third.
  case select

  enum Binary: UInt32, Sendable { case add, subtract, multiply, divide, remainder, power, minimum, maximum }
  enum Comparison: UInt32, Sendable { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }
  enum Logic: UInt32, Sendable { case and, or, exclusiveOr, not }
  /// In the order of the kernels.
  enum Unary: UInt32, Sendable {
    case negate, abs, sign, ceil, floor, round, reciprocal, squareRoot, reciprocalSquareRoot, square, exp, exp2, log
    case sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh
  }

  /// The steps that compute it from operands of type `kind`: the first takes the operands, the others what the one
  /// before gave.
  func steps(_ kind: ScalarKind, to result: ScalarKind) -> [mlct_op] {
    switch self {
    case .binary(let operation):
      let isExact = operation == .minimum || operation == .maximum
      return [operation.code(kind)] + (isExact ? [] : kind.narrowing)
    case .comparison(let operation): return [operation.code(kind)]
    case .logic(.not): return [MLCT_NOT_I]
    case .logic(let operation): return [mlct_op(MLCT_AND_I.rawValue + operation.rawValue)]
    case .unary(let operation): return [operation.code(kind)] + kind.narrowing
    case .cast: return kind.conversion(to: result)
    case .select: return [MLCT_SELECT]
    }
  }
}

extension ElementwiseOperation.Binary {
  fileprivate func code(_ kind: ScalarKind) -> mlct_op {
    if kind.isFloat { return mlct_op(MLCT_ADD_F.rawValue + rawValue) }
    if kind.isUnsigned, rawValue >= Self.divide.rawValue {
      return mlct_op(MLCT_DIV_U.rawValue + rawValue - Self.divide.rawValue)
    }
    return mlct_op(MLCT_ADD_I.rawValue + rawValue)
  }
}

extension ElementwiseOperation.Comparison {
  fileprivate func code(_ kind: ScalarKind) -> mlct_op {
    if kind.isFloat { return mlct_op(MLCT_EQ_F.rawValue + rawValue) }
    if kind.isUnsigned, rawValue >= Self.less.rawValue {
      return mlct_op(MLCT_LT_U.rawValue + rawValue - Self.less.rawValue)
    }
    return mlct_op(MLCT_EQ_I.rawValue + rawValue)
  }
}

extension ElementwiseOperation.Unary {
  fileprivate func code(_ kind: ScalarKind) -> mlct_op {
    if kind.isFloat { return mlct_op(MLCT_NEG_F.rawValue + rawValue) }
    switch self {
    case .negate: return MLCT_NEG_I
    // What has no sign is its own magnitude.
    case .abs: return kind.isUnsigned ? MLCT_WRAP_NONE : MLCT_ABS_I
    case .sign: return kind.isUnsigned ? MLCT_SIGN_U : MLCT_SIGN_I
    case .square: return MLCT_SQUARE_I
    default: preconditionFailure("\(self)() takes floating-point tensors, not those of \(kind.scalarType)")
    }
  }
}

extension ScalarKind {
  /// The step that makes a result of arithmetic on lanes one of this type.
  fileprivate var narrowing: [mlct_op] {
    switch self {
    case .float16: [MLCT_ROUND16_F]
    case .int16: [MLCT_WRAP16_I]
    case .int8: [MLCT_WRAP8_I]
    case .uint16: [MLCT_WRAP16_U]
    case .uint8: [MLCT_WRAP8_U]
    default: []
    }
  }

  fileprivate func conversion(to result: ScalarKind) -> [mlct_op] {
    if isFloat {
      switch result {
      case .float32: return [MLCT_WRAP_NONE]
      case .float16: return [MLCT_ROUND16_F]
      case .int32: return [MLCT_INT32_F]
      case .int16: return [MLCT_INT16_F]
      case .int8: return [MLCT_INT8_F]
      case .uint32: return [MLCT_UINT32_F]
      case .uint16: return [MLCT_UINT16_F]
      case .uint8: return [MLCT_UINT8_F]
      case .bool: return [MLCT_BOOL_F]
      }
    }
    switch result {
    case .float32, .float16: return [isUnsigned ? MLCT_FLOAT_U : MLCT_FLOAT_I] + result.narrowing
    case .bool: return [MLCT_BOOL_I]
    default: return result.narrowing.isEmpty ? [MLCT_WRAP_NONE] : result.narrowing
    }
  }
}
