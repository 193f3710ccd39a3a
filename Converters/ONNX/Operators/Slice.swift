import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Slice` → `slice_by_index`. Until version 10 the bounds are attributes. Axes must be constants; bounds need not
/// be. `DynamicSlice` of early models has them as inputs always, and no steps. Where a slice that goes back starts
/// before the first element, it has that one, unlike numpy's.
package enum ONNXSlice: ONNXOperator {
  package static let types = ["Slice", "DynamicSlice"]
  package static var operation: String? { "slice_by_index" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let rank = context.fact(x).rank
    let hasAttributes = context.opset < 10 && node.opType == "Slice"
    let starts = try bound(1, "starts", node, in: &context)
    let ends = try bound(2, "ends", node, in: &context)
    let steps = hasAttributes ? nil : context.input(4)
    guard let count = context.fact(starts).shape.first?.constant, context.fact(starts).rank == 1 else {
      throw Diagnostic("onnx.slice", "the number of sliced axes is not known", kind: .unsupported)
    }
    guard count <= rank else { throw Diagnostic("onnx.slice", "\(count) bounds for \(rank) axes") }
    var given = try node.ints("axes")
    if given == nil, !hasAttributes { given = try context.constant(3, "axes")?.integers }
    let axes = try normalized(axes: given ?? Array(0..<count), rank: rank, "slice")
    guard axes.count == count else { throw Diagnostic("onnx.slice", "\(axes.count) axes for \(count) bounds") }
    let open = (0..<rank).map { !axes.contains($0) }
    let begin = try spread(try reached(starts, steps, axes, x, in: &context), axes, rank, 0, in: &context)
    let end = try spread(ends, axes, rank, 0, in: &context)
    var stride: ValueID?
    if let steps { stride = try spread(steps, axes, rank, 1, in: &context) }
    return [try context.emit(SliceByIndex(beginMask: open, endMask: open), x, begin, end, stride)]
  }

  private static func bound(_ index: Int, _ name: String, _ node: ONNXNode, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    if context.opset < 10, node.opType == "Slice" {
      guard let values = try node.ints(name) else { throw Diagnostic("onnx.slice", "attribute '\(name)' is missing") }
      return context.constant(ints: values, name)
    }
    return try context.required(index)
  }

  /// `starts`, those of negative steps not before the first element, where steps are constants.
  private static func reached(
    _ starts: ValueID,
    _ steps: ValueID?,
    _ axes: [Int],
    _ x: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let fact = context.fact(starts)
    guard let steps = steps.flatMap({ context.fact($0).integers }), steps.count == axes.count,
      fact.dtype.isInteger, fact.shape == [Dim(axes.count)]
    else { return starts }
    let numbers = fact.integers
    let goesBack = axes.indices.map { steps[$0] < 0 && (numbers?[$0] ?? Int.min) < -1 }
    guard goesBack.contains(true) else { return starts }
    func choice(_ back: Int, _ other: Int) -> ValueID {
      context.constant(Tensor(fact.dtype, [axes.count], goesBack.map { $0 ? back : other }))
    }
    // −extent where a slice goes back, elsewhere what is below every start.
    let shape = try context.emit(Shape(dtype: fact.dtype), x)
    let extents = try context.emit(Gather(axis: 0), shape, context.constant(ints: axes))
    let negated = try context.emit(Mul(), extents, choice(-1, 0))
    let first = try context.emit(Add(), negated, choice(0, fact.dtype == .int32 ? Int(Int32.min) : Int.min))
    return try context.emit(Maximum(), starts, first)
  }

  /// `values`, one for each of `axes`, as one for each axis, `filler` elsewhere.
  private static func spread(
    _ values: ValueID,
    _ axes: [Int],
    _ rank: Int,
    _ filler: Int,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    if axes == Array(0..<rank) { return values }
    let fact = context.fact(values)
    guard fact.dtype.isInteger, fact.shape == [Dim(axes.count)] else {
      throw Diagnostic("onnx.slice", "a bound is \(fact.type), expected \(axes.count) integers")
    }
    let places = (0..<rank).map { axis in axes.firstIndex(of: axis) ?? axes.count }
    if let numbers = fact.integers {
      return context.constant(Tensor(fact.dtype, [rank], places.map { $0 < numbers.count ? numbers[$0] : filler }))
    }
    let padding = context.constant(Tensor(fact.dtype, [1], [filler]))
    let all = try context.builder.append(Concat(axis: 0), [[values, padding]], origin: context.origin)[0]
    return try context.emit(Gather(axis: 0), all, context.constant(ints: places))
  }
}
