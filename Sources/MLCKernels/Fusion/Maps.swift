import MLCCore

/// A kernel that computes each element of one tensor from its position alone: the producers that can vanish into their
/// readers, and the readers that can vanish into a producer's epilogue.
struct ElementMap {
  var output: TensorID
  var axes: [Axis]
  var value: Scalar

  /// `kernel` as a map, when it is one: a single store at the identity index.
  init?(_ kernel: Kernel, in program: KernelProgram) {
    guard case .loopNest(let nest) = kernel.body, nest.stages.count == 1,
      case .store(let param, let index, let inner, let value) = nest.stages[0], kernel.params[param].access == .write
    else { return nil }
    let all = nest.axes + inner
    guard ElementMap.isIdentity(index, all, shape: program[kernel.params[param].tensor].shape) else { return nil }
    (output, axes, self.value) = (kernel.params[param].tensor, all, value)
  }

  /// Whether `index` walks the axes in order, each over its whole dimension.
  static func isIdentity(_ index: [Index], _ axes: [Axis], shape: [Dim]) -> Bool {
    guard index.count == shape.count, axes.count == shape.count else { return false }
    for (dimension, position) in index.enumerated() {
      guard position == .axis(axes[dimension].id), axes[dimension].extent == shape[dimension] else { return false }
    }
    return true
  }
}
