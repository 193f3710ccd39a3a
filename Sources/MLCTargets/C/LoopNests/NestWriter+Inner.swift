import MLCCore
import MLCKernels

// One outer position at a time; every stage with loops of its own uses vectors along its last one where it can.

extension NestWriter {
  func inner(_ plan: TaskPlan) -> CCode {
    guard let hot = plan.hot else { return rowVectors().map { row($0) } ?? loopStages() }
    return .block("for (int64_t i\(hot.id) = lo; i\(hot.id) < hi; i\(hot.id)++)", loopStages())
  }

  /// Each stage, or a store and the reduction of what it stores, in loops of its own.
  private func loopStages() -> CCode {
    var code: CCode = []
    var k = 0
    while k < nest.stages.count {
      let joined = storeReduced(k)
      code += joined ?? stage(k, nest.stages[k])
      k += joined == nil ? 1 : 2
    }
    return code
  }

  /// Stage `k`, a store, with the reduction after it where that reads what is stored, element by element.
  private func storeReduced(_ k: Int) -> CCode? {
    guard k + 1 < nest.stages.count, case .reduce(let reduction, let axes, let value) = nest.stages[k + 1],
      axes.count == 1, nest.stages[k].axes.map(\.extent) == [axes[0].extent],
      let store = KeptStore(nest.stages[k], along: axes[0].id, speller.params),
      speller.obstacle(store: store.param, store.index, store.value, axis: axes[0].id) == nil,
      let lanes = lanes(reduction, value, along: axes[0]), value.loads(store.param),
      !store.replaced(in: value, by: 0).loads(store.param)
    else { return nil }
    return vectorReduction(k + 1, reduction, axes, value, lanes, storing: store) + "(void)r\(k + 1);"
  }

  /// Declares the number that a stage without loops computes.
  func compute(_ k: Int, _ value: Scalar) -> CCode {
    """
    const \(speller.stageTypes[k].cType) r\(k) = \(speller.spell(value));
    (void)r\(k);
    """
  }

  private func stage(_ k: Int, _ stage: LoopNest.Stage) -> CCode {
    switch stage {
    case .compute(let value): return compute(k, value)
    case .reduce(let reduction, let axes, let value):
      let lanes = axes.last.flatMap { self.lanes(reduction, value, along: $0) }
      return """
        \(lanes.map { vectorReduction(k, reduction, axes, value, $0) } ?? scalarReduction(k, reduction, axes, value))
        (void)r\(k);
        """
    case .store(let p, let index, let axes, let value): return store(p, index, axes, value)
    }
  }

  private func store(_ p: Int, _ index: [Index], _ axes: [Axis], _ value: Scalar) -> CCode {
    guard let axis = axes.last, speller.obstacle(store: p, index, value, axis: axis.id) == nil else {
      return .loops(loops(axes), CCode(speller.store(p, index, value)))
    }
    let (i, n) = ("i\(axis.id)", speller.sizes.spell(axis.extent))
    let row: CCode = """
      int64_t \(i) = 0;
      for (; \(i) + VL <= \(n); \(i) += VL) {
        \(speller.store(p, index, value, .vector(axis: axis.id)))
      }
      if (\(i) < \(n)) {
        const int64_t part = \(n) - \(i);
        \(speller.store(p, index, value, .vector(axis: axis.id, part: "part")))
      }
      """
    return .block(.loops(loops(axes.dropLast()), row))
  }
}
