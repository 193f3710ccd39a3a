import MLCCore
import MLCKernels

/// A store of vectors that later stages read as they are, not from memory.
struct KeptStore {
  let param: Int, index: [Index], value: Scalar

  /// The store of `stage` with `axis` for its one loop; `nil` where elements are rounded as they are stored.
  init?(_ stage: LoopNest.Stage, along axis: Int, _ params: [KernelTensor]) {
    guard stage.axes.count == 1,
      case .store(let p, let index, _, let value) = stage.substituting([stage.axes[0].id: .axis(axis)]),
      params[p].dtype == .float32
    else { return nil }
    (param, self.index, self.value) = (p, index, value)
  }

  /// `reader` with the stage `vectors` for what is stored here.
  func replaced(in reader: Scalar, by vectors: Int) -> Scalar {
    reader.rewritten { $0 == .load(param: param, index) ? .stage(vectors) : $0 }
  }

  /// Whether one of `stages` stores in the same places before any reads what is stored here from memory.
  func isReplaced(by stages: some Sequence<LoopNest.Stage>) -> Bool {
    for stage in stages {
      if replaced(in: stage.value, by: 0).loads(param) { return false }
      if case .store(param, index, _, _) = stage { return true }
    }
    return false
  }

  /// Declares the vector `name` and stores it; `reader` as it reads that.
  func write(_ name: String, _ mode: ScalarSpeller.Mode, _ speller: inout ScalarSpeller, readBy reader: Scalar)
    -> (CCode, Scalar)
  {
    let declaration = "const V \(name) = \(speller.spell(value, mode));"
    let vectors = speller.addStage(name, .float32, hasLanes: true)
    let store = speller.store(param, index, .stage(vectors), mode)
    return (CCode(lines: [declaration, store]), replaced(in: reader, by: vectors))
  }
}

extension Scalar {
  /// Whether it reads parameter `param`.
  func loads(_ param: Int) -> Bool {
    var found = false
    visitNodes { if case .load(param, _) = $0 { found = true } }
    return found
  }
}
