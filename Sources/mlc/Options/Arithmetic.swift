import ArgumentParser
import MLCCore

/// What the factors of products are rounded to before they are multiplied.
enum Arithmetic: String, ExpressibleByArgument, CaseIterable {
  case fp32, fp16, bf16

  /// `nil` where they stay as they are.
  var factors: DType? { self == .fp32 ? nil : DType(rawValue: rawValue) }
}
