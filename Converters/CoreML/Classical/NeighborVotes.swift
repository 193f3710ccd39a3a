import MLCCore
import MLCGraph
import MLCOps

/// The votes of nearest samples for their classes, of values of a function; there may be no samples.
///
/// The samples that are nearest by squared distance have one vote each, or `1 / distance`; of samples as near the
/// first come first. By distance, where samples are met exactly, they alone count.
struct NeighborVotes {
  /// `fp64[n, columns]`.
  let samples: ValueID
  /// Which class each sample is of, `int32[n]`.
  let members: ValueID
  /// The numbers of all classes, `int32[classes, 1]`.
  let classes: ValueID
  /// How many samples vote, one integer, not above n.
  let count: ValueID
  let isByDistance: Bool

  /// `fp64[classes]` for `x: fp64[1, columns]`.
  func votes(for x: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let squares = try context.apply(Square(), try context.apply(Sub(), x, samples))
    let distances = try context.apply(ReduceSum(axes: [1]), squares)
    var order = TopK()
    (order.axis, order.ascending) = (0, true)
    let nearest = try context.results(order, [[distances], [count]])
    let isOwn = try context.apply(Equal(), classes, try context.apply(Gather(axis: 0), members, nearest[1]))
    let weights = try weights(nearest[0], in: &context)
    let own = try context.apply(Select(), isOwn, weights, context.scalar(0, like: weights))
    return try context.apply(ReduceSum(axes: [1]), own)
  }

  private func weights(_ distances: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let (zero, one) = (context.scalar(0, like: distances), context.scalar(1, like: distances))
    guard isByDistance else {
      return try context.apply(Select(), try context.apply(Equal(), distances, distances), one, zero)
    }
    let isMet = try context.apply(Cast(.float64), try context.apply(Equal(), distances, zero))
    let isAnyMet = try context.apply(Greater(), try context.apply(ReduceMax(axes: [0]), isMet), zero)
    return try context.apply(Select(), isAnyMet, isMet, try context.apply(RealDiv(), one, distances))
  }
}
