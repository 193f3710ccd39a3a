/// An operation that stays in float32 when the rest goes to float16, and why.
package struct HalfHazard: Sendable, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    /// It reads or makes a tensor whose greatest finite magnitude, this one, float16 cannot hold.
    case range(Double)
    /// It reads a constant that float16 turns infinite or into zeros; the constant's greatest finite magnitude.
    case constant(Double)
    /// It makes, reads or is what a constant of this magnitude keeps from zero, which float16 would not.
    case guarding(Double)
    /// Its rounding, or that of it and some neighbours, leaves the model's outputs a signal-to-noise ratio of this many
    /// dB.
    case precision(Double)
    case blocks, unsupported, conversion, output
  }
  /// The name of the operation's first result.
  package var value: String
  /// The user's node, when it is known, and the operator.
  package var node: String?
  package var op: String
  package var reason: Reason

  package init(value: String, node: String?, op: String, reason: Reason) {
    (self.value, self.node, self.op, self.reason) = (value, node, op, reason)
  }

  package var description: String { "\(node ?? value): \(reason.detail)" }

  static let largest = 65504.0
  static let smallestNormal = 6.103515625e-05
}

extension HalfHazard.Reason {
  /// One word for programs.
  package var kind: String {
    switch self {
    case .range: "range"
    case .constant: "constant"
    case .guarding: "guard"
    case .precision: "precision"
    case .blocks: "blocks"
    case .unsupported: "unsupported"
    case .conversion: "conversion"
    case .output: "output"
    }
  }

  /// What all operations with this kind of reason have in common.
  package var heading: String {
    switch self {
    case .range: "leaves the range of fp16"
    case .constant: "reads a constant that fp16 cannot hold"
    case .guarding: "stands at a constant that keeps values from zero, which fp16 cannot"
    case .precision: "loses too much in fp16"
    case .blocks: "has nested blocks"
    case .unsupported: "takes no fp16"
    case .conversion: "converts element types"
    case .output: "makes an output"
    }
  }

  /// The numbers behind it, or the heading.
  package var detail: String {
    switch self {
    case .range(let largest), .constant(let largest):
      largest > HalfHazard.largest ? "max \(largest.short) > 65504" : "max \(largest.short) < 6.1e-5"
    case .guarding(let least): "\(least.short) < 6.1e-5"
    case .precision(let decibels): "in fp16 it leaves \(Int(decibels.rounded(.down))) dB"
    default: heading
    }
  }
}

extension Double {
  /// Two digits and a power of ten: `1.3e5`.
  var short: String {
    guard isFinite, self != 0 else { return "\(self)" }
    var (mantissa, exponent) = (abs(self), 0)
    while mantissa >= 9.95 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    while mantissa < 0.995 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
    let tenths = Int((mantissa * 10).rounded())
    return "\(self < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)e\(exponent)"
  }
}
