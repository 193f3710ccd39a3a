import MLCCore
import MLCKernels

extension Scalar {
  static func number(_ value: Double) -> Scalar { .constant(value, .float32) }
  static func relu(_ x: Scalar) -> Scalar { .binary(.max, x, .number(0)) }
  /// With the error function.
  static func gelu(_ x: Scalar) -> Scalar {
    .number(0.5) * x * (.number(1) + .unary(.erf, x * .number(0.7071067811865476)))
  }
  static func geluTanh(_ x: Scalar) -> Scalar {
    let inner = .number(0.7978845608028654) * (x + .number(0.044715) * x * x * x)
    return .number(0.5) * x * (.number(1) + .unary(.tanh, inner))
  }
  static func silu(_ x: Scalar) -> Scalar { x * .unary(.sigmoid, x) }
}

extension MatmulCase {
  /// `[M, K] × [K, N]`, the right one constant or not, with optional bias, residual and activation.
  static func plain(
    _ m: Dim,
    _ n: Dim,
    _ k: Dim,
    constant: Bool = true,
    types: [DType] = [.float32, .float32, .float32],
    transposed: (lhs: Bool, rhs: Bool, output: Bool) = (false, false, false),
    bias: Bool = false,
    residual: Bool = false,
    activation: (Scalar) -> Scalar = { $0 },
    symbols: [String: Int] = [:]
  ) -> MatmulCase {
    var extra: [Operand] = []
    var value = Scalar.accumulator
    if bias {
      value = value + .load(param: 2 + extra.count, [Self.n])
      extra.append(Operand(shape: [n], index: [Self.n], isConstant: true))
    }
    value = activation(value)
    if residual {
      value = value + .load(param: 2 + extra.count, [Self.m, Self.n])
      extra.append(Operand(shape: [m, n], index: [Self.m, Self.n]))
    }
    func matrix(_ a: Dim, _ b: Dim, _ i: Index, _ j: Index, _ swap: Bool, _ type: DType, _ constant: Bool = false)
      -> Operand
    {
      Operand(shape: swap ? [b, a] : [a, b], index: swap ? [j, i] : [i, j], dtype: type, isConstant: constant)
    }
    let size = [m, n, k].map { $0.evaluate(symbols)! }
    return MatmulCase(
      "\(size[0])x\(size[1])x\(size[2]) \(constant ? "constant" : "variable") \(types.map(\.rawValue)) \(transposed)",
      m: m,
      n: n,
      k: k,
      matrix(m, k, Self.m, Self.k, transposed.lhs, types[0]),
      matrix(k, n, Self.k, Self.n, transposed.rhs, types[1], constant),
      output: matrix(m, n, Self.m, Self.n, transposed.output, types[2]),
      extra: extra,
      epilogue: value,
      symbols: symbols
    )
  }

  /// Scores of attention: q and k are `[batch, rows, heads, width]`, read in place.
  static func scores(_ batch: Dim, _ heads: Dim, _ rows: Dim, _ columns: Dim, _ width: Dim, _ symbols: [String: Int])
    -> MatmulCase
  {
    MatmulCase(
      "scores \(symbols)",
      batch: [batch, heads],
      m: rows,
      n: columns,
      k: width,
      Operand(shape: [batch, rows, heads, width], index: [b, m, h, k]),
      Operand(shape: [batch, columns, heads, width], index: [b, n, h, k]),
      output: Operand(shape: [batch, heads, rows, columns], index: [b, h, m, n]),
      epilogue: .accumulator * .number(0.125),
      symbols: symbols
    )
  }

  /// Scores times values, `[batch, steps, heads, width]`, stored with the heads merged.
  static func context(_ batch: Dim, _ heads: Dim, _ rows: Dim, _ steps: Dim, _ width: Dim, _ symbols: [String: Int])
    -> MatmulCase
  {
    MatmulCase(
      "context \(symbols)",
      batch: [batch, heads],
      m: rows,
      n: width,
      k: steps,
      Operand(shape: [batch, heads, rows, steps], index: [b, h, m, k]),
      Operand(shape: [batch, steps, heads, width], index: [b, k, h, n]),
      output: Operand(shape: [batch, rows, heads, width], index: [b, m, h, n]),
      symbols: symbols
    )
  }

  /// A batch of left matrices times one matrix, or times a constant one each.
  static func batched(_ count: Dim, _ m: Dim, _ n: Dim, _ k: Dim, shared: Bool, constant: Bool) -> MatmulCase {
    MatmulCase(
      "batch \(count) shared \(shared) constant \(constant)",
      batch: [count],
      m: m,
      n: n,
      k: k,
      Operand(shape: [count, m, k], index: [b, Self.m, Self.k]),
      Operand(
        shape: shared ? [k, n] : [count, k, n],
        index: shared ? [Self.k, Self.n] : [b, Self.k, Self.n],
        isConstant: constant
      ),
      output: Operand(shape: [count, m, n], index: [b, Self.m, Self.n])
    )
  }

  /// Rows of every batch position times one constant, with a residual and a factor for each batch position.
  static func linear(_ batch: Dim, _ rows: Dim, _ n: Dim, _ k: Dim, _ symbols: [String: Int] = [:]) -> MatmulCase {
    MatmulCase(
      "linear \(batch) \(rows) \(symbols)",
      batch: [batch],
      m: rows,
      n: n,
      k: k,
      Operand(shape: [batch, rows, k], index: [b, Self.m, Self.k]),
      Operand(shape: [n, k], index: [Self.n, Self.k], isConstant: true),
      output: Operand(shape: [batch, rows, n], index: [b, Self.m, Self.n]),
      extra: [
        Operand(shape: [batch, rows, n], index: [b, Self.m, Self.n]), Operand(shape: [batch, 1], index: [b, .dim(0)]),
      ],
      epilogue: .accumulator * .load(param: 3, [b, .dim(0)]) + .load(param: 2, [b, Self.m, Self.n]),
      symbols: symbols
    )
  }

  /// Bytes times a constant of bytes, rows of a batch beside each other in the result: sums and an integer for each
  /// column, or sums scaled by column, and a residual.
  static func bytes(
    _ m: Dim,
    _ n: Dim,
    _ k: Dim,
    batch: Dim = 1,
    transposed: Bool = false,
    isScaled: Bool = false,
    symbols: [String: Int] = [:]
  ) -> MatmulCase {
    let result = [Self.m, b, Self.n]
    let column = Scalar.load(param: 2, [Self.n])
    let factor = Operand(shape: [n], index: [Self.n], dtype: isScaled ? .float32 : .int32, isConstant: true)
    return MatmulCase(
      "\(batch)x\(m)x\(n)x\(k) bytes \(transposed) \(isScaled) \(symbols)",
      batch: [batch],
      m: m,
      n: n,
      k: k,
      Operand(shape: [batch, m, k], index: [b, Self.m, Self.k], dtype: .uint8),
      Operand(
        shape: transposed ? [k, n] : [n, k],
        index: transposed ? [Self.k, Self.n] : [Self.n, Self.k],
        dtype: .int8,
        isConstant: true
      ),
      output: Operand(shape: [m, batch, n], index: result, dtype: isScaled ? .float32 : .int32),
      extra: isScaled ? [factor, Operand(shape: [m, batch, n], index: result)] : [factor],
      epilogue: isScaled
        ? .cast(.accumulator, .float32) * column + .load(param: 3, result) : .accumulator + column,
      symbols: symbols
    )
  }

  /// A constant matrix times one column.
  static func constantLeft(_ m: Dim, _ k: Dim) -> MatmulCase {
    MatmulCase(
      "constant left \(m) \(k)",
      m: m,
      n: 1,
      k: k,
      Operand(shape: [m, k], index: [Self.m, Self.k], isConstant: true),
      Operand(shape: [k, 1], index: [Self.k, Self.n]),
      output: Operand(shape: [m, 1], index: [Self.m, Self.n])
    )
  }
}
