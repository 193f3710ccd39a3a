import MLCCore

/// One piece of generated code: parameters, one body, and the user's nodes inside it. It knows no device.
package struct Kernel: Sendable {
  /// What it does, `conv_relu`; becomes part of the symbol.
  package var family: String
  /// Tensors read and written; loads, stores and contractions refer to them by position.
  package var params: [Param]
  package var body: Body
  package var origins: [Location]

  package struct Param: Hashable, Sendable {
    package enum Access: Sendable { case read, write, readWrite }
    package var tensor: TensorID, access: Access
    package init(_ tensor: TensorID, _ access: Access) { (self.tensor, self.access) = (tensor, access) }
  }

  package enum Body: Sendable {
    case loopNest(LoopNest)
    case matmul(Matmul)
    case convolution(Convolution)
    case attention(Attention)
    case routine(Routine)
  }

  package init(_ family: String, _ params: [Param], _ body: Body, origins: [Location]) {
    (self.family, self.params, self.body, self.origins) = (family, params, body, origins)
  }
}

/// Independent outer loops around a sequence of stages, each with inner loops of its own.
///
/// An elementwise kernel has one store; a reduction has a reduce and a store; softmax and the norms have several. The
/// stages of one outer position run in order and may read what earlier stages stored at that position. No outer
/// position reads what another one stores.
package struct LoopNest: Hashable, Sendable {
  package var axes: [Axis]
  package var stages: [Stage]

  package enum Stage: Hashable, Sendable {
    /// Reduces `value` over `axes` to one number a position, `Scalar.stage(k)` with k the number of this stage.
    case reduce(Reduction, axes: [Axis], value: Scalar)
    /// A number a position, `Scalar.stage(k)`.
    case compute(Scalar)
    /// Stores `value` at `index` of parameter `param`, for every point of `axes`.
    case store(param: Int, index: [Index], axes: [Axis], value: Scalar)
  }

  package enum Reduction: String, Hashable, Sendable, CaseIterable {
    /// Empty reductions give 0, −∞ (the least integer), +∞ (the greatest integer), 1. Max and min propagate NaN.
    case sum, max, min, product
    /// The position, counted row-major over the reduced axes, of the first greatest or least element, or of the first
    /// NaN; `int64`.
    case argMax, argMin
  }

  package init(_ axes: [Axis], _ stages: [Stage]) { (self.axes, self.stages) = (axes, stages) }
}

/// `out[batch…, m, n] = epilogue(Σₖ lhs · rhs)`, float.
///
/// The three accesses are affine over the axes, so transposed, broadcast and head-split operands are read in place.
package struct Matmul: Hashable, Sendable {
  package var batch: [Axis]
  package var m, n, k: Axis
  package var lhs, rhs, output: Access
  /// Over `accumulator` and loads indexed by the batch, m and n axes.
  package var epilogue: Scalar

  package struct Access: Hashable, Sendable {
    package var param: Int, index: [Index]
    package init(_ param: Int, _ index: [Index]) { (self.param, self.index) = (param, index) }
  }

  package init(batch: [Axis], m: Axis, n: Axis, k: Axis, lhs: Access, rhs: Access, output: Access, epilogue: Scalar) {
    (self.batch, self.m, self.n, self.k) = (batch, m, n, k)
    (self.lhs, self.rhs, self.output, self.epilogue) = (lhs, rhs, output, epilogue)
  }
}

/// Cross-correlation in two or three dimensions with fused epilogue; one-dimensional ones have a height of 1.
///
/// `x: [N, C, H, W]`, `weight: [M, C/groups, KH, KW]`, `out: [N, M, OH, OW]`; with `depth` their ranks are 5 and depth
/// stands before height. The epilogue's axes are those of the output, numbered from 0. Products of integers are summed
/// in int32, which wraps.
package struct Convolution: Hashable, Sendable {
  package var x, weight, output: Int
  package var groups: Int
  package var kernel, strides, dilations: Pair
  /// Rows above and below, columns left and right.
  package var top, bottom, left, right: Int
  /// What x is in its padding; 0 unless its elements are bytes.
  package var fill: Int
  /// The third dimension; `nil` when there are two.
  package var depth: Depth?
  package var epilogue: Scalar

  /// The window's extent, step and gaps along depth, and the planes of padding before and behind.
  package struct Depth: Hashable, Sendable {
    package var kernel, stride, dilation, front, back: Int
    package init(kernel: Int, stride: Int, dilation: Int, front: Int, back: Int) {
      (self.kernel, self.stride, self.dilation, self.front, self.back) = (kernel, stride, dilation, front, back)
    }
  }

  /// Something in the vertical and the horizontal direction.
  package struct Pair: Hashable, Sendable {
    package var h, w: Int
    package init(_ h: Int, _ w: Int) { (self.h, self.w) = (h, w) }
  }

  package init(
    x: Int,
    weight: Int,
    output: Int,
    groups: Int,
    kernel: Pair,
    strides: Pair,
    dilations: Pair,
    top: Int,
    bottom: Int,
    left: Int,
    right: Int,
    fill: Int = 0,
    depth: Depth? = nil,
    epilogue: Scalar = .accumulator
  ) {
    (self.x, self.weight, self.output, self.groups) = (x, weight, output, groups)
    (self.kernel, self.strides, self.dilations, self.depth) = (kernel, strides, dilations, depth)
    (self.top, self.bottom, self.left, self.right) = (top, bottom, left, right)
    (self.fill, self.epilogue) = (fill, epilogue)
  }
}
