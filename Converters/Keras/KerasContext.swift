import MLCCore
import MLCGraph
import MLCOps

/// What a conversion works with: the builder, the layer at hand and the model's weights.
package struct KerasContext: Sendable {
  package var builder: Builder
  package let file: String
  package let isKeras2: Bool
  private let weights: KerasWeights
  /// The layer being converted.
  var layer: KerasLayerNode
  /// Layers called so far; a bound on what models within models may unfold to.
  var calls = 0
  static let maximumCalls = 100_000

  /// Values in the other order of axes, and constants of weights: each is made once.
  private var reordered: [KerasTensor: ValueID] = [:]
  private var constants: [String: ValueID] = [:]

  init(builder: Builder, file: String, isKeras2: Bool, weights: KerasWeights, layer: KerasLayerNode) {
    (self.builder, self.file, self.isKeras2) = (builder, file, isKeras2)
    (self.weights, self.layer) = (weights, layer)
  }

  package var origin: Location { Location(file: file, node: layer.path, op: layer.className) }
  package func fact(_ value: ValueID) -> Fact { builder.fact(value) }
  package func rank(_ tensor: KerasTensor) -> Int { fact(tensor.value).rank }

  /// The shape as Keras sees it.
  package func shape(_ tensor: KerasTensor) -> [Dim] {
    let shape = fact(tensor.value).shape
    return tensor.isChannelsFirst ? [shape[0]] + shape[2...] + [shape[1]] : shape
  }

  // MARK: Constants

  package mutating func constant(_ tensor: Tensor, _ suffix: String = "const") -> ValueID {
    builder.constant(tensor, name: "\(layer.path).\(suffix)", origin: origin)
  }
  /// A rank-1 constant.
  package mutating func constant(ints values: [Int], _ suffix: String = "const") -> ValueID {
    constant(Tensor(.int32, [values.count], values), suffix)
  }
  /// A number of the element type of `value`.
  package mutating func scalar(_ number: Double, like value: ValueID) -> ValueID {
    constant(Tensor.scalar(fact(value).dtype, number))
  }

  // MARK: Order of axes

  /// The value with the axes as Keras has them.
  package mutating func plain(_ tensor: KerasTensor) throws(Diagnostic) -> ValueID {
    guard tensor.isChannelsFirst else { return tensor.value }
    return try reorder(tensor, [0] + Array(2..<rank(tensor)) + [1])
  }

  /// The value with the last axis behind the first.
  package mutating func channelsFirst(_ tensor: KerasTensor) throws(Diagnostic) -> ValueID {
    let rank = rank(tensor)
    if tensor.isChannelsFirst || rank < 3 { return tensor.value }
    return try reorder(tensor, [0, rank - 1] + Array(1..<rank - 1))
  }

  private mutating func reorder(_ tensor: KerasTensor, _ order: [Int]) throws(Diagnostic) -> ValueID {
    let key = KerasTensor(tensor.value, isChannelsFirst: tensor.isChannelsFirst)
    if let known = reordered[key] { return known }
    let result = try emit(Transpose(order), tensor.value)
    reordered[key] = result
    return result
  }

  /// Applies an operation on each element, in whatever order they are.
  package mutating func elementwise(_ op: any Operator, _ tensor: KerasTensor) throws(Diagnostic) -> KerasTensor {
    var result = tensor
    result.value = try emit(op, tensor.value)
    return result
  }

  /// `axis` of Keras, negative from the end, as it stands in `tensor`. Throws `keras.axis`.
  package func physicalAxis(_ axis: Int, _ tensor: KerasTensor) throws(Diagnostic) -> Int {
    let axis = try self.axis(axis, tensor)
    guard tensor.isChannelsFirst, axis > 0 else { return axis }
    return axis == rank(tensor) - 1 ? 1 : axis + 1
  }

  /// `axis` of Keras from the front. Throws `keras.axis`.
  package func axis(_ axis: Int, _ tensor: KerasTensor) throws(Diagnostic) -> Int {
    let rank = rank(tensor)
    guard (-rank..<rank).contains(axis) else {
      throw Diagnostic("keras.axis", "the axis \(axis) does not exist in \(fact(tensor.value).type)")
    }
    return axis < 0 ? axis + rank : axis
  }

  // MARK: Types and weights

  /// The tensor in the type that the layer computes in, if it is floating point.
  package mutating func casting(_ tensor: KerasTensor) throws(Diagnostic) -> KerasTensor {
    let (dtype, wanted) = (fact(tensor.value).dtype, try layer.config.computeType())
    guard dtype.isFloat, wanted.isFloat, dtype != wanted else { return tensor }
    return try elementwise(Cast(wanted), tensor)
  }

  /// Weight `index` of the layer as the file holds it. Throws `keras.weights` unless it has `rank` axes.
  package func tensor(_ index: Int, rank: Int? = nil) throws(Diagnostic) -> Tensor {
    let all = weights[layer.id]
    guard index < all.count else { throw Diagnostic("keras.weights", "the layer has no weight \(index)") }
    guard rank == nil || all[index].rank == rank else {
      throw Diagnostic("keras.weights", "weight \(index) is \(all[index].type), which is not of rank \(rank ?? 0)")
    }
    return all[index]
  }

  /// Weight `index` as a constant of `dtype`.
  package mutating func weight(_ index: Int, _ dtype: DType, rank: Int? = nil) throws(Diagnostic) -> ValueID {
    let tensor = try tensor(index, rank: rank)
    let names = try layer.type?.weights(layer.config) ?? []
    let name = index < names.count ? names[index].name : "weight\(index)"
    return try shared("\(layer.id).\(index).\(dtype.rawValue)") { (context) throws(Diagnostic) in
      context.constant(tensor.converted(to: dtype), name)
    }
  }

  /// The value that `make` gives, made once for `key`: calls of a shared layer share it.
  package mutating func shared(
    _ key: String,
    _ make: (inout KerasContext) throws(Diagnostic) -> ValueID
  ) throws(Diagnostic) -> ValueID {
    if let known = constants[key] { return known }
    let made = try make(&self)
    constants[key] = made
    return made
  }

  /// `shared` for what is made of this layer's weights.
  package mutating func prepared(
    _ name: String,
    _ dtype: DType,
    _ make: (inout KerasContext) throws(Diagnostic) -> ValueID
  ) throws(Diagnostic) -> ValueID {
    try shared("\(layer.id):\(name):\(dtype.rawValue)", make)
  }
}
