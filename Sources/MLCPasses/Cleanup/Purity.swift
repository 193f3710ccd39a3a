import MLCGraph

extension Operation {
  /// Whether the results depend on the arguments alone and nothing else happens: not so for random numbers and states.
  package var isPure: Bool {
    !name.hasPrefix("random_") && !name.hasSuffix("_state") && blocks.allSatisfy { $0.operations.allSatisfy(\.isPure) }
  }
  /// Whether it must stay even when nobody reads its results.
  var hasEffect: Bool {
    name.hasSuffix("_state") || blocks.contains { $0.operations.contains(where: \.hasEffect) }
  }
}
