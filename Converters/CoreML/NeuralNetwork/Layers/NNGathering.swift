import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `gather`, `gatherND`, `gatherAlongAxis`: elements or slices by their positions. Negative positions count from the
/// end.
enum NNGather: NNLayerRule {
  static let kinds = ["gather", "gatherND", "gatherAlongAxis"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 1)
    let places = try context.integers(try context.input(1))
    let rank = context.rank(x)
    switch layer.spec.layer {
    case .gather(let spec)?:
      return [try context.emit(Gather(axis: try context.axis(spec.axis, rank: rank)), x, places)]
    case .gatherAlongAxis(let spec)?:
      return [try context.emit(GatherAlongAxis(axis: try context.axis(spec.axis, rank: rank)), x, places)]
    default: return [try context.emit(GatherNd(), x, places)]
    }
  }
}

/// `scatter`, `scatterND`, `scatterAlongAxis`: elements or slices at positions replaced or changed.
enum NNScatter: NNLayerRule {
  static let kinds = ["scatter", "scatterND", "scatterAlongAxis"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let data = try context.input(rank: 1)
    let (places, updates) = (try context.integers(try context.input(1)), try context.input(2))
    let rank = context.rank(data)
    switch layer.spec.layer {
    case .scatter(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      let rows = try along(axis, places, updates, data, &context)
      return [
        try context.emit(ScatterAlongAxis(axis: axis, mode: try mode(spec.mode)), data, rows.places, rows.updates)
      ]
    case .scatterAlongAxis(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      return [try context.emit(ScatterAlongAxis(axis: axis, mode: try mode(spec.mode)), data, places, updates)]
    default:
      return [try context.emit(ScatterNd(mode: try mode(layer.spec.scatterNd.mode)), data, places, updates)]
    }
  }

  /// Positions of slices as positions of each element. The axes of `places`, of which there may be any number, stand in
  /// `updates` where `data` has `axis`.
  private static func along(
    _ axis: Int,
    _ places: ValueID,
    _ updates: ValueID,
    _ data: ValueID,
    _ context: inout NNContext
  ) throws(Diagnostic) -> (places: ValueID, updates: ValueID) {
    let count = context.shape(places).reduce(1) { $0 * $1 }
    var updates = updates
    if context.rank(places) != 1 || context.rank(updates) != context.rank(data) {
      var slices = context.shape(data)
      slices[axis] = count
      guard slices.reduce(1, { $0 * $1 }) == context.shape(updates).reduce(1, { $0 * $1 }) else {
        throw NNContext.wrong("\(context.fact(updates).type) holds no slice for each of \(context.fact(places).type)")
      }
      updates = try context.reshape(updates, slices)
    }
    let row = context.shape(updates).indices.map { $0 == axis ? count : 1 }
    let shape = try context.emit(Shape(dtype: .int32), updates)
    return (try context.emit(BroadcastTo(), try context.reshape(places, row), shape), updates)
  }

  private static func mode(_ mode: CoreML_Specification_ScatterMode) throws(Diagnostic) -> ScatterMode {
    switch mode {
    case .scatterUpdate: .update
    case .scatterAdd: .add
    case .scatterSub: .sub
    case .scatterMul: .mul
    case .scatterDiv: .div
    case .scatterMax: .max
    case .scatterMin: .min
    case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) is not known")
    }
  }
}

/// `oneHot` of positions, of a size that is given or the second input.
enum NNOneHot: NNLayerRule {
  static let kinds = ["oneHot"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.oneHot
    let places = try context.integers(try context.input())
    let axis = try context.axis(spec.axis, rank: context.rank(places) + 1)
    let size =
      context.inputCount > 1
      ? try context.reshape(try context.integers(try context.input(1)), [])
      : context.constant(Tensor(.int32, [], [Int(Int32(clamping: spec.oneHotVectorSize))]), "depth")
    let (on, off) = (context.scalar(Double(spec.onValue)), context.scalar(Double(spec.offValue)))
    return [try context.emit(OneHot(axis: axis), places, size, on, off)]
  }
}

/// `whereBroadcastable` chooses between two inputs; `whereNonZero` gives the positions of what is not 0.
enum NNWhere: NNLayerRule {
  static let kinds = ["whereBroadcastable", "whereNonZero"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .whereNonZero? = layer.spec.layer {
      return [try context.number(try context.emit(NonZero(), try context.input(rank: 1)))]
    }
    let condition = try context.truth(try context.input())
    return [try context.emit(Select(), condition, try context.input(1), try context.input(2))]
  }
}

/// `matrixBandPart`, `lowerTriangular`, `upperTriangular`: a band of a matrix, 0 elsewhere.
enum NNBand: NNLayerRule {
  static let kinds = ["matrixBandPart", "lowerTriangular", "upperTriangular"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 2)
    switch layer.spec.layer {
    case .matrixBandPart(let spec)?:
      return [try context.emit(BandPart(lower: Int(spec.numLower), upper: Int(spec.numUpper)), x)]
    case .lowerTriangular(let spec)?: return [try triangle(x, spec.k, upper: false, &context)]
    default: return [try triangle(x, layer.spec.upperTriangular.k, upper: true, &context)]
    }
  }

  private static func triangle(_ x: ValueID, _ k: Int64, upper: Bool, _ context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    var op = Trilu()
    op.upper = upper
    return try context.emit(op, x, context.constant(Tensor(.int64, [], [Int(Int32(clamping: k))]), "k"))
  }
}
