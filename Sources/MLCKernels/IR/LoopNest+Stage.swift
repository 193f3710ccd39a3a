extension LoopNest.Stage {
  /// The stage's own loops.
  package var axes: [Axis] {
    get {
      switch self {
      case .reduce(_, let axes, _), .store(_, _, let axes, _): axes
      case .compute: []
      }
    }
    set {
      switch self {
      case .reduce(let r, _, let value): self = .reduce(r, axes: newValue, value: value)
      case .store(let p, let index, _, let value): self = .store(param: p, index: index, axes: newValue, value: value)
      case .compute: break
      }
    }
  }

  package var value: Scalar {
    switch self {
    case .reduce(_, _, let value), .compute(let value), .store(_, _, _, let value): value
    }
  }
}
