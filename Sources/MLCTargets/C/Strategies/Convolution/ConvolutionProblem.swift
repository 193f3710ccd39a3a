import MLCCore
import MLCKernels

/// A convolution kernel together with the tensors it touches: what every convolution strategy asks.
struct ConvolutionProblem {
  let kernel: Kernel, program: KernelProgram, device: DeviceDescription
  let convolution: Convolution
  let x: KernelTensor, weight: KernelTensor, output: KernelTensor
  /// What both factors are rounded to, where they are (`ConvolutionProblem+Factors`).
  var factors: DType?

  /// `nil` when the kernel's body is no convolution.
  init?(_ kernel: Kernel, in program: KernelProgram, for device: DeviceDescription) {
    guard case .convolution(let convolution) = kernel.body else { return nil }
    (self.kernel, self.program, self.device, self.convolution) = (kernel, program, device, convolution)
    x = program[kernel.params[convolution.x].tensor]
    weight = program[kernel.params[convolution.weight].tensor]
    output = program[kernel.params[convolution.output].tensor]
  }

  var block: Int { device.lanes }
  var batch: Dim { output.shape[0] }
  /// Planes, rows and columns of the output.
  var planes: Dim { output.depth }
  var rows: Dim { output.rows }
  var columns: Dim { output.columns }
  var channels: Int { x.shape[1].constant! }
  var filters: Int { output.shape[1].constant! }
  var groups: Int { convolution.groups }
  var channelsPerGroup: Int { channels / groups }
  var filtersPerGroup: Int { filters / groups }
  var filterBlocks: Int { (filters + block - 1) / block }
  /// Taps of the window in all its dimensions, and along depth alone.
  var taps: Int { convolution.spans.reduce(1) { $0 * $1.kernel } }
  var depthTaps: Int { convolution.depth?.kernel ?? 1 }
  var isPadded: Bool { convolution.isPadded }

  /// Whether the epilogue reads parameter `param`.
  func epilogueReads(_ param: Int) -> Bool { convolution.epilogue.loads.contains { $0.param == param } }

  func tensor(_ param: Int) -> KernelTensor { program[kernel.params[param].tensor] }

  /// Why no strategy for blocked outputs can take it: element types, a weight or a channel count that is not constant.
  var generalObstacle: Diagnostic? {
    if let typeObstacle { return typeObstacle }
    let spans = convolution.spans
    guard Layout.Blocked.ranks.contains(x.shape.count),
      [x, weight, output].allSatisfy({ $0.shape.count == spans.count + 2 })
    else { return obstacle("its tensors are not of rank 4 or 5") }
    guard x.shape[1].constant != nil, output.shape[1].constant != nil else {
      return obstacle("its channels are not constant")
    }
    guard weight.isConstant, weight.type.staticShape == [filters, channelsPerGroup] + spans.map(\.kernel) else {
      return obstacle("its weight is not a constant of its shape")
    }
    guard BlockedView(output)?.block == block else { return obstacle("its output is not blocked by \(block)") }
    return nil
  }

  /// Why its element types are none of a strategy: floats are multiplied by floats, uint8 by int8, and what the
  /// epilogue reads and makes has vectors.
  private var typeObstacle: Diagnostic? {
    let operands: [(KernelTensor, DType)] = [(x, areBytes ? .uint8 : .float32), (weight, areBytes ? .int8 : .float32)]
    for (other, dtype) in operands where other.dtype.widened != dtype {
      return obstacle("'\(other.name)' is \(other.dtype.rawValue)")
    }
    let rest = kernel.params.map { program[$0.tensor] }
    if let other = rest.first(where: { !StoredElement($0.dtype).canStore }) {
      return obstacle("'\(other.name)' is \(other.dtype.rawValue)")
    }
    return nil
  }

  /// Why a blocked `x` cannot be read in place: another block, or a halo narrower than is stored for the convolution.
  var blockedInputObstacle: Diagnostic? {
    guard case .blocked(let halo) = x.layout, halo.block == block else {
      return obstacle("its input is not blocked by \(block)")
    }
    let own = convolution.halo(block: block)
    guard halo.top >= own.top, halo.bottom >= own.bottom, halo.left >= own.left, halo.right >= own.right
    else { return obstacle("its input's halo is narrower than its padding") }
    guard !isPadded || halo.fill == convolution.fill else { return obstacle("its input's halo is another number") }
    // Planes of padding are not stored.
    if convolution.fill != 0, let depth = convolution.depth, depth.front != 0 || depth.back != 0 {
      return obstacle("its planes of padding are no zeros")
    }
    return nil
  }

  func obstacle(_ reason: String) -> Diagnostic {
    Diagnostic(
      "c.convolution",
      "no such convolution: \(reason)",
      kind: .unsupported,
      at: kernel.origins.first ?? .init()
    )
  }

  /// The weight's values, `[filters][channels/groups][taps]`.
  var weightValues: [Float] {
    guard case .constant(let values) = weight.kind else { preconditionFailure("a convolution weight is constant") }
    return values.floats
  }

  /// How packed weights are stored: halves only where the device widens them in an instruction or two, four bytes as an
  /// int32, as are pairs. Codes are expanded to float32.
  var packedType: DType {
    if areBytes || arePairs { return .int32 }
    if areHalves { return .float16 }
    if weight.dtype == .bfloat16, compressed == nil { return .bfloat16 }
    return weight.dtype == .float16 && compressed == nil && device.convertsFloat16 ? .float16 : .float32
  }

  /// The weight when it is kept as codes.
  var compressed: CompressedConstant? {
    if case .compressed(let constant) = weight.kind { return constant }
    return nil
  }

  /// Filters of a strip where plain weights lie in strips; `nil` where they lie in panels.
  var strip: Int? { compressed == nil && factors == nil ? device.packedLanes : nil }

  /// The strips of a weight of `steps` products a filter.
  func strips(steps: Int) -> WeightStrips? { strip.map { WeightStrips(columns: filters, steps: steps, width: $0) } }

  func packed(_ values: [Float]) -> Tensor { Tensor([values.count], floats: values).converted(to: packedType) }

  /// `mlc_f32_conv_relu__x86_64_v4_direct_14x32`.
  func kernelName(_ strategy: String) -> KernelName {
    KernelName(x.dtype, kernel.family, on: device, [strategy])
  }
}
