import MLCCore
import MLCKernels

extension LoopNest.Stage {
  /// The stage with `change` made to its value.
  func changingValue(_ change: (Scalar) -> Scalar) -> Self {
    switch self {
    case .reduce(let r, let axes, let value): .reduce(r, axes: axes, value: change(value))
    case .compute(let value): .compute(change(value))
    case .store(let p, let index, let axes, let value):
      .store(param: p, index: index, axes: axes, value: change(value))
    }
  }

  var isReduction: Bool { if case .reduce = self { true } else { false } }
  var isArgument: Bool {
    switch self {
    case .reduce(.argMax, _, _), .reduce(.argMin, _, _): true
    default: false
    }
  }

  /// Replaces axes in every index; the lists of loops stay.
  func substituting(_ map: [Int: Index]) -> Self {
    switch self {
    case .reduce(let r, let axes, let value): .reduce(r, axes: axes, value: value.substituting(map))
    case .compute(let value): .compute(value.substituting(map))
    case .store(let p, let index, let axes, let value):
      .store(param: p, index: index.map { $0.substituting(map) }, axes: axes, value: value.substituting(map))
    }
  }

  /// Every element read or written, the store first.
  var accesses: [(param: Int, index: [Index])] {
    var list: [(Int, [Index])] = []
    func collect(_ s: Scalar) {
      s.visitNodes { if case .load(let p, let index) = $0 { list.append((p, index)) } }
    }
    if case .store(let p, let index, _, _) = self {
      list.append((p, index))
      for case .value(let s) in index { collect(s) }
    }
    collect(value)
    return list
  }

  /// Every loop position used as a number.
  var positions: [Index] {
    var list: [Index] = []
    value.visitNodes { if case .index(let i, _) = $0 { list.append(i) } }
    return list
  }
}

extension LoopNest {
  var allAxes: [Axis] { axes + stages.flatMap(\.axes) }
  var space: IndexSpace {
    IndexSpace(Dictionary(allAxes.map { ($0.id, $0.extent) }, uniquingKeysWith: { first, _ in first }))
  }
  var freshAxis: Int { (allAxes.map(\.id).max() ?? -1) + 1 }
}
