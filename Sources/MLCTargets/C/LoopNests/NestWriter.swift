import MLCCore
import MLCKernels

/// Writes one normalised nest as the body of a function.
struct NestWriter {
  let nest: LoopNest
  let kernel: Kernel
  let program: KernelProgram
  let device: DeviceDescription
  /// Knows every loop of the nest by its name `i<id>`.
  var speller: ScalarSpeller

  init(_ nest: LoopNest, _ kernel: Kernel, _ program: KernelProgram, _ device: DeviceDescription) {
    (self.nest, self.kernel, self.program, self.device) = (nest, kernel, program, device)
    speller = ScalarSpeller(kernel, in: program)
    for axis in nest.allAxes { speller.name(axis.id, "i\(axis.id)", extent: axis.extent) }
    for stage in nest.stages {
      speller.stageTypes.append(stage.isArgument ? .int64 : speller.dtype(stage.value))
      speller.stages.append("r\(speller.stages.count)")
    }
  }

  var lanes: Int { device.lanes }

  func part() -> NestPart {
    if let axis = outerVectorAxis() {
      let plan = TaskPlan(nest.axes, hot: axis, cost: nest.positionCost, multiple: lanes * 4)
      return part(plan) { writeOuterVector(axis, plan, &$0) }
    }
    if let tile = transposition() {
      let cost = Swift.min(nest.positionCost * TaskPlan.extent(tile.lanes), 1 << 50)
      let plan = TaskPlan(nest.axes.filter { $0 != tile.lanes }, hot: tile.rows, cost: cost, multiple: lanes)
      return part(plan) { writeTiles(tile, plan, &$0) }
    }
    let hot = nest.stages.contains { !$0.axes.isEmpty } ? nil : nest.axes.last
    let plan = TaskPlan(nest.axes, hot: hot, cost: nest.positionCost, multiple: lanes * 4)
    return part(plan) { writeInner(plan, &$0) }
  }

  /// The function's body: tasks, loops around the hot loop, and what `hot` writes inside.
  private func part(_ plan: TaskPlan, _ hot: (inout CodeWriter) -> Void) -> NestPart {
    let sizes = speller.sizes
    var code = CodeWriter(depth: 1)
    code.lines(speller.prologue(kernel, in: program))
    let last = plan.group == 1 ? "end" : "mlc_min_i64(end * \(plan.group), \(sizes.spell(plan.positions)))"
    code.block("for (int64_t t = begin\(plan.group == 1 ? "" : " * \(plan.group)"), last = \(last); t < last; t++)") {
      $0.lines(["int64_t q = t;", "(void)q;"])
      if let axis = plan.hot {
        let extent = sizes.spell(axis.extent)
        if let chunk = plan.chunk {
          let chunks = sizes.spell(axis.extent.ceilDiv(Dim(chunk)))
          $0.line("const int64_t lo = q % \(chunks) * \(chunk), hi = mlc_min_i64(lo + \(chunk), \(extent));")
          $0.line("q /= \(chunks);")
        } else {
          $0.line("const int64_t lo = 0, hi = \(extent);")
        }
      }
      for (k, axis) in plan.prefix.enumerated().reversed() {
        $0.line("const int64_t i\(axis.id) = \(k == 0 ? "q" : "q % \(sizes.spell(axis.extent))");")
        if k > 0 { $0.line("q /= \(sizes.spell(axis.extent));") }
      }
      $0.loops(plan.inner.map { ("i\($0.id)", sizes.spell($0.extent)) }, hot)
    }
    return NestPart(tasks: sizes.spell(plan.tasks), body: code.text)
  }

  /// Loops over `axes` as names and C extents.
  func loops(_ axes: some Sequence<Axis>) -> [(name: String, extent: String)] {
    axes.map { ("i\($0.id)", speller.sizes.spell($0.extent)) }
  }
}
