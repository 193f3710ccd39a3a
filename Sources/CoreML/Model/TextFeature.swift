import MLCCore

/// What a tensor of strings is as a feature: Core ML has no arrays of texts.
enum TextFeature {
  /// A string: one text, whatever the rank.
  case text
  /// A sequence of strings: row-major where there are several axes.
  case list

  /// `nil` for a tensor of numbers.
  init?(_ type: TensorType) {
    guard type.dtype == .string else { return nil }
    self = type.shape.allSatisfy { $0.constant == 1 } ? .text : .list
  }

  /// The shape of a tensor of `type` that holds a list of `count` texts: at most one extent may be open. `nil` where
  /// they do not fit.
  static func shape(of type: TensorType, count: Int) -> [Int]? {
    let known = type.shape.compactMap { $0.constant }
    guard let product = known.checkedProduct else { return nil }
    if known.count == type.rank { return product == count ? known : nil }
    guard known.count + 1 == type.rank, product > 0, count.isMultiple(of: product) else { return nil }
    return type.shape.map { $0.constant ?? count / product }
  }
}
