import MLCCore
import MLCKernels

// One outer position at a time; every stage with loops of its own uses vectors along its last one where it can.

extension NestWriter {
  func writeInner(_ plan: TaskPlan, _ code: inout CodeWriter) {
    guard let hot = plan.hot else { return writeStages(&code) }
    code.block("for (int64_t i\(hot.id) = lo; i\(hot.id) < hi; i\(hot.id)++)") { writeStages(&$0) }
  }

  private func writeStages(_ code: inout CodeWriter) {
    for (k, stage) in nest.stages.enumerated() {
      switch stage {
      case .compute(let value):
        code.lines(["const \(speller.stageTypes[k].cType) r\(k) = \(speller.spell(value));", "(void)r\(k);"])
      case .reduce(let reduction, let axes, let value):
        if let axis = axes.last, reduction.hasVectors, speller.dtype(value) == .float32,
          !speller.isUniform(value, axis.id), speller.canVectorise(value, axis: axis.id)
        {
          writeVectorReduction(k, reduction, axes, value, &code)
        } else {
          writeScalarReduction(k, reduction, axes, value, &code)
        }
        code.line("(void)r\(k);")
      case .store(let p, let index, let axes, let value):
        writeStore(p, index, axes, value, &code)
      }
    }
  }

  private func writeStore(_ p: Int, _ index: [Index], _ axes: [Axis], _ value: Scalar, _ code: inout CodeWriter) {
    guard let axis = axes.last, speller.obstacle(store: p, index, value, axis: axis.id) == nil else {
      return code.loops(loops(axes)) { $0.line(speller.store(p, index, value)) }
    }
    code.block("") {
      $0.loops(loops(axes.dropLast())) { code in
        let (i, n) = ("i\(axis.id)", speller.sizes.spell(axis.extent))
        code.line("int64_t \(i) = 0;")
        code.block("for (; \(i) + VL <= \(n); \(i) += VL)") {
          $0.line(speller.store(p, index, value, .vector(axis: axis.id)))
        }
        code.block("if (\(i) < \(n))") {
          $0.line("const int64_t part = \(n) - \(i);")
          $0.line(speller.store(p, index, value, .vector(axis: axis.id, part: "part")))
        }
      }
    }
  }
}
