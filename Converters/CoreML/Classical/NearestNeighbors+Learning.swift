import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Nearest neighbours to which samples are added.
extension NearestNeighbors {
  /// As `convert` does, for any number of samples: they, their classes and how many vote are parameters. Scores are a
  /// dictionary of the classes that there are. `false`, with nothing done, where the model at hand does not learn or
  /// its features leave no names for parameters.
  ///
  /// Throws `coreml.class-labels`, `coreml.parameter`, `coreml.features`.
  func convertLearning(_ context: inout PartContext) throws(Diagnostic) -> Bool {
    guard context.keepsParameters, context.part.spec.isUpdatable, context.learning == nil, context.states.isEmpty,
      context.isFree(Neighbors.samples, Neighbors.classes, Neighbors.members, Neighbors.neighbors)
    else { return false }
    let x = try context.row()
    let columns = try columns(x, context)
    let label = context.part.description.predictedFeatureName
    let known = Neighbors(label: label, isText: try absentLabel(context).dtype == .string, columns: columns)
    let learning = Learning(.neighbors(known), settings: [try setting(context)])
    context.learning = LearningSource(learning, forward: try row(x, context), target: .sample)
    try classify(x, columns, in: &context)
    return true
  }

  private typealias Neighbors = Learning.Neighbors

  /// The function that gives the row of a sample.
  private func row(_ x: ValueID, _ context: PartContext) throws(Diagnostic) -> Function {
    var context = context
    let row = try context.converted(x, to: .float32)
    return context.forward(to: row)
  }

  private func setting(_ context: PartContext) throws(Diagnostic) -> Learning.Setting {
    let given = model.numberOfNeighbors
    let allowed: Learning.Setting.Allowed
    switch given.allowedValues {
    case .range(let range)?:
      let (least, most) = (max(1, range.minValue), min(range.maxValue, Int64(Int32.max)))
      guard least <= most else {
        throw context.damaged("coreml.parameter", "from \(range.minValue) to \(range.maxValue) neighbours")
      }
      allowed = .range(Double(least)...Double(most))
    case .set(let set)?:
      let numbers = Set(set.values).filter { 1...Int64(Int32.max) ~= $0 }
      allowed = .values(numbers.sorted().map { Double($0) })
    case nil: allowed = .range(1...Double(Int32.max))
    }
    let number = Double(given.defaultValue)
    guard allowed.contains(number) else {
      throw context.damaged("coreml.parameter", "\(given.defaultValue) neighbours, which the model does not allow")
    }
    return .init(.numberOfNeighbors, number, allowed)
  }

  /// The label without samples, of the kind that the samples' labels have. A model with samples may leave it out, as
  /// samples only become more.
  private func absentLabel(_ context: PartContext) throws(Diagnostic) -> ClassLabels {
    if let label = emptyLabel {
      guard samples.isEmpty || label.dtype == classes.dtype else {
        throw context.damaged("coreml.class-labels", "the label without samples is of another type than theirs")
      }
      return label
    }
    if samples.isEmpty { throw context.damaged("coreml.class-labels", "no samples, and no label for that") }
    return classes.dtype == .string ? .strings([""]) : .integers([0])
  }

  /// The label without samples stands behind the classes, with one vote where there are none.
  private func classify(_ x: ValueID, _ columns: Int, in context: inout PartContext) throws(Diagnostic) {
    let absent = try absentLabel(context)
    let (neighbors, classes) = try parameters(columns, absent, in: &context)
    let none = try context.apply(
      Equal(),
      try context.extent(of: neighbors.samples, axis: 0),
      context.constant(.scalar(.int64, 0), "none")
    )
    let last = try context.apply(ExpandDims([0]), try context.apply(Cast(.float64), none))
    let votes = try context.concat([try neighbors.votes(for: x, in: &context), last], axis: 0)
    let labels = try context.concat([classes, context.constant(absent.tensor, "absent")], axis: 0)
    let place = try context.greatest(try context.apply(ExpandDims([0]), votes))
    let sum = try context.apply(ReduceSum(axes: [0], keepDims: true), votes)
    let shown = try shown(classes, in: &context)
    for feature in context.part.description.output {
      if feature.name == context.part.description.predictedFeatureName {
        try context.give(try context.apply(Gather(axis: 0), labels, place), as: feature)
      } else if feature.name == context.part.description.predictedProbabilitiesName {
        let shares = try context.apply(RealDiv(), votes, sum)
        let keys = try context.apply(Gather(axis: 0), labels, shown)
        context.features[feature.name] = .dictionary(
          keys: keys,
          values: try context.apply(Gather(axis: 0), shares, shown)
        )
      } else {
        throw context.damaged("coreml.outputs", "'\(feature.name)' is neither the class nor the classes' scores")
      }
    }
  }

  /// The places of all classes, or of the label without samples where there are none.
  private func shown(_ classes: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let one = context.constant(.scalar(.int64, 1), "one")
    let count = try context.apply(Maximum(), try context.extent(of: classes, axis: 0), one)
    return try context.apply(Range1D(), count, context.constant(.scalar(.int64, 0), "zero"), one)
  }

  private func parameters(_ columns: Int, _ absent: ClassLabels, in context: inout PartContext) throws(Diagnostic)
    -> (NeighborVotes, classes: ValueID)
  {
    let rows = Tensor(.float32, [samples.count, columns], samples.flatMap { $0.map { Double($0) } })
    let none = absent.dtype == .string ? Tensor([0], strings: []) : Tensor(.int64, [0], [Int]())
    let labels = samples.isEmpty ? none : classes.tensor
    let numbers = Tensor(.int32, [members.count], members)
    let count = Tensor.scalar(.int32, Int(Int32(clamping: model.numberOfNeighbors.defaultValue)))
    let (n, c) = (context.openSize("samples"), context.openSize("classes"))
    let samples = context.parameter(Neighbors.samples, [n, Dim(columns)], rows)
    let classes = context.parameter(Neighbors.classes, [c], labels)
    let members = context.parameter(Neighbors.members, [n], numbers)
    let wanted = try context.converted(context.parameter(Neighbors.neighbors, [], count), to: .int64)
    let places = try context.converted(try context.places(of: classes, axis: 0), to: .int32)
    let votes = NeighborVotes(
      samples: try context.converted(samples, to: .float64),
      members: members,
      classes: try context.apply(ExpandDims([1]), places),
      count: try context.apply(Minimum(), wanted, try context.extent(of: samples, axis: 0)),
      isByDistance: isByDistance
    )
    return (votes, classes)
  }
}
