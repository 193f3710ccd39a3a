import CoreMLProto
import MLCCore
import MLCGraph

/// The description of a package's inputs and outputs.
enum Interface {
  static func inputs(_ source: Function, _ function: Function, _ names: [ValueID: String], _ report: inout CoreMLReport)
    -> [MLFeature]
  {
    var features: [MLFeature] = []
    for (place, (old, new)) in zip(source.inputs, function.inputs).enumerated()
    where !function.states.contains(where: { $0.input == place }) {
      let name = source[old].name
      let type = function.type(new)
      var feature = feature(names[new]!, user: name, type, "input", &report)
      if type.dtype != .string {
        setShape(name, type.shape, source, &feature.type.multiArrayType, &report)
        refuseUnbounded(name, feature.type.multiArrayType, &report)
      }
      feature.describe(source.features.inputs.first { $0.name == name }, rank: type.rank)
      features.append(feature)
    }
    return features
  }

  /// More shapes than this Core ML does not take for one input.
  private static let mostShapes = 128

  /// The extents, and what open ones can be: the shapes where the model enumerates them all, else ranges of the axes.
  private static func setShape(
    _ name: String,
    _ shape: [Dim],
    _ source: Function,
    _ array: inout CoreML_Specification_ArrayFeatureType,
    _ report: inout CoreMLReport
  ) {
    let symbols = Set(shape.flatMap(\.symbols))
    let lists = source.enumerations.filter { !symbols.isDisjoint(with: $0.symbols) }
    if let shapes = shapes(shape, lists) {
      array.shape = shapes[0]
      for shape in shapes {
        var choice = CoreML_Specification_ArrayFeatureType.Shape()
        choice.shape = shape
        array.enumeratedShapes.shapes.append(choice)
      }
      return
    }
    var bounds = source.bounds
    for list in lists {
      for (place, symbol) in list.symbols.enumerated() {
        let sizes = list.choices.map { $0[place] }
        bounds[symbol] = sizes.min()!...sizes.max()!
      }
    }
    array.shape = shape.map { Int64($0.constant ?? Int(range($0, bounds).lowerBound)) }
    if symbols.isEmpty { return }
    array.shapeRange.sizeRanges = shape.map { range($0, bounds) }
    if lists.isEmpty { return }
    report.note(
      "input \(name.shown()): Core ML takes at most \(mostShapes) shapes, or a range for each axis, not both; each "
        + "size that is one of several became a range from the least to the greatest, and the package takes what lies "
        + "between"
    )
  }

  /// Every shape that `lists` allow, the default first; `nil` where something is open besides, or there are too many.
  private static func shapes(_ shape: [Dim], _ lists: [SizeEnumeration]) -> [[Int64]]? {
    let symbols = Set(shape.compactMap(\.symbol))
    let listed = Set(lists.flatMap(\.symbols))
    guard !lists.isEmpty, shape.allSatisfy({ $0.constant != nil || $0.symbol.map(listed.contains) == true }) else {
      return nil
    }
    var sizes: [[String: Int]] = [[:]]
    for list in lists {
      var choices: [[String: Int]] = []
      for choice in list.choices {
        let seen = zip(list.symbols, choice).filter { symbols.contains($0.0) }
        let numbers = Dictionary(uniqueKeysWithValues: seen)
        if !choices.contains(numbers) { choices.append(numbers) }
      }
      if choices.count > mostShapes / sizes.count { return nil }
      sizes = sizes.flatMap { some in choices.map { some.merging($0) { one, _ in one } } }
    }
    return sizes.map { sizes in shape.map { Int64($0.constant ?? sizes[$0.symbol!]!) } }
  }

  /// ML Programs have no open sizes without an end, and either a list of shapes or ranges.
  private static func refuseUnbounded(
    _ name: String,
    _ array: CoreML_Specification_ArrayFeatureType,
    _ report: inout CoreMLReport
  ) {
    let ranges = array.shapeRange.sizeRanges
    guard ranges.contains(where: { $0.upperBound < 0 }) else { return }
    let extents = ranges.map { range in
      if range.upperBound < 0 { return "\(range.lowerBound)..1024" }
      return Int64(range.lowerBound) == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
    }
    report.refuse(
      "input",
      node: name,
      "an open size needs an upper bound",
      advice: "bound it, as in --input '\(name)=\(extents.joined(separator: ","))'"
    )
  }

  static func states(_ function: Function, _ written: MILFunction) -> [MLFeature] {
    function.states.map { state in
      let type = function.type(function.inputs[state.input])
      var feature = MLFeature()
      feature.name = written.inputs[state.input].name
      feature.type.stateType.arrayType.dataType = type.dtype == .float16 ? .float16 : .float32
      feature.type.stateType.arrayType.shape = type.shape.map { Int64($0.constant ?? 1) }
      return feature
    }
  }

  static func outputs(
    _ source: Function,
    _ function: Function,
    _ names: [ValueID: String],
    _ report: inout CoreMLReport
  )
    -> [MLFeature]
  {
    var features: [MLFeature] = []
    for (place, (name, id)) in zip(source.outputNames, function.outputs).enumerated()
    where !function.states.contains(where: { $0.output == place }) {
      let type = function.type(id)
      var feature = feature(names[id]!, user: name, type, "output", &report)
      if type.dtype != .string, let shape = type.staticShape {
        feature.type.multiArrayType.shape = shape.map { Int64($0) }
      }
      feature.describe(source.features.outputs.first { $0.name == name }, rank: type.rank)
      features.append(feature)
    }
    return features
  }

  private static func feature(
    _ name: String,
    user: String,
    _ type: TensorType,
    _ kind: String,
    _ report: inout CoreMLReport
  ) -> MLFeature {
    var feature = MLFeature()
    feature.name = name
    if user != name { feature.shortDescription = "'\(user)' in the source model" }
    if type.rank == 0 || type.rank > 5 {
      report.refuse(kind, node: user, "an \(kind) must have 1 to 5 axes", advice: "reshape it in the source model")
    }
    switch type.dtype {
    case .string:
      feature.type.stringType = .init()
      report.refuse(
        kind,
        node: user,
        "tensors of strings cannot be an \(kind)",
        advice: "map strings to numbers outside"
      )
    case .float16: feature.type.multiArrayType.dataType = .float16
    case .float64: feature.type.multiArrayType.dataType = .double
    case .int32: feature.type.multiArrayType.dataType = .int32
    default: feature.type.multiArrayType.dataType = .float32
    }
    return feature
  }

  private static func range(_ extent: Dim, _ bounds: [String: ClosedRange<Int>]) -> CoreML_Specification_SizeRange {
    var range = CoreML_Specification_SizeRange()
    if let size = extent.constant {
      (range.lowerBound, range.upperBound) = (UInt64(max(0, size)), Int64(size))
    } else if let symbol = extent.symbol, let bound = bounds[symbol] {
      range.lowerBound = UInt64(max(0, bound.lowerBound))
      range.upperBound = bound.upperBound == Int.max ? -1 : Int64(bound.upperBound)
    } else {
      (range.lowerBound, range.upperBound) = (1, -1)
    }
    return range
  }
}
