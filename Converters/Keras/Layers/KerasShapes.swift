import MLCCore
import MLCGraph
import MLCOps

/// All axes but the batch as one.
package struct KerasFlatten: KerasLayer {
  package static let classNames = ["Flatten"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var x = try context.plain(try call.input())
    let rank = context.fact(x).rank
    if rank == 1 { return [KerasTensor(try context.emit(ExpandDims([1]), x))] }
    // Keras puts channels last first, so that both layouts flatten alike.
    if rank > 2, try KerasWindow.isChannelsFirst(call.config) {
      x = try context.emit(Transpose([0] + Array(2..<rank) + [1]), x)
    }
    let rest = context.fact(x).shape.dropFirst().compactMap { $0.constant }
    let size = rest.count == rank - 1 ? rest.checkedProduct ?? -1 : -1
    return [KerasTensor(try context.emit(Reshape(), x, context.constant(ints: [0, size], "shape")))]
  }
}

/// The elements of each example under another shape; one extent may be −1.
package struct KerasReshape: KerasLayer {
  package static let classNames = ["Reshape"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    guard let target = try call.config.list("target_shape") else {
      throw KerasConfig.wrong("target_shape", "is missing")
    }
    guard target.allSatisfy({ $0 >= -1 }), target.filter({ $0 == -1 }).count <= 1, target.count < 32 else {
      throw KerasConfig.wrong("target_shape", "is no shape")
    }
    guard let batch = context.fact(x).shape.first else { throw Diagnostic("keras.rank", "the input has no axes") }
    var extents: [Dim] = target.map { Dim($0) }
    // With −1 resolved beforehand, a batch of unknown size can be what is left.
    if let open = target.firstIndex(of: -1) {
      let known = target.filter { $0 != -1 }
      let whole = context.fact(x).shape.dropFirst().compactMap { $0.constant }
      if whole.count == context.fact(x).rank - 1, let total = whole.checkedProduct, let rest = known.checkedProduct,
        rest > 0
      {
        guard total % rest == 0 else {
          throw Diagnostic("keras.reshape", "\(total) elements do not divide into \(target)")
        }
        extents[open] = Dim(total / rest)
      }
    }
    let numbers = extents.map { $0.constant ?? -1 }
    let first = numbers.contains(-1) ? 0 : batch.constant ?? -1
    return [KerasTensor(try context.emit(Reshape(), x, context.constant(ints: [first] + numbers, "shape")))]
  }
}

/// The axes of each example in another order, counted from 1.
package struct KerasPermute: KerasLayer {
  package static let classNames = ["Permute"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    guard let order = try call.config.list("dims"), order.sorted() == Array(1..<context.fact(x).rank) else {
      throw KerasConfig.wrong("dims", "is no order of the axes of \(context.fact(x).type)")
    }
    return [KerasTensor(try context.emit(Transpose([0] + order), x))]
  }
}

/// Each vector n times: `[batch, C]` → `[batch, n, C]`.
package struct KerasRepeatVector: KerasLayer {
  package static let classNames = ["RepeatVector"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.emit(ExpandDims([1]), try context.plain(try call.input()))
    guard context.fact(x).rank == 3 else { throw Diagnostic("keras.rank", "the input is no batch of vectors") }
    let count = try call.config.int("n")
    return [KerasTensor(try context.emit(Tile(), x, context.constant(ints: [1, count, 1], "reps")))]
  }
}
