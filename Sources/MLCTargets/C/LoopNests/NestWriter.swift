import MLCCore
import MLCKernels

/// Writes one normalised nest as the body of a function.
struct NestWriter {
  var nest: LoopNest
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
      if case .reduce(.max, _, let value) = stage { speller.maxima[speller.stages.count] = value }
      speller.stages.append("r\(speller.stages.count)")
    }
  }

  var lanes: Int { device.lanes }

  /// The nest with vectors along a loop around the stages, or tiles of it turned; `nil` where neither goes.
  func vectors() -> NestPart? {
    let rows = windowRows()
    if rows?.sharesColumns != true, let axis = outerVectorAxis() {
      let plan = TaskPlan(nest.axes, hot: axis, cost: nest.positionCost, multiple: lanes * 4)
      let (writer, uniform) = hoistingUniform(axis)
      return part(plan, uniform + writer.outerVector(axis, plan))
    }
    if let rows {
      if let group = rowGroup(rows) {
        return part(plan(hot: group.axis, around: rows.lanes, multiple: group.count), windows(rows, group))
      }
      return part(TaskPlan(nest.axes, hot: rows.lanes, cost: nest.positionCost, multiple: lanes * 4), windows(rows))
    }
    if let axis = nest.axes.last, let sections = sections(axis) {
      let plan = TaskPlan(nest.axes, hot: axis, cost: nest.positionCost, multiple: lanes * 4)
      return part(plan, sections.map { section($0, axis) }.joined())
    }
    return turnedLoads()
  }

  /// Tasks of the loops but `inner`, all of which runs at each position of the hot one.
  func plan(hot: Axis, around inner: Axis, multiple: Int) -> TaskPlan {
    let cost = Swift.min(nest.positionCost * TaskPlan.extent(inner), 1 << 50)
    return TaskPlan(nest.axes.filter { $0 != inner }, hot: hot, cost: cost, multiple: multiple)
  }

  /// The nest one position of the loops around the stages at a time. Vectors along the stages' own loops start at
  /// multiples of their lanes.
  func positions() -> NestPart {
    var writer = self
    writer.speller.alignment = lanes
    let hot = nest.stages.contains { !$0.axes.isEmpty } ? nil : nest.axes.last
    let plan = TaskPlan(nest.axes, hot: hot, cost: nest.positionCost, multiple: lanes * 4)
    return part(plan, writer.inner(plan))
  }

  /// The function's body: tasks, and loops around `hot`, which runs over `lo ..< hi` of the hot loop.
  func part(_ plan: TaskPlan, _ hot: CCode) -> NestPart {
    let sizes = speller.sizes
    let scale = plan.group == 1 ? "" : " * \(plan.group)"
    let last = plan.group == 1 ? "end" : "mlc_min_i64(end * \(plan.group), \(sizes.spell(plan.positions)))"
    let body: CCode = """
      \(speller.prologue(kernel, in: program))
      for (int64_t t = begin\(scale), last = \(last); t < last; t++) {
        int64_t q = t;
        (void)q;
        \(range(plan))
        \(.positions(loops(plan.prefix), of: "q"))
        \(.loops(loops(plan.inner), hot))
      }
      """
    return NestPart(tasks: sizes.spell(plan.tasks), body: body)
  }

  /// Declares `lo` and `hi` of the hot loop.
  private func range(_ plan: TaskPlan) -> CCode {
    guard let axis = plan.hot else { return [] }
    let extent = speller.sizes.spell(axis.extent)
    guard let chunk = plan.chunk else { return "const int64_t lo = 0, hi = \(extent);" }
    let chunks = speller.sizes.spell(axis.extent.ceilDiv(Dim(chunk)))
    return """
      const int64_t lo = q % \(chunks) * \(chunk), hi = mlc_min_i64(lo + \(chunk), \(extent));
      q /= \(chunks);
      """
  }

  /// Loops over `axes` as names and C extents.
  func loops(_ axes: some Sequence<Axis>) -> [(name: String, extent: String)] {
    axes.map { ("i\($0.id)", speller.sizes.spell($0.extent)) }
  }
}
