import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps

/// A network of drawn layers: products or convolutions, each with an activation or a norm behind it, some added to
/// what went in; and examples for it.
struct DrawnNetwork {
  let function: Function
  let archive: [(name: String, tensor: Tensor)]

  private static let activations: [any Operator] = [
    Gelu(), Silu(), Tanh(), Relu(), Softplus(), Sigmoid(), Erf(), Softmax(), LayerNorm(axes: [-1], epsilon: 1e-3),
  ]

  init(seed: UInt64, batch: Dim) throws {
    var random = SeededGenerator(seed: seed)
    let (width, examples) = (Int.random(in: 3...40, using: &random), 32)
    let isConvolutional = Bool.random(using: &random)
    let shape = isConvolutional ? [width, 7, 6] : [width]
    func tensor(_ shape: [Int], _ scale: Double) -> Tensor {
      let count = shape.reduce(1, *)
      return Tensor(.float32, shape, (0..<count).map { _ in Double(Float(random.normal() * scale)) })
    }
    var b = Builder()
    var y = b.input("x", TensorType(.float32, [batch] + shape.map { Dim($0) }))
    for layer in 0..<Int.random(in: 3...7, using: &random) {
      let weight = tensor([width, width] + (isConvolutional ? [3, 3] : []), isConvolutional ? 0.1 : 0.3)
      let scale = b.constant(weight, name: "w\(layer)")
      let bias = b.constant(tensor([width], 0.1), name: "b\(layer)")
      var conv = Conv()
      conv.pad = [1, 1, 1, 1]
      let product = isConvolutional ? try b(conv, y, scale, bias) : try b(Linear(), y, scale, bias)
      let activation = Self.activations.randomElement(using: &random) ?? Relu()
      let next = try b(activation, product)
      y = Bool.random(using: &random) ? try b(Add(), y, next) : next
    }
    if isConvolutional { y = try b(ReduceMean(axes: [2, 3]), y) }
    function = b.finish([("p", try b(Softmax(), y))])
    let labels = (0..<examples).map { _ in Double(Int.random(in: 0..<width, using: &random)) }
    archive = [("x", tensor([examples] + shape, 1)), ("target", Tensor(.int64, [examples], labels))]
  }
}
