import MLCCore
import MLCKernels

// Rows of a few vectors: every stage takes them all at once, without loops, and what one stage stores later ones have
// in registers.

extension NestWriter {
  /// How many vectors make the row that all stages with loops run along; `nil` where it is long or they do not.
  func rowVectors() -> Int? {
    let own = nest.stages.filter { !$0.axes.isEmpty }
    guard let extent = own.first?.axes.last?.extent.constant, (1...8 * lanes).contains(extent) else { return nil }
    let fits = own.allSatisfy { stage in
      guard stage.axes.count == 1, stage.axes[0].extent == Dim(extent) else { return false }
      switch stage {
      case .compute: return true
      case .reduce(let reduction, _, let value): return lanes(reduction, value, along: stage.axes[0]) != nil
      case .store(let p, let index, _, let value):
        return speller.obstacle(store: p, index, value, axis: stage.axes[0].id) == nil
      }
    }
    return fits ? (extent + lanes - 1) / lanes : nil
  }

  func row(_ count: Int) -> CCode {
    let axis = nest.freshAxis
    let extent = nest.stages.lazy.compactMap(\.axes.first).first!.extent
    let part = extent.constant!.isMultiple(of: lanes) ? nil : "\(extent.constant! % lanes)"
    var spellers = (0..<count).map { u in
      var shifted = speller
      shifted.name(axis, "(\(u) * VL)", extent: extent)
      return shifted
    }
    let modes = (0..<count).map { ScalarSpeller.Mode.vector(axis: axis, part: $0 == count - 1 ? part : nil) }
    var kept: [(store: KeptStore, stage: Int)] = []
    func current(_ value: Scalar) -> Scalar { kept.reduce(value) { $1.store.replaced(in: $0, by: $1.stage) } }
    let stages = nest.stages.map { stage in
      stage.axes.first.map { stage.substituting([$0.id: .axis(axis)]) } ?? stage
    }
    return stages.enumerated().map { k, stage -> CCode in
      switch stage {
      case .compute(let value): return compute(k, value)
      case .reduce(let reduction, _, let value):
        let vectors = zip(spellers, modes).map { $0.spell(current(value), $1) }
        return reduced(k, reduction, vectors, part)
      case .store(let p, let index, [], let value): return CCode(speller.store(p, index, value))
      case .store(let p, let index, _, let value):
        let value = current(value)
        let vectors = zip(spellers, modes).map { $0.spell(value, $1) }
        let type = speller.stageTypes[k]
        let names = (0..<count).map { "w\(k)_\($0)" }
        let declarations = zip(names, vectors).map { "const \(LaneType(type)!.name) \($0) = \($1);" }
        var number = 0
        for u in spellers.indices { number = spellers[u].addStage(names[u], type, hasLanes: true) }
        let stores = zip(spellers, modes).map { $0.store(p, index, .stage(number), $1) }
        kept.removeAll { $0.store.param == p }
        guard let store = KeptStore(nest.stages[k], along: axis, speller.params) else {
          return CCode(lines: declarations + stores)
        }
        kept.append((store, number))
        return CCode(lines: declarations + (store.isReplaced(by: stages[(k + 1)...]) ? [] : stores))
      }
    }.joined()
  }

  /// The result of stage `k`, a reduction of `vectors`, of the last of which the first `part` lanes count.
  private func reduced(_ k: Int, _ reduction: LoopNest.Reduction, _ vectors: [String], _ part: String?) -> CCode {
    let lanes = reduction.lanes(speller.stageTypes[k])!
    let ways = Swift.min(vectors.count, 4)
    let identity = lanes.splat(reduction.identity(speller.stageTypes[k]))
    let steps = vectors.enumerated().map { u, vector -> String in
      let isPart = u == vectors.count - 1 && part != nil
      let x = isPart ? "\(lanes.function("select"))(mlc_first(\(part!)), \(vector), \(identity))" : vector
      let a = "a\(k)_\(u % 4)"
      return u < ways ? "\(lanes.name) \(a) = \(x);" : "\(a) = \(reduction.combine(a, x, lanes));"
    }
    return CCode(lines: steps) + result(k, reduction, lanes, of: ways) + "(void)r\(k);"
  }
}
