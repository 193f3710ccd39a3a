import MLCCore

extension LoweringContext {
  /// Appends a kernel that stores the elements of `source` in `target`, row-major, and reports an index out of bounds
  /// where there are not as many.
  mutating func copyElements(of source: TensorID, to target: TensorID) {
    let (total, shape) = (program[source].shape.reduce(1, *), program[target].shape)
    var params = KernelParams()
    var (position, stride): (Index, Dim) = (.constant(0), 1)
    for (axis, extent) in shape.enumerated().reversed() {
      position = position + Index.axis(axis) * stride
      stride = stride * extent
    }
    let fits = Scalar.compare(.equal, .size(stride), .size(total))
    let place = Scalar.select(fits, .index(position, .int64), .integer(-1, .int64))
    let value = params.load(alias(source, [total]), [.value(place)])
    let index = shape.indices.map { Index.axis($0) }
    let store = LoopNest.Stage.store(param: params.write(target), index: index, axes: [], value: value)
    append("reshape", params, .loopNest(LoopNest(shape.enumerated().map { Axis($0, $1) }, [store])))
  }
}
