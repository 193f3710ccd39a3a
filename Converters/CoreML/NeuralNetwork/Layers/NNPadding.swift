import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `padding` of height and width: a number, reflection about the edge, or the edge again.
enum NNPadding: NNLayerRule {
  static let kinds = ["padding"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.padding
    let x = try context.input(rank: 2)
    let amounts = context.list(try spec.paddingAmounts.amounts())
    switch spec.paddingType {
    case .reflection?: return [try context.emit(Pad(mode: "reflect"), x, amounts)]
    case .replication?: return [try context.emit(Pad(mode: "replicate"), x, amounts)]
    case .constant(let constant)?:
      return [try context.emit(Pad(mode: "constant"), x, amounts, context.scalar(Double(constant.value)))]
    case nil: return [try context.emit(Pad(mode: "constant"), x, amounts)]
    }
  }
}

/// `constantPad` of any axes: amounts before and after each; or with `padToGivenOutputSizeMode` the extent that the
/// axis shall have, in the first place when it grows in front, in the second when it grows behind. Amounts may be an
/// input.
enum NNConstantPad: NNLayerRule {
  static let kinds = ["constantPad"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.constantPad
    let x = try context.input(rank: 1)
    if context.inputCount > 1 {
      var amounts = try context.integers(try context.input(1, rank: 1))
      if spec.padToGivenOutputSizeMode { amounts = try missing(amounts, x, &context) }
      return [try context.emit(Pad(mode: "constant"), x, amounts, context.scalar(Double(spec.value)))]
    }
    var amounts = spec.padAmounts.map { Int(clamping: $0) }
    guard amounts.count == 2 * context.rank(x) else {
      throw NNContext.wrong("there are \(amounts.count) amounts for \(context.fact(x).type)")
    }
    if spec.padToGivenOutputSizeMode {
      for index in amounts.indices where amounts[index] > 0 {
        amounts[index] = max(0, amounts[index] - (try context.extent(x, index / 2)))
      }
    }
    return [try context.emit(Pad(mode: "constant"), x, context.list(amounts), context.scalar(Double(spec.value)))]
  }

  /// What each of `sizes`, two an axis, is more than the extent of its axis; 0 where it is 0.
  private static func missing(_ sizes: ValueID, _ x: ValueID, _ context: inout NNContext) throws(Diagnostic) -> ValueID
  {
    let axes = context.list((0..<2 * context.rank(x)).map { $0 / 2 })
    let extents = try context.emit(Gather(axis: 0), try context.emit(Shape(dtype: .int32), x), axes)
    let excess = try context.emit(Sub(), sizes, extents)
    return try context.emit(Maximum(), excess, context.list([0]))
  }
}

/// `crop` of height and width by amounts, or to the size of a second input from an offset on.
enum NNCrop: NNLayerRule {
  static let kinds = ["crop"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.crop
    let x = try context.input(rank: 2)
    let rank = context.rank(x)
    let open = [Bool](repeating: true, count: rank - 2)
    let zeros = [Int](repeating: 0, count: rank - 2)
    if context.inputCount > 1 {
      let like = try context.input(1, rank: 2)
      let start = try nnPair(spec.offset, "offset", default: 0)
      guard start.allSatisfy({ $0 < 1 << 31 }) else { throw NNContext.wrong("'offset' is \(start)") }
      var y = x
      for axis in 0..<2 {
        let (place, other) = (rank - 2 + axis, context.rank(like) - 2 + axis)
        if let extent = context.shape(like)[other].constant {
          y = try context.slice(y, axis: place, from: start[axis], to: start[axis] + extent)
        } else {
          let places = try context.raised(try context.places(of: like, axis: other), by: Double(start[axis]))
          y = try context.emit(Gather(axis: place), y, places)
        }
      }
      return [y]
    }
    let amounts = try spec.cropAmounts.amounts()
    guard amounts.allSatisfy({ $0 < 1 << 31 }) else { throw NNContext.wrong("the amounts are \(amounts)") }
    let op = SliceByIndex(
      beginMask: open + [false, false],
      endMask: open + [amounts[1] == 0, amounts[3] == 0]
    )
    return [
      try context.emit(
        op,
        x,
        context.list(zeros + [amounts[0], amounts[2]]),
        context.list(zeros + [-amounts[1], -amounts[3]])
      )
    ]
  }
}
