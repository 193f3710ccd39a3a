import MLCCore
import MLCKernels

// One outer position at a time; every stage with loops of its own uses vectors along its last one where it can.

extension NestWriter {
  func inner(_ plan: TaskPlan) -> CCode {
    let stages = nest.stages.enumerated().map { stage($0, $1) }.joined()
    guard let hot = plan.hot else { return stages }
    return .block("for (int64_t i\(hot.id) = lo; i\(hot.id) < hi; i\(hot.id)++)", stages)
  }

  private func stage(_ k: Int, _ stage: LoopNest.Stage) -> CCode {
    switch stage {
    case .compute(let value):
      return """
        const \(speller.stageTypes[k].cType) r\(k) = \(speller.spell(value));
        (void)r\(k);
        """
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
