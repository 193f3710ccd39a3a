import MLCCore
import MLCGraph

extension Function {
  /// How many terms each element of the results of `operation` is summed from; 1 without a sum. Sizes that `sizes` does
  /// not give count as 1.
  package func terms(_ operation: Operation, _ sizes: [String: Int] = [:]) -> Int {
    func extents(_ port: String) -> [Int] {
      guard let value = operation.argument(port) else { return [] }
      return type(value).shape.map { max(1, $0.evaluate(sizes) ?? 1) }
    }
    func product(_ extents: some Sequence<Int>) -> Int {
      extents.reduce(1) { $0.saturatingProduct($1) }
    }
    switch operation.op {
    case is Conv, is ConvInteger: return product(extents("weight").dropFirst())
    case is ConvTranspose:
      let weight = extents("weight")
      return product(weight) / max(1, weight.dropFirst().first ?? 1)
    case is Linear: return extents("weight").last ?? 1
    case let matmul as MatMul:
      let x = extents("x")
      return matmul.transposeX && x.count > 1 ? x[x.count - 2] : x.last ?? 1
    case is any RecurrentLayer: return product(extents("weight_hh").suffix(1)) + product(extents("weight_ih").suffix(1))
    case is ScaledDotProductAttention: return max(extents("query").last ?? 1, extents("key").dropLast().last ?? 1)
    case is Softmax, is LogSoftmax: return extents("x").max() ?? 1
    case let norm as LayerNorm:
      let x = extents("x")
      let axes = norm.axes.map { $0 < 0 ? $0 + x.count : $0 }
      return product(axes.isEmpty ? x : axes.filter(x.indices.contains).map { x[$0] })
    case is InstanceNorm: return product(extents("x").dropFirst(2))
    case is any Reduction:
      let result = type(operation.outputs[0]).shape.map { max(1, $0.evaluate(sizes) ?? 1) }
      return product(extents("x")) / max(1, product(result))
    default: return 1
    }
  }
}
