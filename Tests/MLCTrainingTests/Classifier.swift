import Glibc
import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps

/// `softmax(tanh(x·W₁ᵀ + b₁)·W₂ᵀ + b₂)` of four numbers for three classes, as a function and as plain numbers.
struct Classifier {
  static let inputs = 4, hidden = 5, classes = 3
  static let names = ["w1", "b1", "w2", "b2"]
  /// W₁, b₁, W₂, b₂.
  var weights: [[Double]]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let counts = [Self.hidden * Self.inputs, Self.hidden, Self.classes * Self.hidden, Self.classes]
    weights = counts.map { count in (0..<count).map { _ in Double(Float(generator.normal() / 2)) } }
  }

  /// `batch` is a number or the name of an open size.
  func function(batch: Dim) throws(Diagnostic) -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [batch, Dim(Self.inputs)]))
    let shapes = [[Self.hidden, Self.inputs], [Self.hidden], [Self.classes, Self.hidden], [Self.classes]]
    let values = weights.indices.map {
      builder.constant(Tensor(.float32, shapes[$0], weights[$0]), name: Self.names[$0])
    }
    let layer = try builder(Tanh(), try builder(Linear(), x, values[0], values[1]))
    let scores = try builder(Linear(), layer, values[2], values[3])
    return builder.finish([("p", try builder(Softmax(), scores))])
  }

  /// One step of plain descent; the loss before it.
  mutating func step(_ rows: [[Double]], _ labels: [Int], rate: Double) -> Double {
    var gradients = weights.map { $0.map { _ in 0.0 } }
    var loss = 0.0
    for (row, label) in zip(rows, labels) {
      let layer = layer(row)
      let scores = scores(layer)
      let total = scores.reduce(0) { $0 + exp($1) }
      loss -= scores[label] - log(total)
      let errors = (0..<Self.classes).map { (exp(scores[$0]) / total - ($0 == label ? 1 : 0)) / Double(rows.count) }
      for k in 0..<Self.classes {
        gradients[3][k] += errors[k]
        for j in 0..<Self.hidden { gradients[2][k * Self.hidden + j] += errors[k] * layer[j] }
      }
      for j in 0..<Self.hidden {
        let sum = (0..<Self.classes).reduce(0) { $0 + errors[$1] * weights[2][$1 * Self.hidden + j] }
        let slope = sum * (1 - layer[j] * layer[j])
        gradients[1][j] += slope
        for i in 0..<Self.inputs { gradients[0][j * Self.inputs + i] += slope * row[i] }
      }
    }
    for w in weights.indices { for i in weights[w].indices { weights[w][i] -= rate * gradients[w][i] } }
    return loss / Double(rows.count)
  }

  /// The mean loss over examples.
  func loss(_ rows: [[Double]], _ labels: [Int]) -> Double {
    zip(rows, labels).reduce(0) { sum, example in
      let scores = scores(layer(example.0))
      return sum + log(scores.reduce(0) { $0 + exp($1) }) - scores[example.1]
    } / Double(rows.count)
  }

  private func layer(_ row: [Double]) -> [Double] {
    (0..<Self.hidden).map { j in
      tanh(weights[1][j] + (0..<Self.inputs).reduce(0) { $0 + weights[0][j * Self.inputs + $1] * row[$1] })
    }
  }
  private func scores(_ layer: [Double]) -> [Double] {
    (0..<Self.classes).map { k in
      weights[3][k] + (0..<Self.hidden).reduce(0) { $0 + weights[2][k * Self.hidden + $1] * layer[$1] }
    }
  }

  /// Examples whose class is the largest of the first three numbers.
  static func examples(_ count: Int, seed: UInt64) -> [(name: String, tensor: Tensor)] {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<count).map { _ in (0..<inputs).map { _ in Double(Float(generator.normal())) } }
    let labels = rows.map { row in (0..<classes).max { row[$0] < row[$1] }! }
    return [
      ("x", Tensor(.float32, [count, inputs], rows.flatMap { $0 })), ("target", Tensor(.int64, [count], labels)),
    ]
  }
}
