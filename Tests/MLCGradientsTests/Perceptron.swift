import Glibc
import MLCCore
import MLCGraph
import MLCOps

/// A network of two layers, `softmax(tanh(x·W₁ᵀ + b₁)·W₂ᵀ + b₂)`, as a function and as plain numbers.
struct Perceptron {
  let inputs: Int, hidden: Int, classes: Int
  /// W₁, b₁, W₂, b₂.
  var weights: [[Double]]
  static let names = ["w1", "b1", "w2", "b2"]

  init(inputs: Int, hidden: Int, classes: Int, _ draw: inout Draw) {
    (self.inputs, self.hidden, self.classes) = (inputs, hidden, classes)
    weights = [hidden * inputs, hidden, classes * hidden, classes].map { count in
      draw.reals([count], -1...1).converted(to: .float32).doubles
    }
  }

  func function(batch: Int) throws(Diagnostic) -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [batch, inputs]))
    let shapes = [[hidden, inputs], [hidden], [classes, hidden], [classes]]
    let values = weights.indices.map {
      builder.constant(Tensor(.float32, shapes[$0], weights[$0]), name: Perceptron.names[$0])
    }
    let layer = try builder(Tanh(), try builder(Linear(), x, values[0], values[1]))
    let scores = try builder(Linear(), layer, values[2], values[3])
    return builder.finish([("probabilities", try builder(Softmax(), scores, origin: Location(node: "last")))])
  }

  /// The mean cross-entropy of the rows of `x` and their classes, and its gradient by each weight.
  func loss(_ x: [Double], _ labels: [Int]) -> (loss: Double, gradients: [[Double]]) {
    var gradients = weights.map { $0.map { _ in 0.0 } }
    var loss = 0.0
    for (row, label) in labels.enumerated() {
      let data = Array(x[row * inputs..<(row + 1) * inputs])
      let layer = (0..<hidden).map { j in
        tanh(weights[1][j] + (0..<inputs).reduce(0) { $0 + weights[0][j * inputs + $1] * data[$1] })
      }
      let scores = (0..<classes).map { k in
        weights[3][k] + (0..<hidden).reduce(0) { $0 + weights[2][k * hidden + $1] * layer[$1] }
      }
      let total = scores.reduce(0) { $0 + exp($1) }
      loss -= scores[label] - log(total)
      let errors = (0..<classes).map { (exp(scores[$0]) / total - ($0 == label ? 1 : 0)) / Double(labels.count) }
      for k in 0..<classes {
        gradients[3][k] += errors[k]
        for j in 0..<hidden { gradients[2][k * hidden + j] += errors[k] * layer[j] }
      }
      for j in 0..<hidden {
        let sum = (0..<classes).reduce(0) { $0 + errors[$1] * weights[2][$1 * hidden + j] }
        let slope = sum * (1 - layer[j] * layer[j])
        gradients[1][j] += slope
        for i in 0..<inputs { gradients[0][j * inputs + i] += slope * data[i] }
      }
    }
    return (loss / Double(labels.count), gradients)
  }
}
