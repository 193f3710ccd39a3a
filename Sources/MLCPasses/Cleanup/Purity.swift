import MLCGraph

extension Operation {
  /// Whether it must stay even when nobody reads its results.
  var hasEffect: Bool {
    name.hasSuffix("_state") || blocks.contains { $0.operations.contains(where: \.hasEffect) }
  }
}
