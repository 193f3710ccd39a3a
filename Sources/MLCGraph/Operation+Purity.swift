extension Operation {
  /// Whether the results depend on the arguments alone and nothing else happens: not so for random numbers and states.
  package var isPure: Bool {
    !name.hasPrefix("random_") && !name.hasSuffix("_state") && blocks.allSatisfy { $0.operations.allSatisfy(\.isPure) }
  }
}
