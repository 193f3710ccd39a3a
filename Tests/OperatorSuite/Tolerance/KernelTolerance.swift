import MLCCore
import MLCGraph
import MLCOps
import TestSupport

/// How far a result of generated code may lie from the reference's.
///
/// A result of fp32 may lie `units · 2⁻²³ · scale` away, 2⁻²³ being the distance of the fp32 numbers next to 1; of
/// fp64, `10⁻¹² · scale`. Generated code computes 16-bit floats in fp32 and rounds once, as the reference does: their
/// results may be the next number of their type besides. Where `units` is 0 nothing rounds, or everybody rounds the
/// same once: results are equal, in every type. Integers and truth values always are.
struct KernelTolerance: Sendable {
  var units: Double
  var scale: Scale

  enum Scale: Sendable {
    /// The magnitude of the element itself.
    case element
    /// That of the terms whose sum the element is: what the reference makes of the operands' magnitudes.
    case terms
    /// That of the largest of the operands' elements and of the result's: for results near zero that come from
    /// differences of these.
    case operands
    /// That of the element, and 1 at least: for logarithms, which turn relative errors into absolute ones, and for
    /// sums with a number near 1.
    case unit
  }

  init(_ units: Double, of scale: Scale) { (self.units, self.scale) = (units, scale) }

  /// What holds for an operator: its own row of `operators`, or else that of its group.
  static func of(_ type: any Operator.Type) -> KernelTolerance {
    if let own = byName[type.name] { return own }
    guard let group = places.ofOperator["\(type)"] ?? (type is Const.Type ? "ControlFlow" : nil),
      let known = groups[group]
    else { preconditionFailure("no tolerance for \(type.name)") }
    return known
  }

  private static let places = try! OperatorGroups()  // the sources are where the test was built
  private static let byName = Dictionary(
    uniqueKeysWithValues: operators.flatMap { tolerance, names in names.map { ($0, tolerance) } }
  )

  /// Why `result` is not `expected`, `nil` when it is close enough. `terms` is what `scale` asks for as `.terms`,
  /// `operands` what it asks for as `.operands`.
  func disagreement(_ result: Tensor, _ expected: Tensor, terms: Tensor?, operands: Double) -> String? {
    guard result.type == expected.type, expected.dtype.isFloat else {
      return TestSupport.disagreement(result, expected, rtol: 0, atol: 0)
    }
    let magnitudes = terms?.doubles
    for (index, (x, y)) in zip(result.doubles, expected.doubles).enumerated() {
      if x == y || x.isNaN && y.isNaN { continue }
      let limit = limit(y, expected.dtype, terms: magnitudes?[index], operands: operands)
      let isClose = x.isFinite && y.isFinite && abs(x - y) <= limit
      if !isClose { return "[\(index)] is \(x), expected \(y) within \(limit)" }
    }
    return nil
  }

  private func limit(_ expected: Double, _ dtype: DType, terms: Double?, operands: Double) -> Double {
    if units == 0 { return 0 }
    let size = abs(expected)
    var scale = size
    switch self.scale {
    case .element: break
    case .terms: if let terms, terms.isFinite { scale = max(size, terms) }
    case .operands: scale = max(size, operands)
    case .unit: scale = max(size, 1)
    }
    switch dtype {
    case .float64: return 1e-12 * scale
    case .float16: return 0x1p-10 * size + 0x1p-24 + units * 0x1p-23 * scale
    case .bfloat16: return 0x1p-7 * size + units * 0x1p-23 * scale
    // Denormal numbers keep fewer digits, or none where the processor flushes them, and so do products with one.
    default: return units * 0x1p-23 * scale + 0x1p-126 * max(1, operands)
    }
  }
}
