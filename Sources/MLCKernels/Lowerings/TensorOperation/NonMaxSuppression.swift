import MLCCore
import MLCGraph
import MLCOps

extension NonMaxSuppression: Lowerable {
  /// One routine finds what each line keeps, another lists it; how much that is becomes a late size.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (boxes, scores) = (context.input("boxes"), context.input("scores"))
    let (places, ranks) = (context.program[boxes].shape, context.program[scores].shape)
    context.requireEqual(places, [ranks[0], ranks[2], 4])
    var limit = ranks[2]
    if let most = context.fact("max_boxes").elements?.first?.constant { limit = Dim.min(limit, Dim(max(0, most))) }
    let most = context.temporary("max_boxes", .int64, [])
    let given = context.input("max_boxes")
    let reader = context.program
    try context.map("size", to: most) { (params, _) throws(Diagnostic) in reader.integer(given, [], &params) }
    let least = context.optionalInput("score_threshold")
    let routine = Routine.Suppression(
      batches: ranks[0],
      classes: ranks[1],
      boxes: ranks[2],
      limit: limit,
      isCentred: isCentred,
      isLeast: least != nil
    )
    let kept = context.temporary("kept", .int64, [routine.lines, limit])
    let counts = context.temporary("counts", .int64, [routine.lines])
    var params = KernelParams()
    // Aliases: one value may be several operands, and each is a parameter of its own.
    let operands = [boxes, scores, most, context.input("iou_threshold")] + (least.map { [$0] } ?? [])
    for (tensor, count) in zip(operands, routine.counts) { _ = params.read(context.alias(tensor, [count])) }
    _ = params.write(context.temporary("order", .int64, [routine.tasks, ranks[2]]))
    _ = params.write(context.temporary("sides", .float32, [routine.tasks, routine.sides]))
    _ = params.write(kept)
    _ = params.write(counts)
    context.append(Self.name, params, .routine(.suppression(routine)))
    try list(kept, counts, routine, in: &context)
  }

  private func list(
    _ kept: TensorID,
    _ counts: TensorID,
    _ routine: Routine.Suppression,
    in context: inout LoweringContext
  ) throws(Diagnostic) {
    let bound = routine.lines * routine.limit
    let rows = context.temporary("rows", .int64, [bound, 3])
    let count = context.temporary("count", .int64, [1])
    var params = KernelParams()
    _ = params.read(kept)
    _ = params.read(counts)
    _ = params.write(rows)
    _ = params.write(count)
    let listing = Routine.listing(batches: routine.batches, classes: routine.classes, limit: routine.limit)
    context.append("listing", params, .routine(listing))
    if let name = context.outputFact().shape[0].symbol { context.bind(name, from: count, bound: bound) }
    try context.map("rows", to: context.output()) { (params, axes) throws(Diagnostic) in params.load(rows, axes) }
  }
}
