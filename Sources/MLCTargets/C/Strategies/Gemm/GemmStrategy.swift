import MLCCore
import MLCKernels

/// What the matmul strategies share: each only chooses a plan.
protocol GemmStrategy: Strategy {
  /// Part of the name.
  static var label: String { get }
  /// `nil` when the problem is not for this strategy.
  static func plan(_ problem: GemmProblem, on device: DeviceDescription) -> GemmPlan?
  /// The problem as this strategy counts it.
  static func refined(_ problem: GemmProblem, on device: DeviceDescription) -> GemmProblem
  /// Cycles of a plan on one core.
  static func cost(_ problem: GemmProblem, _ plan: GemmPlan, on device: DeviceDescription) -> Double
}

extension GemmStrategy {
  static func refined(_ problem: GemmProblem, on device: DeviceDescription) -> GemmProblem { problem }

  package static func obstacle(to kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> Diagnostic?
  {
    guard let problem = problem(kernel, program, device) else {
      return Diagnostic(
        "target.matmul-operands",
        "\(name) takes strided operands of float16 to float64, int32 and int64 only",
        kind: .unsupported,
        at: kernel.origins.first ?? Location()
      )
    }
    if plan(problem, on: device) != nil { return nil }
    return Diagnostic(
      "target.matmul-shape",
      "\(name) is not for this matmul",
      kind: .unsupported,
      at: kernel.origins.first ?? Location()
    )
  }

  package static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double {
    guard let problem = problem(kernel, program, device), let plan = plan(problem, on: device) else {
      return .infinity
    }
    return cost(problem, plan, on: device)
  }

  static func cost(_ problem: GemmProblem, _ plan: GemmPlan, on device: DeviceDescription) -> Double {
    let matmul = problem.matmul
    let batch = matmul.batch.reduce(1) { $0 * Double($1.extent.constant ?? 8) }
    let m = matmul.m.extent.constant ?? 128
    let n = matmul.n.extent.constant ?? 128
    let k = Double(matmul.k.extent.constant ?? 128)
    let widening = plan.constantType == nil ? 0 : problem.widening(on: device)
    let products = plan.tile.cost(m: m, n: n, problem.counting(device), widening: widening)
    let packing = plan.constantType == nil ? (plan.expandsCodes ? 4 : 2) * Double(n) / Double(device.lanes) : 0
    return batch * k * (products * (problem.arePairs ? device.pairTimes ?? 1 : 1) + packing)
  }

  package static func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    guard let problem = problem(kernel, program, device),
      let plan = plan(problem, on: device)?.fetchingResults(of: problem, on: device)
    else {
      throw obstacle(to: kernel, in: program, on: device)
        ?? Diagnostic("target.matmul-shape", "\(name) is not for this matmul", kind: .bug)
    }
    let isKnown = plan.constantType != nil || plan.compressed != nil
    let panels = isKnown ? ConstantPanels(problem, width: plan.strip ?? plan.width) : nil
    let emitter = GemmEmitter(
      problem: problem,
      plan: plan,
      panels: panels,
      sizes: SizeSpelling(program),
      epilogue: GemmEpilogue(problem, kernel, in: program, width: plan.width, hasPlaces: plan.fetchesResults)
    )
    var packed: [Int: Tensor] = [:]
    if let panels, let constant = problem.constant, let type = plan.constantType {
      packed[problem.matmul.rhs.param] =
        problem.arePairs ? panels.packPairs(constant) : panels.pack(constant, as: type)
    }
    if let compressed = plan.compressed { packed[problem.matmul.rhs.param] = compressed.packed }
    var emitted = EmittedKernel(
      kernelName(kernel, problem, plan, device),
      source: emitter.source,
      tasks: emitter.tasks,
      packed: packed,
      scratchBytes: plan.scratchElements * problem.sumElement.bitWidth / 8
    )
    emitted.factors = problem.factors?.type
    return emitted
  }

  private static func problem(_ kernel: Kernel, _ program: KernelProgram, _ device: DeviceDescription) -> GemmProblem? {
    GemmProblem(kernel, in: program).map { refined($0.rounded(on: device), on: device) }
  }

  /// `mlc_f32_matmul_gelu__x86_64_v4_packed_8x48`.
  private static func kernelName(
    _ kernel: Kernel,
    _ problem: GemmProblem,
    _ plan: GemmPlan,
    _ device: DeviceDescription
  ) -> KernelName {
    let factors = problem.factors?.type.rawValue
    let means = [label, plan.compressed?.label ?? factors, "\(plan.tile.rows)x\(plan.width)"]
    return KernelName(problem.outputType, kernel.family, on: device, means)
  }
}
