import CoreML
import Foundation
import Testing

/// Element-wise operations beside numpy, on drawn shapes, types and values.
@Suite struct TensorElementwiseTests {
  private static let unary: [(String, @Sendable (MLTensor) -> MLTensor)] = [
    ("acos", { $0.acos() }), ("acosh", { $0.acosh() }), ("asin", { $0.asin() }), ("asinh", { $0.asinh() }),
    ("atan", { $0.atan() }), ("atanh", { $0.atanh() }), ("cos", { $0.cos() }), ("cosh", { $0.cosh() }),
    ("exp", { $0.exp() }), ("exp2", { $0.exp2() }), ("log", { $0.log() }), ("reciprocal", { $0.reciprocal() }),
    ("rsqrt", { $0.rsqrt() }), ("sin", { $0.sin() }), ("sinh", { $0.sinh() }), ("squareRoot", { $0.squareRoot() }),
    ("tan", { $0.tan() }), ("tanh", { $0.tanh() }), ("abs", { $0.abs() }), ("ceil", { $0.ceil() }),
    ("floor", { $0.floor() }), ("round", { $0.round() }), ("sign", { $0.sign() }), ("squared", { $0.squared() }),
    ("negate", { -$0 }),
  ]
  private static let arithmetic: [(String, @Sendable (MLTensor, MLTensor) -> MLTensor)] = [
    ("+", { $0 + $1 }), ("-", { $0 - $1 }), ("*", { $0 * $1 }), ("/", { $0 / $1 }), ("%", { $0 % $1 }),
    ("pow", { $0.pow($1) }), ("min", { pointwiseMin($0, $1) }), ("max", { pointwiseMax($0, $1) }),
  ]
  private static let comparisons: [(String, @Sendable (MLTensor, MLTensor) -> MLTensor)] = [
    (".==", { $0 .== $1 }), (".!=", { $0 .!= $1 }), (".<", { $0 .< $1 }), (".<=", { $0 .<= $1 }),
    (".>", { $0 .> $1 }), (".>=", { $0 .>= $1 }),
  ]
  private static let logic: [(String, @Sendable (MLTensor, MLTensor) -> MLTensor)] = [
    (".&", { $0 .& $1 }), (".|", { $0 .| $1 }), (".^", { $0 .^ $1 }),
  ]

  private func tolerance(_ type: String, _ relative: Double) -> (relative: Double, absolute: Double) {
    type == "float16" ? (1.0 / 1024, 1e-7) : type == "float32" ? (relative, 0) : (0, 0)
  }

  @Test func unaryOperations() async throws {
    var (draw, cases) = (Draw(1), [TensorCase]())
    for (index, (name, function)) in Self.unary.enumerated() {
      for turn in 0..<6 {
        let isFloat = index < 18 || turn < 2
        let type = isFloat ? ["float32", "float16"][turn % 2] : draw.pick(Sample.numbers)
        let shape = turn == 0 ? [1500] : draw.shape(0...4)
        let x = Sample.drawn(&draw, shape, type, isWild: true)
        // The exact result rounded, or its neighbour.
        cases.append(
          TensorCase(
            op: "unary",
            parameters: ["name": name],
            inputs: [x],
            tolerance: tolerance(type, 1.2e-7),
            result: function(x.tensor)
          )
        )
      }
    }
    for shape in [[], [3, 4], [0, 2]] {
      let x = Sample.drawn(&draw, shape, "bool")
      cases.append(TensorCase(op: "unary", parameters: ["name": "not"], inputs: [x], result: .!x.tensor))
    }
    try await compareWithNumpy(cases)
  }

  @Test func binaryOperations() async throws {
    var (draw, cases) = (Draw(2), [TensorCase]())
    func add(_ name: String, _ type: String, _ function: (MLTensor, MLTensor) -> MLTensor) {
      for turn in 0..<3 {
        let shape = turn == 0 ? [37, 60] : draw.shape(0...4)
        let other = draw.partner(shape)
        let (x, y) = (
          Sample.drawn(&draw, shape, type, isWild: true), Sample.drawn(&draw, other, type, isWild: true)
        )
        let pair = draw.flip() ? [x, y] : [y, x]
        // Those of floats are one rounding, remainders of halves aside.
        cases.append(
          TensorCase(
            op: "binary",
            parameters: ["name": name],
            inputs: pair,
            tolerance: tolerance(type, name == "pow" ? 1.2e-7 : 0),
            result: function(pair[0].tensor, pair[1].tensor)
          )
        )
      }
    }
    for type in Sample.numbers { for (name, function) in Self.arithmetic { add(name, type, function) } }
    for type in Sample.all { for (name, function) in Self.comparisons { add(name, type, function) } }
    for (name, function) in Self.logic { add(name, "bool", function) }
    try await compareWithNumpy(cases)
  }

  @Test func castsAndBounds() async throws {
    var (draw, cases) = (Draw(3), [TensorCase]())
    let types: [(String, (MLTensor) -> MLTensor)] = [
      ("float32", { $0.cast(to: Float.self) }), ("float16", { $0.cast(to: Float16.self) }),
      ("int32", { $0.cast(to: Int32.self) }), ("int16", { $0.cast(to: Int16.self) }),
      ("int8", { $0.cast(to: Int8.self) }), ("uint32", { $0.cast(to: UInt32.self) }),
      ("uint16", { $0.cast(to: UInt16.self) }), ("uint8", { $0.cast(to: UInt8.self) }),
      ("bool", { $0.cast(like: MLTensor(true)) }),
    ]
    for type in Sample.all {
      for (name, function) in types {
        let x = Sample.drawn(&draw, draw.flip() ? [300] : draw.shape(0...3), type, isWild: true)
        cases.append(TensorCase(op: "cast", parameters: ["name": name], inputs: [x], result: function(x.tensor)))
      }
    }
    for type in ["float32", "float16", "int32", "int8"] {
      let x = Sample.drawn(&draw, [5, 40], type, isWild: true)
      func clamp(_ low: Float, _ high: Float, _ result: MLTensor) {
        cases.append(TensorCase(op: "clamp", parameters: ["low": low, "high": high], inputs: [x], result: result))
      }
      clamp(-2, 3, x.tensor.clamped(to: -2...3))
      if type == "float32" {
        clamp(1, 1e30, x.tensor.clamped(to: 1...).clamped(to: ...1e30))
        clamp(-1e30, 0.5, x.tensor.clamped(to: ...0.5).clamped(to: (-1e30)...))
      }
    }
    try await compareWithNumpy(cases)
  }

  /// Chains with shared parts, broadcast parts, sums and transposes in between: what is computed together changes
  /// nothing.
  @Test func programs() async throws {
    var (draw, cases) = (Draw(4), [TensorCase]())
    let pairs = Self.arithmetic.filter { ["+", "-", "*", "min", "max"].contains($0.0) }
    let singles = Self.unary.filter { ["sin", "tanh", "abs", "floor", "squared", "negate"].contains($0.0) }
    for _ in 0..<60 {
      let (rows, columns) = (draw.int(1...40), draw.int(1...70))
      let shapes = [[rows, columns], [rows, columns], [rows, 1], [1, columns], []]
      let inputs = shapes.map { Sample.drawn(&draw, $0, "float32") }
      var (values, steps) = (inputs.map { $0.tensor }, [[Any]]())
      func add(_ name: String, _ places: [Int], _ value: MLTensor) {
        steps.append([name] + places)
        values.append(value)
      }
      for _ in 0..<draw.int(1...25) {
        let numbers = values.indices.filter { values[$0].scalarType is Float.Type }
        let (a, b, c) = (draw.pick(numbers), draw.pick(numbers), draw.pick(numbers))
        let (x, y) = (values[a], values[b])
        switch draw.int(0...9) {
        case 0 where x.rank == 2: add("sum", [a], x.sum(alongAxes: -1, keepRank: true))
        case 1 where rows == columns || x.scalarCount == 1: add("swap", [a], x.transposed())
        case 2 where x.shape == [rows, columns]:
          // Of those that are replaced in, which have the common shape.
          add(".<", [a, b], x .< y)
          let mask = values.count - 1
          add("where", [mask, c, a], x.replacing(with: values[c], where: values[mask]))
        case 3...5:
          let (name, function) = draw.pick(singles)
          add(name, [a], function(x))
        default:
          let (name, function) = draw.pick(pairs)
          add(name, [a, b], function(x, y))
        }
      }
      // Large values lose what the tolerance is relative to.
      add("tanh", [values.count - 1], values[values.count - 1].tanh())
      cases.append(
        TensorCase(
          op: "program",
          parameters: ["steps": steps],
          inputs: inputs,
          tolerance: (1e-4, 1e-4),
          result: values[values.count - 1]
        )
      )
    }
    try await compareWithNumpy(cases)
  }

  /// Functions beside the C library's in double precision: at most one unit in the last place, on a sweep of all
  /// magnitudes.
  @Test func functionsAreWithinOneUnit() async throws {
    let references: [(String, (Double) -> Double)] = [
      ("acos", { Foundation.acos($0) }), ("acosh", { Foundation.acosh($0) }), ("asin", { Foundation.asin($0) }),
      ("asinh", { Foundation.asinh($0) }), ("atan", { Foundation.atan($0) }), ("atanh", { Foundation.atanh($0) }),
      ("cos", { Foundation.cos($0) }), ("cosh", { Foundation.cosh($0) }), ("exp", { Foundation.exp($0) }),
      ("exp2", { Foundation.exp2($0) }), ("log", { Foundation.log($0) }), ("reciprocal", { 1 / $0 }),
      ("rsqrt", { 1 / $0.squareRoot() }), ("sin", { Foundation.sin($0) }), ("sinh", { Foundation.sinh($0) }),
      ("squareRoot", { $0.squareRoot() }), ("tan", { Foundation.tan($0) }), ("tanh", { Foundation.tanh($0) }),
    ]
    // Every 40,009th float: all signs, exponents and kinds.
    let sweep = stride(from: UInt32(0), to: .max - 40_009, by: 40_009).map { Float(bitPattern: $0) }
    let near = (0..<20_000).map { Float($0 - 10_000) / 2_500 }
    let numbers = sweep + near
    let x = MLTensor(numbers)
    for (name, reference) in references {
      guard let function = Self.unary.first(where: { $0.0 == name })?.1 else { continue }
      let values = await function(x).shapedArray(of: Float.self).scalars
      var worst = 0
      for (number, value) in zip(numbers, values) {
        let exact = Float(reference(Double(number)))
        if exact.isNaN != value.isNaN { worst = .max }
        if exact.isNaN || exact == value { continue }
        worst = max(worst, abs(Int(exact.ordinal) - Int(value.ordinal)))
      }
      #expect(worst <= 1, "\(name) is \(worst) units off")
    }
  }
}

extension Float {
  /// Neighbours are one apart.
  fileprivate var ordinal: Int32 {
    let bits = Int32(bitPattern: bitPattern)
    return bits < 0 ? Int32.min &- bits : bits
  }
}
