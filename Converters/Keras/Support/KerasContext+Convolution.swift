import MLCCore
import MLCGraph
import MLCOps

extension KerasContext {
  /// The kernel of a convolution, weight `index` `[*K, A, B]` of the layer, as `[B, A, *K]`. Throws `keras.weights`.
  mutating func convolutionKernel(_ index: Int, _ dtype: DType, rank: Int) throws(Diagnostic) -> ValueID {
    try prepared("kernel\(index)", dtype) { (context) throws(Diagnostic) in
      let order = [rank + 1, rank] + Array(0..<rank)
      return try context.emit(Transpose(order), try context.weight(index, dtype, rank: rank + 2))
    }
  }

  /// A convolution of `x`, whose channels are behind the batch, by weight `index` `[*K, …]` of the layer, with the
  /// window that `config` has. Throws `keras.weights`, `keras.config`, `keras.padding`.
  func convolution(_ config: KerasConfig, _ index: Int, _ x: ValueID, rank: Int) throws(Diagnostic) -> Conv {
    let kernel = Array(try tensor(index, rank: rank + 2).shape.prefix(rank))
    var window = try KerasWindow(config, rank: rank, kernel: kernel)
    try window.settle("conv", kernel: kernel.map { Dim($0) }, input: Array(fact(x).shape[2...]))
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.padType) = (window.strides, window.dilations, window.pad, window.padType)
    return op
  }

  /// What a layer with the convolution `op` gives: the bias, at index `bias` of its weights if it has one, and the
  /// activation follow.
  mutating func convolved(
    _ call: KerasCall,
    _ op: any Operator,
    _ x: ValueID,
    _ weight: ValueID,
    bias index: Int,
    isChannelsFirst: Bool
  ) throws(Diagnostic) -> [KerasTensor] {
    let value = try biased(call, op, x, weight, bias: index)
    let result = spatialResult(value, isChannelsFirst: isChannelsFirst)
    return [try KerasActivation(call.config, "activation").apply(to: result, in: &self)]
  }

  /// The convolution `op` and the bias, at index `bias` of the layer's weights if it has one.
  mutating func biased(
    _ call: KerasCall,
    _ op: any Operator,
    _ x: ValueID,
    _ weight: ValueID,
    bias index: Int
  ) throws(Diagnostic) -> ValueID {
    let dtype = fact(x).dtype
    var bias: ValueID?
    if try call.config.bool("use_bias", default: true) { bias = try self.weight(index, dtype, rank: 1) }
    guard let bias, dtype.isHalf else { return try emit(op, x, weight, bias) }
    // Keras rounds the products' sum before it adds the bias.
    let column = try emit(ExpandDims(Array(1..<fact(x).rank - 1)), bias)
    return try emit(Add(), try emit(op, x, weight), column)
  }
}
