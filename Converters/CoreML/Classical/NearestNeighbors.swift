import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `KNearestNeighborsClassifier`: the label of most of the nearest samples by squared distance, or that with
/// the greatest sum of `1 / distance`; the least label among equals. Of samples as near the first come first. What
/// index finds them changes nothing. Where samples are met exactly, they alone count by distance.
///
/// A score is a label's share of the votes. Labels are one for each sample.
struct NearestNeighbors {
  let model: CoreML_Specification_KNearestNeighborsClassifier
  let samples: [[Float]]
  let labels: ClassLabels
  /// Those that there are, in rising order, and by sample which.
  let classes: ClassLabels, members: [Int]

  static func convert(_ model: CoreML_Specification_KNearestNeighborsClassifier, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let neighbors = try NearestNeighbors(model, context)
    if context.keepsParameters, context.part.spec.isUpdatable { return try neighbors.convertLearning(&context) }
    try neighbors.convert(&context)
  }

  /// Throws `coreml.class-labels`, `coreml.parameter`.
  private init(_ model: CoreML_Specification_KNearestNeighborsClassifier, _ context: PartContext) throws(Diagnostic) {
    self.model = model
    samples = model.nearestNeighborsIndex.floatSamples.map { $0.vector }
    switch model.classLabels {
    case .stringClassLabels(let given)?:
      labels = .strings(given.vector)
      let names = Set(given.vector.utf8Texts).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      classes = .strings(names.map(\.text))
      let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      members = given.vector.utf8Texts.map { places[$0] ?? 0 }
    case .int64ClassLabels(let given)?:
      labels = .integers(given.vector)
      let numbers = Set(given.vector).sorted()
      classes = .integers(numbers)
      let places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
      members = given.vector.map { places[$0] ?? 0 }
    case nil: (labels, classes, members) = (.integers([]), .integers([]), [])
    }
    guard labels.count == samples.count else {
      throw context.damaged("coreml.class-labels", "\(labels.count) labels for \(samples.count) samples")
    }
    guard model.numberOfNeighbors.defaultValue > 0 else {
      throw context.damaged("coreml.parameter", "\(model.numberOfNeighbors.defaultValue) neighbours")
    }
  }

  private func convert(_ context: inout PartContext) throws(Diagnostic) {
    guard !samples.isEmpty else { return try convertEmpty(&context) }
    let x = try context.row()
    let columns = context.fact(x).shape[1].constant ?? 0
    guard samples.allSatisfy({ $0.count == columns }) else {
      throw context.damaged("coreml.features", "the samples have not all \(columns) features")
    }
    let elements = samples.flatMap { $0.map { Double($0) } }
    let all = context.constant(Tensor(.float64, [samples.count, columns], elements), "samples")
    let count = context.list([min(Int(clamping: model.numberOfNeighbors.defaultValue), samples.count)])
    let (distances, places) = try nearest(x, all, count, in: &context)
    let kinds = context.constant(Tensor(.int32, [members.count], members), "members")
    let nearest = try context.apply(Gather(axis: 0), kinds, places)
    let range = context.constant(Tensor(.int32, [classes.count, 1], Array(0..<classes.count)), "classes")
    let votes = try votes(try weights(distances, in: &context), nearest, range, in: &context)
    let sum = try context.apply(ReduceSum(axes: [1], keepDims: true), votes)
    try context.classify(try context.greatest(votes), try context.apply(RealDiv(), votes, sum), classes)
  }

  /// Of no samples the label that is given for that.
  private func convertEmpty(_ context: inout PartContext) throws(Diagnostic) {
    let label: ClassLabels
    switch model.defaultClassLabel {
    case .defaultStringLabel(let text)?: label = .strings([text])
    case .defaultInt64Label(let number)?: label = .integers([number])
    case nil: throw context.damaged("coreml.class-labels", "no samples, and no label for that")
    }
    let one = context.constant(Tensor(.float64, [1, 1], [1]), "one")
    try context.classify(context.constant(.scalar(.int64, 0), "first"), one, label)
  }

  /// Squared distances `fp64[k]` of `x: fp64[1, D]` from `all: fp64[n, D]`, and which samples they are of; `count` is k.
  func nearest(_ x: ValueID, _ all: ValueID, _ count: ValueID, in context: inout PartContext) throws(Diagnostic)
    -> (distances: ValueID, places: ValueID)
  {
    let squares = try context.apply(Square(), try context.apply(Sub(), x, all))
    let distances = try context.apply(ReduceSum(axes: [1]), squares)
    var order = TopK()
    (order.axis, order.ascending) = (0, true)
    let found = try context.results(order, [[distances], [count]])
    return (found[0], found[1])
  }

  func weights(_ distances: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let (zero, one) = (context.scalar(0, like: distances), context.scalar(1, like: distances))
    guard case .inverseDistanceWeighting? = model.weightingScheme else {
      return try context.apply(Select(), try context.apply(Equal(), distances, distances), one, zero)
    }
    let isMet = try context.apply(Cast(.float64), try context.apply(Equal(), distances, zero))
    let isAnyMet = try context.apply(Greater(), try context.apply(ReduceMax(axes: [0]), isMet), zero)
    return try context.apply(Select(), isAnyMet, isMet, try context.apply(RealDiv(), one, distances))
  }

  /// `fp64[1, classes]`, `range` being `int32[classes, 1]` of all classes.
  func votes(_ weights: ValueID, _ kinds: ValueID, _ range: ValueID, in context: inout PartContext) throws(Diagnostic)
    -> ValueID
  {
    let isOwn = try context.apply(Equal(), range, kinds)
    let own = try context.apply(Select(), isOwn, weights, context.scalar(0, like: weights))
    return try context.apply(ExpandDims([0]), try context.apply(ReduceSum(axes: [1]), own))
  }
}
