import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  /// `3v`: vectors of filters in a panel.
  static func variant(_ vectors: Int) -> String { "\(vectors)v" }

  /// The widths of panels that it can be told to take.
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    guard let problem = ConvolutionProblem(kernel, in: program, for: device) else { return [] }
    let blocks = problem.groups > 1 ? problem.filtersPerGroup / problem.block : problem.filterBlocks
    let widest = max(1, min(blocks, device.vectorRegisters == 32 ? 8 : 4))
    return (1...widest).map { variant($0) }
  }
}

extension WinogradTransform {
  /// The transforms by which a convolution can be told to go.
  static let variants = [four, two].map { WinogradConv.variant($0) }
}

extension WinogradConv {
  /// `f4`: outputs of a tile along each side.
  static func variant(_ transform: WinogradTransform) -> String { "f\(transform.outputs)" }

  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    WinogradTransform.variants
  }
}

extension PlainWinogradConv {
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    WinogradTransform.variants
  }
}

extension WindowPlan {
  /// The tiles that a convolution of plain tensors can be told to take.
  static func variants(_ device: DeviceDescription) -> [String] { tiles(device).map { $0.variant } }
}

extension WindowConv {
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    WindowPlan.variants(device)
  }
}
