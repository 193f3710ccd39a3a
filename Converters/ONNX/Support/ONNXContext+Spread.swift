import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// `parameter` as a value that broadcasts against `x`.
  ///
  /// It is one number; or has one for each position along `axis`; or has the rank of `x` and along each axis the extent
  /// of `x` or 1; or with `block` above 0 the extents of `x` but ⌈extent / block⌉ along `axis`, each number standing
  /// for `block` positions. Throws `onnx.quantization` for everything else.
  mutating func spread(_ parameter: ValueID, over x: ValueID, axis: Int, block: Int = 0) throws(Diagnostic) -> ValueID {
    let (given, data) = (fact(parameter), fact(x))
    if given.rank == 0 { return parameter }
    if given.shape == [1], block == 0 {
      return try emit(Reshape(), parameter, constant(Tensor(.int64, [0], [Int]()), "scalar"))
    }
    let misfit = Diagnostic("onnx.quantization", "\(given.type) has no number for each place of \(data.type)")
    let place = axis < 0 ? axis + data.rank : axis
    guard data.shape.indices.contains(place), block >= 0 else { throw misfit }
    if block > 0 {
      guard given.rank == data.rank,
        given.shape.indices.allSatisfy({ $0 == place || ONNXContext.fits(given.shape[$0], data.shape[$0]) })
      else { throw misfit }
      return try repeated(parameter, over: x, axis: place, block: block, misfit)
    }
    if given.rank == 1 {
      guard ONNXContext.fits(given.shape[0], data.shape[place]) else { throw misfit }
      let trailing = data.rank - place - 1
      return trailing == 0 ? parameter : try emit(ExpandDims(Array(1...trailing)), parameter)
    }
    guard given.rank == data.rank,
      zip(given.shape, data.shape).allSatisfy({ $0 == 1 || ONNXContext.fits($0, $1) })
    else { throw misfit }
    return parameter
  }

  /// The one number that input `index` of the node holds, as a scalar. Throws `onnx.quantization` for more.
  mutating func number(_ index: Int) throws(Diagnostic) -> ValueID {
    let value = try required(index)
    guard fact(value).rank == 0 || fact(value).shape == [1] else {
      throw Diagnostic("onnx.quantization", "input \(index) is \(fact(value).type), expected one number")
    }
    return try spread(value, over: value, axis: 0)
  }

  /// Each position of `parameter` along `axis` as often as `block` says, as far as `x` goes.
  private mutating func repeated(
    _ parameter: ValueID,
    over x: ValueID,
    axis: Int,
    block: Int,
    _ misfit: Diagnostic
  ) throws(Diagnostic) -> ValueID {
    let (given, extent) = (fact(parameter).shape[axis], fact(x).shape[axis])
    if block == 1, given == extent { return parameter }
    guard ONNXContext.fits(given, extent.ceilDiv(Dim(block))) else { throw misfit }
    let positions = try places(of: x, axis: axis)
    let blocks = try emit(RealDiv(), positions, constant(.scalar(.int64, block), "block"))
    return try emit(Gather(axis: axis), parameter, blocks)
  }

  /// Whether extents are equal as far as they are known.
  static func fits(_ a: Dim, _ b: Dim) -> Bool { a == b || a.constant == nil || b.constant == nil }
}
