import MLCCore
import MLCGraph
import MLCOps

/// `Add`, `Subtract`, `Multiply`, `Average`, `Maximum`, `Minimum` of tensors that broadcast. Axes that a tensor lacks
/// stand behind the batch.
package struct KerasElementwiseMerge: KerasLayer {
  package static let classNames = ["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"]
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let name = call.layer.className
    guard call.inputs.count >= 2, name != "Subtract" || call.inputs.count == 2 else {
      throw Diagnostic("keras.inputs", "\(call.inputs.count) tensors are merged")
    }
    let (given, isChannelsFirst) = try context.alike(call.inputs)
    var values = given
    let rank = values.map { context.fact($0).rank }.max() ?? 0
    for index in values.indices {
      let missing = rank - context.fact(values[index]).rank
      if missing > 0 { values[index] = try context.emit(ExpandDims(Array(1...missing)), values[index]) }
    }
    var result = values[0]
    for value in values.dropFirst() { result = try context.emit(op(name), result, value) }
    if name == "Average" {
      result = try context.emit(Mul(), result, context.scalar(1 / Double(values.count), like: result))
    }
    return [KerasTensor(result, isChannelsFirst: isChannelsFirst, mask: try mask(call, &context))]
  }

  private static func op(_ name: String) -> any Operator {
    switch name {
    case "Subtract": Sub()
    case "Multiply": Mul()
    case "Maximum": Maximum()
    case "Minimum": Minimum()
    default: Add()
    }
  }

  /// A step counts when it does in one of the tensors, provided that all have masks: Keras 3 says so, Keras 2 wants
  /// all.
  private static func mask(_ call: KerasCall, _ context: inout KerasContext) throws(Diagnostic) -> ValueID? {
    let masks = call.inputs.compactMap { $0.mask }
    if Set(masks).count <= 1, masks.count == call.inputs.count { return masks.first }
    if masks.isEmpty { return nil }
    if masks.count < call.inputs.count, !context.isKeras2 { return nil }
    guard masks.count == call.inputs.count else { throw Diagnostic.mask(call) }
    var result = masks[0]
    for mask in masks.dropFirst() {
      result =
        context.isKeras2 ? try context.emit(LogicalAnd(), result, mask) : try context.emit(LogicalOr(), result, mask)
    }
    return result
  }
}

/// Tensors one after the other along an axis.
package struct KerasConcatenate: KerasLayer {
  package static let classNames = ["Concatenate"]
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let (values, isChannelsFirst) = try context.alike(call.inputs)
    let first = KerasTensor(values[0], isChannelsFirst: isChannelsFirst)
    let axis = try call.config["axis"] == nil ? -1 : call.config.int("axis")
    let op = Concat(axis: try context.physicalAxis(axis, first))
    let masks = Set(call.inputs.map { $0.mask })
    // Along channels the steps of equal masks stay as they are.
    let keepsSteps = try context.axis(axis, first) >= 2
    if masks != [nil], !(masks.count == 1 && keepsSteps) { throw Diagnostic.mask(call) }
    let value = try context.emit(op, all: [values])[0]
    return [KerasTensor(value, isChannelsFirst: isChannelsFirst, mask: call.inputs[0].mask)]
  }
}

/// Sums of products along an axis of each of two tensors, for each example.
package struct KerasDot: KerasLayer {
  package static let classNames = ["Dot"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    guard call.inputs.count == 2, let given = try call.config.ints("axes", count: 2) else {
      throw Diagnostic("keras.inputs", "a product needs two tensors and their axes")
    }
    var values: [ValueID] = []
    var isVector: [Bool] = []
    for (index, input) in call.inputs.enumerated() {
      let axis = try context.axis(given[index], input)
      var value = try context.plain(input)
      let rank = context.fact(value).rank
      guard axis > 0 else { throw Diagnostic("keras.axis", "the axis \(given[index]) is the batch") }
      if try call.config.bool("normalize", default: false) {
        value = try context.unitLength(value, [axis], floor: context.isKeras2 ? 1e-12 : 1e-14)
      }
      // The summed axis last on the left, in its place before the last on the right.
      let others = (1..<rank).filter { $0 != axis }
      let order = index == 0 ? [0] + others + [axis] : [0, axis] + others
      if order != Array(0..<rank) { value = try context.emit(Transpose(order), value) }
      values.append(try matrix(value, index, rank, &context))
      isVector.append(rank == 2)
    }
    let product = try context.emit(MatMul(), values[0], values[1])
    return [KerasTensor(try shaped(product, call, given, isVector, &context))]
  }

  /// `value` with three axes: batch, rows, columns.
  private static func matrix(
    _ value: ValueID,
    _ index: Int,
    _ rank: Int,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    if rank == 2 { return try context.emit(ExpandDims([index == 0 ? 1 : 2]), value) }
    if rank == 3 { return value }
    let shape = context.fact(value).shape
    guard let summed = (index == 0 ? shape.last : shape[1])?.constant else {
      throw Diagnostic("keras.rank", "products of tensors of rank \(rank) need known extents", kind: .unsupported)
    }
    return try context.emit(
      Reshape(),
      value,
      context.constant(ints: index == 0 ? [0, -1, summed] : [0, summed, -1], "shape")
    )
  }

  /// The product with the axes of both tensors that were not summed.
  private static func shaped(
    _ product: ValueID,
    _ call: KerasCall,
    _ given: [Int],
    _ isVector: [Bool],
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    if isVector == [true, true] { return try context.emit(Squeeze([2]), product) }
    if isVector[0] { return try restored(product, [1], call, given, &context) }
    if isVector[1] { return try restored(product, [2], call, given, &context) }
    return try restored(product, [], call, given, &context)
  }

  private static func restored(
    _ product: ValueID,
    _ squeezed: [Int],
    _ call: KerasCall,
    _ given: [Int],
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    if call.inputs.allSatisfy({ context.rank($0) <= 3 }) {
      return squeezed.isEmpty ? product : try context.emit(Squeeze(squeezed), product)
    }
    var extents: [Int] = [0]
    for (index, input) in call.inputs.enumerated() {
      let axis = try context.axis(given[index], input)
      for (place, extent) in context.shape(input).enumerated() where place > 0 && place != axis {
        guard let number = extent.constant else {
          throw Diagnostic("keras.rank", "products of tensors of many axes need known extents", kind: .unsupported)
        }
        extents.append(number)
      }
    }
    return try context.emit(Reshape(), product, context.constant(ints: extents, "shape"))
  }
}

extension KerasContext {
  /// The tensors in one order of axes: channels first when one of them is so and all have as many axes.
  mutating func alike(_ tensors: [KerasTensor]) throws(Diagnostic) -> (values: [ValueID], isChannelsFirst: Bool) {
    let ranks = Set(tensors.map { rank($0) })
    let isChannelsFirst = ranks.count == 1 && tensors.contains { $0.isChannelsFirst }
    var values: [ValueID] = []
    for tensor in tensors { values.append(isChannelsFirst ? try channelsFirst(tensor) : try plain(tensor)) }
    guard !values.isEmpty else { throw Diagnostic("keras.inputs", "no tensors are merged") }
    return (values, isChannelsFirst)
  }
}
