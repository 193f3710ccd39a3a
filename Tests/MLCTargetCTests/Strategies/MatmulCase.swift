import Foundation
import MLCCore
import MLCKernels

/// A matmul with its operands, and what it must give: computed one element at a time, in double precision, from the
/// definition of `Matmul`.
struct MatmulCase {
  var label: String
  var program = KernelProgram()
  var kernel: Kernel
  var symbols: [String: Int]
  var values: [TensorID: [Double]] = [:]
  /// What factors of the product are rounded to, where they are.
  var factors: DType?

  /// Axes 0, 1, 2 are m, n, k; 3 and 4 are batch axes.
  static let m = Index.axis(0), n = Index.axis(1), k = Index.axis(2), b = Index.axis(3), h = Index.axis(4)

  /// An operand: its stored shape and the index of each dimension.
  struct Operand {
    var shape: [Dim], index: [Index]
    var dtype: DType = .float32
    var isConstant = false
  }

  init(
    _ label: String,
    batch: [Dim] = [],
    m: Dim,
    n: Dim,
    k: Dim,
    _ lhs: Operand,
    _ rhs: Operand,
    output: Operand,
    extra: [Operand] = [],
    epilogue: Scalar = .accumulator,
    symbols: [String: Int] = [:]
  ) {
    (self.label, self.symbols) = (label, symbols)
    program.symbols = symbols.keys.sorted()
    var params: [Kernel.Param] = []
    var seed: UInt64 = 7
    for (position, operand) in ([lhs, rhs] + extra + [output]).enumerated() {
      let count = operand.shape.reduce(1, *).evaluate(symbols)!
      let isOutput = position == extra.count + 2
      let numbers = isOutput ? [] : Self.numbers(count, operand.dtype, &seed)
      let kind: KernelTensor.Kind =
        isOutput
        ? .output(0)
        : operand.isConstant
          ? .constant(Tensor(operand.dtype, operand.shape.map { $0.evaluate(symbols)! }, numbers)) : .input(position)
      let id = program.add(KernelTensor("t\(position)", operand.dtype, operand.shape, kind))
      values[id] = numbers
      params.append(Kernel.Param(id, isOutput ? .write : .read))
    }
    let body = Matmul(
      batch: batch.enumerated().map { Axis(3 + $0, $1) },
      m: Axis(0, m),
      n: Axis(1, n),
      k: Axis(2, k),
      lhs: .init(0, lhs.index),
      rhs: .init(1, rhs.index),
      output: .init(params.count - 1, output.index),
      epilogue: epilogue
    )
    kernel = Kernel("matmul", params, .matmul(body), origins: [])
  }

  /// Numbers between −1 and 1 that `dtype` holds exactly; integers all over the range of bytes.
  private static func numbers(_ count: Int, _ dtype: DType, _ seed: inout UInt64) -> [Double] {
    (0..<count).map { _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Int64(seed >> 40)
      if dtype.isInteger { return Double(number % 256 - (dtype.isSigned ? 128 : 0)) }
      return Double(number % 129 - 64) / 64
    }
  }

  var output: TensorID { kernel.params.last!.tensor }

  func bytes(_ id: TensorID) -> [UInt8] {
    let tensor = program[id]
    return Tensor(tensor.dtype, [values[id]!.count], values[id]!).withBytes { Array($0) }
  }

  /// The expected output by place in memory; places that nothing is stored at are absent.
  var expected: [Int: Double] {
    guard case .matmul(let matmul) = kernel.body else { return [:] }
    var result: [Int: Double] = [:]
    func walk(_ axes: ArraySlice<Axis>, _ at: [Int: Int]) {
      guard let axis = axes.first else {
        var (sum, point) = (0.0, at)
        for step in 0..<size(matmul.k.extent) {
          point[matmul.k.id] = step
          sum += factor(matmul.lhs, point) * factor(matmul.rhs, point)
        }
        result[place(matmul.output.param, matmul.output.index, at)] = evaluate(matmul.epilogue, sum, at)
        return
      }
      for position in 0..<size(axis.extent) { walk(axes.dropFirst(), at.merging([axis.id: position]) { $1 }) }
    }
    walk((matmul.batch + [matmul.m, matmul.n])[...], [:])
    return result
  }

  /// The same of the magnitudes of all operands.
  var ofMagnitudes: MatmulCase {
    var item = self
    for (id, values) in item.values { item.values[id] = values.map { abs($0) } }
    return item
  }

  /// What the sums of float16 that a sum of `factors` begins with are off at most, of the products' magnitudes.
  var unitOfSums: Double { factors?.unitOfSums ?? 0 }

  private func factor(_ access: Matmul.Access, _ point: [Int: Int]) -> Double {
    let value = load(access.param, access.index, point)
    return factors.map { Tensor(.float32, [1], [value]).converted(to: $0).doubles[0] } ?? value
  }

  private func size(_ dim: Dim) -> Int { dim.evaluate(symbols)! }

  private func place(_ param: Int, _ index: [Index], _ at: [Int: Int]) -> Int {
    let shape = program[kernel.params[param].tensor].shape
    return zip(index, shape).reduce(0) { $0 * size($1.1) + evaluate($1.0, at) }
  }

  private func load(_ param: Int, _ index: [Index], _ at: [Int: Int]) -> Double {
    values[kernel.params[param].tensor]![place(param, index, at)]
  }

  private func evaluate(_ index: Index, _ at: [Int: Int]) -> Int {
    switch index {
    case .dim(let d): size(d)
    case .axis(let id): at[id]!
    case .sum(let a, let b): evaluate(a, at) + evaluate(b, at)
    case .product(let a, let d): evaluate(a, at) * size(d)
    case .floorDiv(let a, let d): evaluate(a, at) / size(d)
    case .mod(let a, let d): evaluate(a, at) % size(d)
    case .value: preconditionFailure("no case indexes by data")
    }
  }

  private func evaluate(_ s: Scalar, _ sum: Double, _ at: [Int: Int]) -> Double {
    func value(_ s: Scalar) -> Double { evaluate(s, sum, at) }
    switch s {
    case .accumulator: return sum
    case .constant(let c, _): return c
    case .load(let param, let index): return load(param, index, at)
    case .cast(let x, _): return value(x)
    case .unary(.erf, let x): return erf(value(x))
    case .unary(.tanh, let x): return tanh(value(x))
    case .unary(.sigmoid, let x): return 1 / (1 + exp(-value(x)))
    case .binary(.add, let x, let y): return value(x) + value(y)
    case .binary(.mul, let x, let y): return value(x) * value(y)
    case .binary(.max, let x, let y): return max(value(x), value(y))
    default: preconditionFailure("no case uses \(s)")
    }
  }
}

extension DType {
  /// What sums of products of factors of this type are off at most, of the products' magnitudes, beyond what float32
  /// sums are: each of the steps of a sum of float16 rounds once.
  var unitOfSums: Double { self == .float16 ? Double(RoundedFactors.stepsOfHalves) * 0x1p-11 : 0 }
}
