import CoreMLProto

/// The names that layers write, in branches and loops too.
struct NNWrites {
  /// Whether the round of the innermost loop goes on, and whether that loop is left: no name of a network is one of
  /// these.
  static let goesOn = "\0goes on", isLeft = "\0is left"

  private(set) var names: Set<String> = []

  init(_ layers: some Sequence<NNLayerSpec>) {
    for layer in layers {
      names.formUnion(layer.output.filter { !$0.hasPrefix("\0") })
      switch layer.layer {
      case .branch(let branch)?:
        names.formUnion(NNWrites(branch.ifBranch.layers + branch.elseBranch.layers).names)
      case .loop(let loop)?:
        let inner = NNWrites(loop.conditionNetwork.layers + loop.bodyNetwork.layers).names
        names.formUnion(inner.subtracting([Self.goesOn, Self.isLeft]))
      case .loopBreak?: names.formUnion([Self.goesOn, Self.isLeft])
      case .loopContinue?: names.insert(Self.goesOn)
      default: break
      }
    }
  }
}
