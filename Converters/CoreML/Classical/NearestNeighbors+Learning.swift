import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Nearest neighbours whose samples, labels and number are parameters: there may be any number of samples, none too.
///
/// With no samples the label is the one that is given for that, and there are no scores.
extension NearestNeighbors {
  func convertLearning(_ context: inout PartContext) throws(Diagnostic) {
    let row = try context.converted(try context.row(), to: .float32)
    guard let columns = context.fact(row).shape[1].constant, samples.allSatisfy({ $0.count == columns }) else {
      throw context.damaged("coreml.features", "the samples have not all as many features as the model takes")
    }
    let (count, kinds) = (Dim.symbol(context.freeSize("samples")), Dim.symbol(context.freeSize("classes")))
    typealias Names = Learning.Neighbors
    let all = context.parameter(
      Names.samples,
      TensorType(.float32, [count, Dim(columns)]),
      Tensor([samples.count, columns], floats: samples.flatMap { $0 })
    )
    let members = context.parameter(
      Names.members,
      TensorType(.int32, [count]),
      Tensor(.int32, [self.members.count], self.members)
    )
    let names = context.parameter(Names.classes, TensorType(labelType, [kinds]), classes.tensor(of: labelType))
    let wanted = context.parameter(
      Names.neighbors,
      TensorType(.int32, [Dim]()),
      .scalar(.int32, Double(neighborCount))
    )
    let there = try context.reshape(try context.apply(Shape(start: 0, end: 1, dtype: .int32), all), [])
    let found = try nearest(
      try context.converted(row, to: .float64),
      try context.converted(all, to: .float64),
      try context.reshape(try context.apply(Minimum(), wanted, there), [1]),
      in: &context
    )
    let (zero, one) = (context.constant(.scalar(.int32, 0), "zero"), context.constant(.scalar(.int32, 1), "one"))
    let classCount = try context.reshape(try context.apply(Shape(start: 0, end: 1, dtype: .int32), names), [])
    let range = try context.apply(ExpandDims([1]), try context.apply(Range1D(), classCount, zero, one))
    let nearest = try context.apply(Gather(axis: 0), members, found.places)
    let votes = try votes(try weights(found.distances, in: &context), nearest, range, in: &context)
    try answer(votes, names, there, &context)
    try context.learn(self, row, columns)
  }

  /// Label and scores of `votes: fp64[1, classes]`; the default label where there are no samples.
  private func answer(_ votes: ValueID, _ names: ValueID, _ there: ValueID, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let nothing = context.constant(Tensor(.float64, [1, 1], [0]), "nothing")
    // An entry more, which wins where there is no other.
    let best = try context.greatest(try context.results(Concat(axis: 1), [[votes, nothing]])[0])
    let (known, fallback) = (labelForNone != nil, labelForNone ?? (labelType == .string ? .strings([""]) : .integers([0])))
    let more = context.constant(fallback.tensor, "default")
    var label = try context.apply(
      Gather(axis: 0),
      try context.results(Concat(axis: 0), [[names, more]])[0],
      try context.reshape(best, [])
    )
    if !known {
      let some = try context.apply(Greater(), there, context.constant(.scalar(.int32, 0), "none"))
      label = try context.apply(Ensure(), label, some)
    }
    let scores = try context.apply(RealDiv(), votes, try context.apply(ReduceSum(axes: [1], keepDims: true), votes))
    let flat = try context.apply(Squeeze([0]), scores)
    try context.classify(label, keys: names, numbers: flat)
  }

  private var labelType: DType {
    switch model.defaultClassLabel {
    case .defaultStringLabel?: .string
    case .defaultInt64Label?: .int64
    case nil: labels.dtype
    }
  }

  private var labelForNone: ClassLabels? {
    switch model.defaultClassLabel {
    case .defaultStringLabel(let text)?: .strings([text])
    case .defaultInt64Label(let number)?: .integers([number])
    case nil: nil
    }
  }
}

extension PartContext {
  /// What a classifier predicts whose classes are known when it runs.
  fileprivate mutating func classify(_ label: ValueID, keys: ValueID, numbers: ValueID) throws(Diagnostic) {
    for feature in part.description.output {
      if feature.name == part.description.predictedFeatureName {
        try give(label, as: feature)
      } else if feature.name == part.description.predictedProbabilitiesName {
        let names = try apply(Identity(), keys)
        features[feature.name] = .dictionary(keys: names, values: numbers)
      } else {
        throw damaged("coreml.outputs", "'\(feature.name)' is neither the class nor the classes' scores")
      }
    }
  }

  /// The name of a size that nothing has yet; it may be 0.
  fileprivate mutating func freeSize(_ hint: String) -> String {
    let taken = Set(builder.function.inputs.flatMap { fact($0).shape.flatMap { $0.symbols } })
    var name = hint
    while taken.contains(name) { name += "_" }
    builder.function.bounds[name] = 0...Int.max
    return name
  }

  /// Says how the nearest neighbours learn. Throws `coreml.update`.
  fileprivate mutating func learn(_ neighbors: NearestNeighbors, _ row: ValueID, _ columns: Int) throws(Diagnostic) {
    let label = part.description.predictedFeatureName
    let settings = [
      Learning.Setting(.numberOfNeighbors, Double(neighbors.neighborCount), try neighbors.allowedNeighbors(part))
    ]
    let isText = neighbors.isText
    learning = PartLearning(
      learning: Learning(.neighbors(.init(label: label, isText: isText, columns: columns)), settings: settings),
      result: row,
      target: .sample
    )
  }
}

extension NearestNeighbors {
  fileprivate var neighborCount: Int { Int(Int32(clamping: model.numberOfNeighbors.defaultValue)) }
  fileprivate var isText: Bool { labelType == .string }

  fileprivate func allowedNeighbors(_ part: ModelPart) throws(Diagnostic) -> Learning.Setting.Allowed {
    let allowed: Learning.Setting.Allowed
    switch model.numberOfNeighbors.allowedValues {
    case .range(let range)? where range.minValue <= range.maxValue:
      allowed = .range(Double(max(1, range.minValue))...Double(min(Int64(Int32.max), max(1, range.maxValue))))
    case .set(let set)? where !set.values.isEmpty: allowed = .values(Set(set.values).sorted().map { Double($0) })
    default: allowed = .range(1...Double(Int32.max))
    }
    guard allowed.contains(Double(neighborCount)) else {
      let message = "the number of neighbours is \(neighborCount), which it is not allowed to be"
      throw Diagnostic("coreml.update", message, at: Location(file: part.path))
    }
    return allowed
  }
}

extension ClassLabels {
  /// Of a type that none has where there are none.
  fileprivate func tensor(of dtype: DType) -> Tensor {
    count > 0 ? tensor : dtype == .string ? Tensor([0], strings: []) : Tensor(.int64, [0], [Int]())
  }
}
