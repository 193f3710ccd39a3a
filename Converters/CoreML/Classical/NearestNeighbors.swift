import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `KNearestNeighborsClassifier`: the label with the greatest sum of votes (`NeighborVotes`), the least label
/// among equals. What index finds samples changes nothing.
///
/// A score is a label's share of the votes. Labels are one for each sample.
struct NearestNeighbors {
  let model: CoreML_Specification_KNearestNeighborsClassifier
  let samples: [[Float]]
  private let labels: ClassLabels
  /// Those that there are, in rising order, and by sample which.
  let classes: ClassLabels, members: [Int]

  static func convert(_ model: CoreML_Specification_KNearestNeighborsClassifier, _ context: inout PartContext)
    throws(Diagnostic)
  {
    try NearestNeighbors(model, context).convert(&context)
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
    if try convertLearning(&context) { return }
    guard !samples.isEmpty else { return try convertEmpty(&context) }
    let x = try context.row()
    let columns = try columns(x, context)
    let elements = samples.flatMap { $0.map { Double($0) } }
    let neighbors = NeighborVotes(
      samples: context.constant(Tensor(.float64, [samples.count, columns], elements), "samples"),
      members: context.constant(Tensor(.int32, [members.count], members), "members"),
      classes: context.constant(Tensor(.int32, [classes.count, 1], Array(0..<classes.count)), "classes"),
      count: context.list([min(Int(clamping: model.numberOfNeighbors.defaultValue), samples.count)]),
      isByDistance: isByDistance
    )
    let votes = try context.apply(ExpandDims([0]), try neighbors.votes(for: x, in: &context))
    let sum = try context.apply(ReduceSum(axes: [1], keepDims: true), votes)
    try context.classify(try context.greatest(votes), try context.apply(RealDiv(), votes, sum), classes)
  }

  var isByDistance: Bool { if case .inverseDistanceWeighting? = model.weightingScheme { true } else { false } }

  /// How many features `x: fp64[1, columns]` has. Throws `coreml.features` where samples have not as many.
  func columns(_ x: ValueID, _ context: PartContext) throws(Diagnostic) -> Int {
    let columns = context.fact(x).shape[1].constant ?? 0
    guard samples.allSatisfy({ $0.count == columns }) else {
      throw context.damaged("coreml.features", "the samples have not all \(columns) features")
    }
    return columns
  }

  /// What the model answers without samples.
  var emptyLabel: ClassLabels? {
    switch model.defaultClassLabel {
    case .defaultStringLabel(let text)?: .strings([text])
    case .defaultInt64Label(let number)?: .integers([number])
    case nil: nil
    }
  }

  /// Of no samples the label that is given for that.
  private func convertEmpty(_ context: inout PartContext) throws(Diagnostic) {
    guard let label = emptyLabel else {
      throw context.damaged("coreml.class-labels", "no samples, and no label for that")
    }
    let one = context.constant(Tensor(.float64, [1, 1], [1]), "one")
    try context.classify(context.constant(.scalar(.int64, 0), "first"), one, label)
  }
}
