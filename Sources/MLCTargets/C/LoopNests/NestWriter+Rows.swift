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
    var row = RegisterRow(self, count)
    return row.stages.indices.map { row.stage($0) }.joined()
  }
}

/// The stages of a nest along rows of `count` vectors.
private struct RegisterRow {
  let writer: NestWriter
  let axis: Int
  /// The nest's stages with `axis` for their own loops.
  let stages: [LoopNest.Stage]
  /// How many lanes of the last vector count, where not all do.
  let part: String?
  /// By vector.
  var spellers: [ScalarSpeller]
  let modes: [ScalarSpeller.Mode]
  var kept: [(store: KeptStore, stage: Int)] = []

  init(_ writer: NestWriter, _ count: Int) {
    let axis = writer.nest.freshAxis
    let extent = writer.nest.stages.lazy.compactMap(\.axes.first).first!.extent
    let part = extent.constant!.isMultiple(of: writer.lanes) ? nil : "\(extent.constant! % writer.lanes)"
    (self.writer, self.axis, self.part) = (writer, axis, part)
    spellers = (0..<count).map { u in
      var shifted = writer.speller
      shifted.name(axis, "(\(u) * VL)", extent: extent)
      return shifted
    }
    modes = (0..<count).map { .vector(axis: axis, part: $0 == count - 1 ? part : nil) }
    stages = writer.nest.stages.map { stage in
      stage.axes.first.map { stage.substituting([$0.id: .axis(axis)]) } ?? stage
    }
  }

  mutating func stage(_ k: Int) -> CCode {
    switch stages[k] {
    case .compute(let value): return writer.compute(k, value)
    case .reduce(let reduction, _, let value): return reduce(k, reduction, value)
    case .store(let p, let index, let axes, let value):
      if !axes.isEmpty { return store(k, p, index, value) }
      kept.removeAll { $0.store.param == p }
      return CCode(writer.speller.store(p, index, value))
    }
  }

  /// The vectors of `value`, which reads what is in registers from there.
  private func vectors(_ value: Scalar) -> [String] {
    let current = kept.reduce(value) { $1.store.replaced(in: $0, by: $1.stage) }
    return zip(spellers, modes).map { $0.spell(current, $1) }
  }

  private mutating func store(_ k: Int, _ p: Int, _ index: [Index], _ value: Scalar) -> CCode {
    let type = writer.speller.stageTypes[k]
    let names = spellers.indices.map { "w\(k)_\($0)" }
    let declarations = zip(names, vectors(value)).map { "const \(LaneType(type)!.name) \($0) = \($1);" }
    var number = 0
    for u in spellers.indices { number = spellers[u].addStage(names[u], type, hasLanes: true) }
    let stores = zip(spellers, modes).map { $0.store(p, index, .stage(number), $1) }
    kept.removeAll { $0.store.param == p }
    guard let store = KeptStore(writer.nest.stages[k], along: axis, writer.speller.params) else {
      return CCode(lines: declarations + stores)
    }
    kept.append((store, number))
    return CCode(lines: declarations + (store.isReplaced(by: stages[(k + 1)...]) ? [] : stores))
  }

  private mutating func reduce(_ k: Int, _ reduction: LoopNest.Reduction, _ value: Scalar) -> CCode {
    let vectors = vectors(value)
    if reduction == .max { for u in spellers.indices { spellers[u].maxima[k] = value } }
    let lanes = reduction.lanes(writer.speller.stageTypes[k])!
    let ways = Swift.min(vectors.count, 4)
    let identity = lanes.splat(reduction.identity(writer.speller.stageTypes[k]))
    let steps = vectors.enumerated().map { u, vector -> String in
      let isPart = u == vectors.count - 1 && part != nil
      let x = isPart ? "\(lanes.function("select"))(mlc_first(\(part!)), \(vector), \(identity))" : vector
      let a = "a\(k)_\(u % 4)"
      return u < ways ? "\(lanes.name) \(a) = \(x);" : "\(a) = \(reduction.combine(a, x, lanes));"
    }
    return CCode(lines: steps) + writer.result(k, reduction, lanes, of: ways) + "(void)r\(k);"
  }
}
