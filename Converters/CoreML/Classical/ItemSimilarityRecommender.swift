import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `ItemSimilarityRecommender`: an item k scores `Σ similarity(k, i) · (score(i) − shift(k))` over the given
/// items i. Items are given by falling score, of equal ones the first of the table first: as many as are asked for, all
/// where that is no number above 0; of those that recommendations are restricted to, if there are such; without those
/// that are excluded, which are the given ones where none are named. Items given as a list score 1.
struct ItemSimilarityRecommender {
  private let model: CoreML_Specification_ItemSimilarityRecommender
  private let items: ClassLabels
  private let shifts: [Double]
  /// By similarity: of which item to which.
  private let from: [Int], to: [Int], similarities: [Double]

  static func convert(_ model: CoreML_Specification_ItemSimilarityRecommender, _ context: inout PartContext)
    throws(Diagnostic)
  {
    try ItemSimilarityRecommender(model, context).convert(&context)
  }

  /// Throws `coreml.parameter`.
  private init(_ model: CoreML_Specification_ItemSimilarityRecommender, _ context: PartContext) throws(Diagnostic) {
    self.model = model
    let links = model.itemItemSimilarities.flatMap { item in item.similarItemList.map { (item.itemID, $0) } }
    let last = (model.itemItemSimilarities.map(\.itemID) + links.map { $0.1.itemID }).max()
    let (texts, numbers) = (model.itemStringIds.vector, model.itemInt64Ids.vector)
    let most = 1 << 20
    let isNamed = !texts.isEmpty || !numbers.isEmpty
    let count = isNamed ? max(texts.count, numbers.count) : min(Int(clamping: last ?? 0), most) + 1
    guard let last, last < UInt64(count), count <= most, texts.isEmpty || numbers.isEmpty else {
      let names = "\(texts.count) and \(numbers.count) names"
      throw context.damaged("coreml.parameter", "\(names) for items up to \(last ?? 0)")
    }
    items = texts.isEmpty ? .integers(numbers.isEmpty ? (0..<count).map { Int64($0) } : numbers) : .strings(texts)
    (from, to) = (links.map { Int($0.0) }, links.map { Int($0.1.itemID) })
    similarities = links.map { $0.1.similarityScore }
    var shifts = [Double](repeating: 0, count: count)
    for item in model.itemItemSimilarities { shifts[Int(item.itemID)] = item.itemScoreAdjustment }
    self.shifts = shifts
  }

  private func convert(_ context: inout PartContext) throws(Diagnostic) {
    let given = try observed(in: &context)
    let scores = try scores(given.scores, given.isGiven, in: &context)
    let zero = context.scalar(0, like: scores)
    var isOut = try isNamed(model.itemExclusionInputFeatureName, in: &context) ?? given.isGiven
    if try isNamed(model.itemExclusionInputFeatureName, in: &context) != nil {
      let any = try context.apply(Greater(), try context.apply(ReduceMax(axes: [0]), isOut), zero)
      isOut = try context.apply(Select(), any, isOut, given.isGiven)
    }
    if let isIn = try isNamed(model.itemRestrictionInputFeatureName, in: &context) {
      let none = try context.apply(Equal(), try context.apply(ReduceMax(axes: [0]), isIn), zero)
      let isKept = try context.apply(LogicalOr(), none, try context.apply(Greater(), isIn, zero))
      isOut = try context.apply(Select(), isKept, isOut, context.scalar(1, like: isOut))
    }
    try give(scores, try context.apply(Greater(), isOut, zero), in: &context)
  }

  /// By item, fp64: its score, and 1 where it is given.
  private func observed(in context: inout PartContext) throws(Diagnostic) -> (scores: ValueID, isGiven: ValueID) {
    let name = model.itemInputFeatureName
    if case .tensor = try context.feature(name) {
      let isGiven = try named(name, in: &context)
      return (isGiven, isGiven)
    }
    let given = try context.dictionary(name)
    return (try context.values(given, at: items.tensor, name), try named(keys: given.keys, name, in: &context))
  }

  /// Whether each item is in a list: fp64 of 0 and 1.
  private func named(_ name: String, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    try named(keys: try context.tensor(name), name, in: &context)
  }

  private func named(keys list: ValueID, _ name: String, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    guard context.fact(list).rank == 1, (context.fact(list).dtype == .string) == (items.dtype == .string) else {
      throw context.wrongType(name, "\(context.fact(list).type), where a list of items is needed")
    }
    let keys = items.dtype == .string ? list : try context.converted(list, to: .int64)
    let column = context.constant(items.tensor.reshaped([items.count, 1]), "items")
    let same = try context.converted(try context.apply(Equal(), column, keys), to: .float64)
    let count = try context.apply(ReduceSum(axes: [1]), same)
    return try context.apply(Minimum(), count, context.scalar(1, like: count))
  }

  /// The same; `nil` where the model has no such input.
  private func isNamed(_ name: String, in context: inout PartContext) throws(Diagnostic) -> ValueID? {
    name.isEmpty || context.features[name] == nil ? nil : try named(name, in: &context)
  }

  private func scores(_ given: ValueID, _ isGiven: ValueID, in context: inout PartContext) throws(Diagnostic)
    -> ValueID
  {
    let start = context.constant(Tensor(.float64, [items.count], [Double](repeating: 0, count: items.count)), "none")
    if similarities.isEmpty { return start }
    let sources = context.list(from)
    let shift = context.row(to.map { shifts[$0] }, like: start, "shifts")
    let less = try context.apply(Mul(), try context.apply(Gather(axis: 0), isGiven, sources), shift)
    let beyond = try context.apply(Sub(), try context.apply(Gather(axis: 0), given, sources), less)
    let terms = try context.apply(Mul(), beyond, context.row(similarities, like: start, "similarities"))
    return try context.apply(ScatterAlongAxis(axis: 0, mode: .add), start, context.list(to), terms)
  }

  private func give(_ scores: ValueID, _ isOut: ValueID, in context: inout PartContext) throws(Diagnostic) {
    let least = context.scalar(-.infinity, like: scores)
    let ranked = try context.apply(Select(), isOut, least, scores)
    let out = try context.apply(ReduceSum(axes: [0]), try context.converted(isOut, to: .int32))
    let all = context.constant(.scalar(.int32, items.count), "items")
    var count = try context.apply(Sub(), all, out)
    if !model.numRecommendationsInputFeatureName.isEmpty {
      let name = model.numRecommendationsInputFeatureName
      let wanted = try context.reshape(try context.converted(try context.tensor(name), to: .int32), [])
      let isAsked = try context.apply(Greater(), wanted, context.constant(.scalar(.int32, 0), "zero"))
      count = try context.apply(Select(), isAsked, try context.apply(Minimum(), wanted, count), count)
    }
    var order = TopK()
    order.axis = 0
    let best = try context.results(order, [[ranked], [count]])
    let chosen = try context.apply(Gather(axis: 0), context.constant(items.tensor, "items"), best[1])
    for feature in context.part.description.output {
      switch feature.name {
      case model.recommendedItemListOutputFeatureName: context.define(feature.name, chosen)
      case model.recommendedItemScoreOutputFeatureName:
        context.features[feature.name] = .dictionary(keys: chosen, values: best[0])
      default: throw context.damaged("coreml.outputs", "the model gives no '\(feature.name)'")
      }
    }
  }
}
