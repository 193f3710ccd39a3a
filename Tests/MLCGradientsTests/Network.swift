import MLCCore
import MLCGraph
import MLCOps

/// A small network: its layers, and weights that follow from a seed.
struct Network: Sendable {
  let name: String
  let input: [Int]
  let classes: Int
  /// The scores of `x`, `[batch, classes]`; `weight` makes a weight of a shape.
  let scores: @Sendable (inout NetworkBuilder, ValueID) throws(Diagnostic) -> ValueID

  static let all = [convolutional, transformer, recurrent]

  /// Convolution, normalisation by fixed statistics, a pool, a depthwise convolution, the mean of planes, a product.
  static let convolutional = Network(name: "convolutional", input: [2, 3, 8, 8], classes: 3) {
    (b, x) throws(Diagnostic) in
    var first = Conv()
    first.pad = [1, 1, 1, 1]
    var y = try b.apply(first, x, b.weight([4, 3, 3, 3]), b.weight([4]))
    let variance = b.constant(Tensor(.float32, [4], [1.0, 0.5, 2, 1]).converted(to: b.dtype), "variance")
    let mean = b.constant(Tensor(.float32, [4], [0.1, 0, -0.1, 0]).converted(to: b.dtype), "mean")
    y = try b.apply(BatchNorm(), y, mean, variance, b.weight([4]), b.weight([4]))
    var pool = MaxPool()
    (pool.kernelSizes, pool.strides) = ([2, 2], [2, 2])
    y = try b.apply(pool, try b.apply(Silu(), y))
    var depthwise = Conv()
    (depthwise.pad, depthwise.groups, depthwise.strides) = ([1, 1, 1, 1], 4, [2, 2])
    y = try b.apply(Gelu(), try b.apply(depthwise, y, b.weight([4, 1, 3, 3])))
    let planes = try b.apply(ReduceMean(axes: [2, 3]), y)
    return try b.apply(Linear(), planes, b.weight([3, 4]), b.weight([3]))
  }

  /// An embedding whose rows also score, attention of two heads, norms and a feed-forward layer around it.
  static let transformer = Network(name: "transformer", input: [2, 4, 6], classes: 5) { (b, x) throws(Diagnostic) in
    let table = b.weight([5, 6])
    let tokens = b.constant(Tensor(.int32, [2, 4], [0, 3, 1, 3, 4, 0, 0, 2]), "tokens")
    let embedded = try b.apply(Add(), x, try b.apply(Gather(axis: 0), table, tokens))
    var y = try b.apply(LayerNorm(axes: [-1], epsilon: 1e-5), embedded, b.weight([6]), b.weight([6]))
    let shape = b.list([2, 4, 2, 3])
    var heads: [ValueID] = []
    for _ in 0..<3 {
      let projected = try b.apply(Linear(), y, b.weight([6, 6]), b.weight([6]))
      heads.append(try b.apply(Transpose([0, 2, 1, 3]), try b.apply(Reshape(), projected, shape)))
    }
    let attention = try b.append(ScaledDotProductAttention(), heads.map { [$0] })
    let joined = try b.apply(Reshape(), try b.apply(Transpose([0, 2, 1, 3]), attention), b.list([2, 4, 6]))
    y = try b.apply(LayerNorm(axes: [-1], epsilon: 1e-5), try b.apply(Add(), joined, embedded))
    let inner = try b.apply(Gelu(), try b.apply(Linear(), y, b.weight([8, 6]), b.weight([8])))
    y = try b.apply(Add(), y, try b.apply(Linear(), inner, b.weight([6, 8])))
    return try b.apply(MatMul(transposeY: true), try b.element(0, of: y, axis: 1), table)
  }

  /// An LSTM whose last state a GRU's sequence and a product follow.
  static let recurrent = Network(name: "recurrent", input: [4, 2, 3], classes: 2) { (b, x) throws(Diagnostic) in
    var lstm = LSTM()
    lstm.outputSequence = true
    let weights = [b.weight([16, 3]), b.weight([16, 4]), b.weight([16])]
    let y = try b.results(lstm, [[x], [], []] + weights.map { [$0] })[0]
    let h = try b.results(GRU(), [[y], [], [b.weight([9, 4])], [b.weight([9, 3])], [b.weight([9])]])[1]
    return try b.apply(Linear(), h, b.weight([2, 3]), b.weight([2]))
  }
}

/// Appends operations to a network, whose weights are constants or, for slopes, inputs.
struct NetworkBuilder: OperationBuilder {
  private var builder = Builder()
  private var draw: Draw
  let dtype: DType
  let takesWeights: Bool
  private(set) var weights: [Tensor] = []

  init(_ dtype: DType, takesWeights: Bool, seed: UInt64) {
    (self.dtype, self.takesWeights, draw) = (dtype, takesWeights, Draw(seed: seed))
  }

  static func name(_ number: Int) -> String { "weight\(number)" }

  /// A weight of its own, `T[*shape]`.
  mutating func weight(_ shape: [Int]) -> ValueID {
    let tensor = draw.reals(shape, -1...1).converted(to: .float32).converted(to: dtype)
    let name = NetworkBuilder.name(weights.count)
    weights.append(tensor)
    return takesWeights ? builder.input(name, tensor.type) : builder.constant(tensor, name: name)
  }

  /// The function of `network`. Where it takes the weights its output is the mean log-probability of the first class of
  /// each row. With `open` the first extent of its input is an open size.
  static func function(
    _ network: Network,
    _ dtype: DType,
    takesWeights: Bool,
    seed: UInt64,
    open: Bool = false
  ) throws(Diagnostic) -> (function: Function, weights: [Tensor], input: Tensor) {
    var b = NetworkBuilder(dtype, takesWeights: takesWeights, seed: seed)
    let input = b.draw.reals(network.input, -1...1).converted(to: dtype)
    let type = open ? TensorType(dtype, ["batch"] + input.type.shape.dropFirst()) : input.type
    let x = takesWeights ? b.constant(input, "x") : b.builder.input("x", type)
    var y = try network.scores(&b, x)
    if takesWeights {
      y = try b.apply(ReduceMean(axes: []), try b.slice(try b.apply(LogSoftmax(), y), axis: 1, from: 0, to: 1))
    }
    return (b.builder.finish([("scores", y)]), b.weights, input)
  }

  func fact(_ value: ValueID) -> Fact { builder.fact(value) }
  mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try builder.append(op, inputs)[0]
  }
  mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs)
  }
  mutating func list(_ numbers: [Int]) -> ValueID { builder.constant(.shape(numbers)) }
  mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID { builder.constant(tensor, name: suffix) }
}
