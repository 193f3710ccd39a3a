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

  /// What a layer with the convolution `op` gives: the bias, at index `bias` of its weights if it has one, and the activation
  /// follow.
  mutating func convolved(
    _ call: KerasCall,
    _ op: any Operator,
    _ x: ValueID,
    _ weight: ValueID,
    bias index: Int,
    isChannelsFirst: Bool
  ) throws(Diagnostic) -> [KerasTensor] {
    let dtype = fact(x).dtype
    var bias: ValueID?
    if try call.config.bool("use_bias", default: true) { bias = try self.weight(index, dtype, rank: 1) }
    var value: ValueID
    if let bias, dtype.isHalf {
      // Keras rounds the products' sum before it adds the bias.
      let column = try emit(ExpandDims(Array(1..<fact(x).rank - 1)), bias)
      value = try emit(Add(), try emit(op, x, weight), column)
    } else {
      value = try emit(op, x, weight, bias)
    }
    let result = spatialResult(value, isChannelsFirst: isChannelsFirst)
    return [try KerasActivation(call.config, "activation").apply(to: result, in: &self)]
  }
}
