import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// What a conversion works with: the builder, the layer at hand and the values so far.
///
/// Every value of a network is of float32, whatever it means. What a value is exactly, integers or truth, is kept
/// beside it, so that no rounding stands between a layer that makes positions and one that takes them.
struct NNContext: OperationBuilder {
  /// The network among the models of a pipeline.
  var part: PartContext
  let weights: NNWeights
  /// The rank of every value in a network with arrays of the old form, `[Seq, Batch, C, H, W]` or, where the sequence
  /// is 1 throughout, without it; `nil` where shapes are exact.
  let legacyRank: Int?
  /// What custom layers mean.
  var custom: CustomLayers { part.custom }
  /// The layer being converted.
  var layer = NNLayer(.init())
  /// The parameters so far.
  var learnt: [Learning.Weight] = []
  /// How many loops the layer stands in, and how many of these are written out round by round.
  var loops = 0, unrolled = 0
  /// How many layers were converted in rounds that are written out, those of attempts included.
  var copies = 0
  /// Values by the network's names.
  var values: [String: ValueID] = [:]
  private var exact: [ValueID: ValueID] = [:]

  init(part: PartContext, weights: NNWeights, legacyRank: Int?) {
    (self.part, self.weights, self.legacyRank) = (part, weights, legacyRank)
  }

  var builder: Builder {
    get { part.builder }
    _modify { yield &part.builder }
  }

  var origin: Location { Location(file: part.part.path, node: layer.name, op: layer.kind) }
  func fact(_ value: ValueID) -> Fact { builder.fact(value) }
  func rank(_ value: ValueID) -> Int { fact(value).rank }
  func shape(_ value: ValueID) -> [Dim] { fact(value).shape }

  // MARK: Arguments

  var inputCount: Int { layer.spec.input.count }

  /// Input `index` of the layer. Throws `coreml.parameter` when there is none, `coreml.undefined-value`.
  func input(_ index: Int = 0) throws(Diagnostic) -> ValueID {
    guard layer.spec.input.indices.contains(index) else { throw NNContext.wrong("input \(index) is missing") }
    let name = layer.spec.input[index]
    guard let value = values[name] else {
      throw Diagnostic("coreml.undefined-value", "'\(name)' is not defined before it is used")
    }
    return value
  }

  /// Every input of the layer, at least `count`.
  func inputs(atLeast count: Int = 1) throws(Diagnostic) -> [ValueID] {
    var result: [ValueID] = []
    for index in 0..<max(count, inputCount) { result.append(try input(index)) }
    return result
  }

  /// Input `index`, which has at least `rank` axes.
  func input(_ index: Int = 0, rank least: Int) throws(Diagnostic) -> ValueID {
    let value = try input(index)
    guard rank(value) >= least else {
      throw NNContext.wrong("input \(index) is \(fact(value).type); \(least) axes are needed")
    }
    return value
  }

  static func wrong(_ message: String) -> Diagnostic { Diagnostic("coreml.parameter", message) }
  static func unsupported(_ message: String) -> Diagnostic {
    Diagnostic("coreml.parameter", message, kind: .unsupported)
  }

  // MARK: Results

  /// Appends an operation named after the layer. Each argument is one value or none.
  mutating func emit(_ op: any Operator, _ inputs: ValueID?...) throws(Diagnostic) -> ValueID {
    try emit(op, all: inputs.map { $0.map { [$0] } ?? [] })[0]
  }

  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try emit(op, all: inputs)[0]
  }

  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try emit(op, all: inputs)
  }

  /// Appends an operation with variadic arguments or several outputs.
  mutating func emit(_ op: any Operator, all inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, names: ["\(layer.name).\(type(of: op).name)"], origin: origin)
  }

  mutating func constant(_ tensor: Tensor, _ suffix: String = "const") -> ValueID {
    builder.constant(tensor, name: "\(layer.name).\(suffix)", origin: origin)
  }
  mutating func scalar(_ number: Double) -> ValueID { constant(Tensor.scalar(.float32, number)) }
  /// What is beyond 32 bits becomes the nearest that is not.
  mutating func list(_ numbers: [Int]) -> ValueID {
    constant(Tensor(.int32, [numbers.count], numbers.map { Int(Int32(clamping: $0)) }))
  }

  // MARK: What floats stand for

  /// Integers or truth values as a value of the network.
  mutating func number(_ value: ValueID) throws(Diagnostic) -> ValueID {
    let result = try emit(Cast(.float32), value)
    exact[result] = value
    return result
  }

  /// The integers that a value of the network stands for.
  mutating func integers(_ value: ValueID) throws(Diagnostic) -> ValueID {
    if let known = exact[value], fact(known).dtype.isInteger { return known }
    return try emit(Cast(.int32), value)
  }

  /// Where a value of the network is not 0.
  mutating func truth(_ value: ValueID) throws(Diagnostic) -> ValueID {
    if let known = exact[value], fact(known).dtype == .bool { return known }
    return try emit(NotEqual(), value, scalar(0))
  }
}
