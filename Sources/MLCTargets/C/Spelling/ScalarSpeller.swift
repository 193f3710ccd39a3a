import MLCCore
import MLCKernels

/// Spells scalar expressions as C, one element at a time or `VL` lanes of one axis at once.
///
/// The C around it declares `frame`, the sizes `s` and the parameters `p0`, `p1`, … as `prologue` does. Loads widen
/// float16 and bfloat16; stores round once. Common subexpressions are left to the C compiler.
package struct ScalarSpeller {
  /// Which lanes an expression stands for.
  package enum Mode: Hashable, Sendable {
    case scalar
    /// `VL` consecutive positions of an axis from the named one on, or the first `part` of them: a C expression less
    /// than `VL`.
    case vector(axis: Int, part: String? = nil)
  }

  let params: [KernelTensor]
  let sizes: SizeSpelling
  /// What the loops are called in C, by axis.
  var axes: [Int: String] = [:]
  var space: IndexSpace
  /// Axes counted as block·size + lane, with the axes that stand for the two.
  private(set) var substitutions: [Int: Index] = [:]
  private var lanes: [Int: Int] = [:]
  /// What all vectors' first positions are multiples of, where they are of more than 1.
  var alignment: Int?

  /// The C expressions of the contraction's sum and of earlier stages. In vector mode the accumulator has
  /// the lanes of its type.
  package var accumulator = "acc"
  package var accumulatorType = DType.float32
  package var stages: [String] = []
  package var stageTypes: [DType] = []
  /// Bounds of the stages' magnitudes, where they are known.
  var stageBounds: [Double?] = []
  /// What a stage is the greatest of, where it is.
  var maxima: [Int: Scalar] = [:]
  /// In vector mode, whether a stage's expression has lanes.
  package var stagesAreVectors = false
  /// Stages that have lanes, and that do not, whatever the others have.
  private(set) var stageHasLanes: [Int: Bool] = [:]

  /// In vector mode, whether lanes may be loaded from places of their own.
  var takesGathers = false
  /// What has to hold in a lane for its value to be meant: a wrong index is a fault there only.
  var guards: [Scalar] = []
  /// Where faults of indices go: a C expression, which may be null.
  var fault = "frame->fault"
  /// Offsets that are computed already, and pointers.
  var prepared: [Gather: PreparedGather] = [:]
  var bases: [GatherBase: String] = [:]

  package init(_ kernel: Kernel, in program: KernelProgram) {
    params = kernel.params.map { program[$0.tensor] }
    sizes = SizeSpelling(program)
    space = IndexSpace()
  }

  /// Calls the loop over `axis` `name`: a C expression of type `int64_t`.
  package mutating func name(_ axis: Int, _ name: String, extent: Dim? = nil) {
    axes[axis] = name
    if let extent { space.extents[axis] = extent }
  }

  /// Counts `axis` as `block·size + lane`, two C expressions, so that blocked tensors need no division. In vector mode
  /// along `axis` the lanes are those of `lane`.
  package mutating func name(_ axis: Int, block: String, lane: String, size: Int, extent: Dim? = nil) {
    let (outer, inner) = (-2 * axis - 2, -2 * axis - 3)
    substitutions[axis] = .axis(outer) * Dim(size) + .axis(inner)
    lanes[axis] = inner
    name(outer, block, extent: extent?.ceilDiv(Dim(size)))
    name(inner, lane, extent: Dim(size))
  }

  /// Whether `x`, a float32, is never greater than 0: the difference from the greatest of such.
  func isAtMostZero(_ x: Scalar) -> Bool {
    guard case .binary(.sub, let y, .stage(let k)) = x, dtype(x) == .float32 else { return false }
    return maxima[k] == y
  }

  /// Makes a C expression of type `type`, which in vector mode has lanes or not, a further stage, and gives its number.
  mutating func addStage(_ expression: String, _ type: DType, hasLanes: Bool) -> Int {
    stages.append(expression)
    stageTypes.append(type)
    stageHasLanes[stages.count - 1] = hasLanes
    return stages.count - 1
  }

  /// The axis that counts the lanes of `axis`.
  func laneAxis(_ axis: Int) -> Int { lanes[axis] ?? axis }

  var types: [DType] { params.map(\.dtype) }
  func dtype(_ s: Scalar) -> DType { s.dtype(params: types, stages: stageTypes, accumulator: accumulatorType) }

  /// Declares the sizes and typed parameters: the first lines of a kernel's function. Parameters do not overlap unless
  /// they are one tensor, or one state.
  func prologue(_ kernel: Kernel, in program: KernelProgram) -> CCode {
    let roots = kernel.params.map { program.memory($0.tensor) }
    let pointers = kernel.params.enumerated().map { i, param -> CCode in
      let type = (param.access == .read ? "const " : "") + params[i].dtype.cStorageType
      let alone = roots.filter { $0 == roots[i] }.count == 1
      return """
        \(type) *\(alone ? "restrict " : "")p\(i) = buffers[\(i)];
        (void)p\(i);
        """
    }
    return """
      const int64_t *const s = frame->symbols;
      (void)s, (void)scratch;
      \(pointers.joined())
      """
  }
}
