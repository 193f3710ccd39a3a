import MLCCore

/// Who makes code of kernels for one device. It knows loops and scalars, not operators.
package protocol Target: Sendable {
  /// The family of the devices that it makes code for, as their descriptions name it.
  static var family: String { get }
  /// Throws what keeps it from building anything for `devices` of its family on this machine. Programs that it runs
  /// take `limits`, and work in a temporary folder beside `path`.
  static func check(_ devices: [DeviceDescription], limits: ChildLimits, beside path: String) throws(Diagnostic)
  /// Throws why it makes no code for `device`.
  init(_ device: DeviceDescription) throws(Diagnostic)

  var device: DeviceDescription { get }
  /// Whether it takes `kernel` as it stands in `program`, its tensors laid out as they are there.
  func acceptance(of kernel: Kernel, in program: KernelProgram) -> Acceptance
  /// An estimate of the cycles that `kernel`, which it may take, needs on one core; `nil` where it knows none.
  func cycles(of kernel: Kernel, in program: KernelProgram) -> Double?
  /// Code for all of `program`, whose kernels it takes and whose temporaries lie as `plan` says. Constants go to
  /// `weights` as they are packed. Throws `budget.time`, and what `weights` throws.
  func module(
    for program: KernelProgram,
    plan: MemoryPlan,
    weights: inout some WeightSink & ~Copyable,
    budget: Budget
  ) throws(Diagnostic) -> any TargetModule
}

extension Target {
  package func cycles(of kernel: Kernel, in program: KernelProgram) -> Double? { nil }
}

/// What a target says of a kernel.
package enum Acceptance: Sendable {
  /// It takes the kernel, and nothing in it keeps vectors from being used; or all the same element by element.
  case vectors, scalars
  case refused(Diagnostic)

  package var obstacle: Diagnostic? {
    if case .refused(let reason) = self { reason } else { nil }
  }
}
