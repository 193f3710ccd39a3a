import MLCCore

/// Who makes code of kernels for one device. It knows loops and scalars, not operators.
package protocol Target: Sendable {
  var device: DeviceDescription { get }
  /// Whether it takes `kernel` as it stands in `program`, its tensors laid out as they are there.
  func acceptance(of kernel: Kernel, in program: KernelProgram) -> Acceptance
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
