import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `NonMaximumSuppression`: of boxes by falling confidence, the greatest of a class each, those that do not
/// share more than a part of what they cover with a better one; of the same class alone, where the model says so. Boxes
/// below the least confidence are none. Boxes are centre, width and height, compared in fp32.
///
/// Where an output has a size of its own, zeros fill it, or the last boxes are left out.
struct NonMaximumSuppressionModel {
  private let model: CoreML_Specification_NonMaximumSuppression

  static func convert(_ model: CoreML_Specification_NonMaximumSuppression, _ context: inout PartContext)
    throws(Diagnostic)
  {
    try NonMaximumSuppressionModel(model: model).convert(&context)
  }

  private func convert(_ context: inout PartContext) throws(Diagnostic) {
    let confidence = try matrix(model.confidenceInputFeatureName, in: &context)
    let boxes = try matrix(model.coordinatesInputFeatureName, in: &context)
    guard context.fact(boxes).shape[1] == 4, let classes = context.fact(confidence).shape[1].constant,
      1...65536 ~= classes
    else {
      let types = "\(context.fact(confidence).type) and \(context.fact(boxes).type)"
      throw context.damaged("coreml.features", "\(types) are no confidences and boxes")
    }
    context.boxLabels = labels
    let best = try context.apply(ReduceMax(axes: [1]), confidence)
    let ranks = try ranks(confidence, best, classes, in: &context)
    let kept = try order(try kept(boxes, ranks, in: &context), best, in: &context)
    let range = try range(context)
    for feature in context.part.description.output {
      let source: String
      switch feature.name {
      case model.confidenceOutputFeatureName: source = model.confidenceInputFeatureName
      case model.coordinatesOutputFeatureName: source = model.coordinatesInputFeatureName
      default: throw context.damaged("coreml.outputs", "the model gives no '\(feature.name)'")
      }
      let rows = try context.apply(Gather(axis: 0), try plane(source, in: &context), kept)
      context.define(feature.name, try described(try fitted(rows, range, in: &context), feature, in: &context))
    }
  }

  /// What the classes of boxes are called, if anything.
  private var labels: [String] {
    switch model.classLabels {
    case .stringClassLabels(let texts)?: texts.vector
    case .int64ClassLabels(let numbers)?: numbers.vector.map { "\($0)" }
    case nil: []
    }
  }

  /// A feature of rows, as it came. Axes of 1 before them go.
  private func plane(_ name: String, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let value = try context.tensor(name)
    let fact = context.fact(value)
    guard fact.rank >= 2, fact.dtype.isFloat, fact.shape.dropLast(2).allSatisfy({ $0 == 1 }) else {
      throw context.damaged("coreml.features", "'\(name)' is \(fact.type), not a matrix")
    }
    return fact.rank == 2 ? value : try context.apply(Squeeze(Array(0..<fact.rank - 2)), value)
  }

  private func matrix(_ name: String, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    try context.converted(try plane(name, in: &context), to: .float32)
  }

  private func threshold(_ name: String, _ given: Double, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    if name.isEmpty || context.features[name] == nil { return context.constant(.scalar(.float32, given), "threshold") }
    return try context.converted(try context.reshape(try context.tensor(name), []), to: .float32)
  }

  /// `fp32[1, groups, N]`: the boxes' confidences, NaN for those that are none in a group. Groups are classes, or one.
  private func ranks(_ confidence: ValueID, _ best: ValueID, _ classes: Int, in context: inout PartContext)
    throws(Diagnostic) -> ValueID
  {
    let least = try threshold(
      model.confidenceThresholdInputFeatureName,
      model.confidenceThreshold,
      in: &context
    )
    let none = context.scalar(.nan, like: best)
    let isOver = try context.apply(GreaterEqual(), best, least)
    var ranks = try context.apply(ExpandDims([0]), try context.apply(Select(), isOver, best, none))
    if case .pickTop(let top)? = model.suppressionMethod, top.perClass, classes > 1 {
      let own = try context.apply(ReduceArgmax(axis: 1, outputDType: .int32), confidence)
      let column = context.constant(Tensor(.int32, [classes, 1], Array(0..<classes)), "classes")
      ranks = try context.apply(Select(), try context.apply(Equal(), column, own), ranks, none)
    }
    return try context.apply(ExpandDims([0]), ranks)
  }

  /// `int64[n]`: the boxes kept, by group.
  private func kept(_ boxes: ValueID, _ ranks: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let overlap = try threshold(model.iouThresholdInputFeatureName, model.iouThreshold, in: &context)
    let all = context.constant(.scalar(.int64, Int(Int32.max)), "all")
    let batch = try context.apply(ExpandDims([0]), boxes)
    let found = try context.apply(NonMaxSuppression(isCentred: true), batch, ranks, all, overlap)
    return try context.apply(Gather(axis: 1), found, context.constant(.scalar(.int64, 2), "box"))
  }

  /// The same by falling confidence, of equal ones the first first.
  private func order(_ kept: ValueID, _ best: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    guard case .pickTop(let top)? = model.suppressionMethod, top.perClass else { return kept }
    var rising = TopK()
    (rising.axis, rising.ascending) = (0, true)
    let count = try context.apply(Shape(), kept)
    let sorted = try context.results(rising, [[kept], [count]])[0]
    var falling = TopK()
    falling.axis = 0
    let ranks = try context.apply(Gather(axis: 0), best, sorted)
    let places = try context.results(falling, [[ranks], [count]])[1]
    return try context.apply(Gather(axis: 0), sorted, places)
  }

  // MARK: Sizes of outputs

  /// How many boxes outputs have; `nil` where as many as there are. Throws `coreml.type`.
  private func range(_ context: PartContext) throws(Diagnostic) -> ClosedRange<Int>? {
    for feature in context.part.description.output {
      let array = feature.type.multiArrayType
      var range: ClosedRange<Int>?
      if case .shapeRange(let given)? = array.shapeFlexibility, let first = given.sizeRanges.first {
        let low = Int(clamping: first.lowerBound)
        range = low...max(low, first.upperBound < 0 ? Int.max : Int(clamping: first.upperBound))
      } else if array.shape.count >= 2 {
        let rows = Int(clamping: array.shape[array.shape.count - 2])
        if rows > 0 { range = rows...rows }
      }
      guard let range, range != 0...Int.max else { continue }
      guard range.lowerBound <= 1 << 20 else {
        throw context.damaged("coreml.type", "'\(feature.name)' has \(range.lowerBound) boxes and more")
      }
      return range
    }
    return nil
  }

  private func fitted(_ rows: ValueID, _ range: ClosedRange<Int>?, in context: inout PartContext) throws(Diagnostic)
    -> ValueID
  {
    guard let range, let columns = context.fact(rows).shape[1].constant else { return rows }
    let (low, high) = (range.lowerBound, min(range.upperBound, Int(Int32.max)))
    var filled = rows
    if low > 0 {
      let blank = try context.apply(Fill(), context.list([low, columns]), context.scalar(0, like: rows))
      filled = try context.concat([rows, blank], axis: 0)
    }
    let op = SliceByIndex(beginMask: [true, true], endMask: [false, true])
    if low == high { return try context.apply(op, filled, context.list([0, 0]), context.list([low, 0])) }
    let count = try context.apply(Gather(axis: 0), try context.apply(Shape(), rows), context.list([0]))
    let most = try context.apply(Minimum(), count, context.list([high]))
    let end = try context.apply(Maximum(), most, context.list([low]))
    return try context.apply(op, filled, context.list([0, 0]), try context.concat([end, context.list([0])], axis: 0))
  }

  private func described(_ value: ValueID, _ feature: MLFeature, in context: inout PartContext) throws(Diagnostic)
    -> ValueID
  {
    guard case .multiArrayType(let array)? = feature.type.type else {
      throw context.wrongType(feature.name, "an array, which is described as something else")
    }
    return try context.converted(value, to: DType(array.dataType))
  }
}
