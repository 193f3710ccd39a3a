import MLCCore
import MLCKernels
import MLCTargetC

/// Code for `SimulatedDriver`: that of this processor.
package struct SimulatedTarget: Target {
  package static let family = "simulated"
  package static func check(
    _ devices: [DeviceDescription],
    limits: ChildLimits,
    beside path: String
  ) throws(Diagnostic) {
    try CTarget.check(devices, limits: limits, beside: path)
  }

  package let device: DeviceDescription
  private let code: CTarget

  package init(_ device: DeviceDescription) throws(Diagnostic) {
    self.device = device
    var processor = device
    processor.family = CTarget.family
    code = try CTarget(processor)
  }

  /// A device that is like `processor`, with a memory of its own. One for `elementwise` takes loop nests alone.
  package static func device(like processor: DeviceDescription, elementwise: Bool = false) -> DeviceDescription {
    var device = processor
    device.name = elementwise ? elementwiseName : "simulated"
    (device.family, device.isBaseline) = (family, false)
    return device
  }
  private static let elementwiseName = "simulated-elementwise"

  package func acceptance(of kernel: Kernel, in program: KernelProgram) -> Acceptance {
    if case .loopNest = kernel.body { return code.acceptance(of: kernel, in: program) }
    if device.name == Self.elementwiseName {
      return .refused(Diagnostic("test.kernel", "the device takes loop nests alone", kind: .unsupported))
    }
    return code.acceptance(of: kernel, in: program)
  }

  package func module(
    for program: KernelProgram,
    plan: MemoryPlan,
    weights: inout some WeightSink & ~Copyable,
    budget: Budget
  ) throws(Diagnostic) -> any TargetModule {
    try code.module(for: program, plan: plan, weights: &weights, budget: budget)
  }
}
