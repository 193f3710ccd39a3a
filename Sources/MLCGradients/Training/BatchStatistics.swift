import MLCCore
import MLCGraph
import MLCOps

/// How `batch_norm` is trained: by mean and variance of the batch, with running ones beside for predictions.
///
/// `r ← μ·r + (1 − μ)·b` for what the batch has, b, μ being `normMomentum`. Source: Ioffe, Szegedy, "Batch
/// normalization: accelerating deep network training by reducing internal covariate shift", ICML 2015, algorithm 2.
package enum BatchStatistics: String, Sendable, CaseIterable {
  /// Running variances are of the batch's, `1/n · Σ (x − mean)²`, as in Keras.
  case biased
  /// Running variances estimate that of all data: `1/(n − 1) · Σ (x − mean)²`, as in PyTorch.
  case unbiased

  package static let momentum = Hyperparameter("normMomentum", 0.9, 0...1)
}

/// A function whose trained normalisations take the statistics of the batch.
struct BatchNormalized {
  /// A constant of the function that predictions take, and what the batch has instead.
  struct Running {
    let name: String
    let initial: Tensor
    let batch: ValueID
  }

  private(set) var function: Function
  private(set) var running: [Running] = []

  /// Normalisations are trained whose gamma or beta is one of `trained`, or one of them in another type.
  init(_ function: Function, _ trained: Set<ValueID>, _ kind: BatchStatistics) throws(Diagnostic) {
    var writer = GraphWriter(function)
    var learned = trained
    for operation in function.body.operations {
      if operation.op is Cast || operation.op is Identity, learned.contains(operation.inputs[0][0]) {
        learned.formUnion(operation.outputs)
      }
      var operation = operation
      let affine = operation.arguments("gamma") + operation.arguments("beta")
      if operation.op is BatchNorm, affine.contains(where: learned.contains) {
        writer.origin = operation.origin
        let batch = try writer.statistics(of: operation.inputs[0][0], kind)
        for (port, value) in [(1, batch.mean), (2, batch.running)] {
          let constant = operation.inputs[port][0]
          guard let initial = function.fact(constant).value?.converted(to: .float32) else { continue }
          running.append(Running(name: function[constant].name, initial: initial, batch: value))
        }
        (operation.inputs[1], operation.inputs[2]) = ([batch.mean], [batch.variance])
      }
      try writer.keep(operation, isChanged: false)
    }
    let outputs = zip(function.outputNames, function.outputs) + running.map { ($0.name, $0.batch) }
    self.function = writer.finished(outputs.map { (name: $0.0, value: $0.1) })
  }
}

extension GraphWriter {
  /// Mean and variance of the channels of `x: T[N, C, *D]`, `float[C]`, and the variance that running ones take.
  fileprivate mutating func statistics(of x: ValueID, _ kind: BatchStatistics) throws(Diagnostic)
    -> (mean: ValueID, variance: ValueID, running: ValueID)
  {
    let axes = (0..<fact(x).rank).filter { $0 != 1 }
    let data = try widened(x)
    let mean = try apply(ReduceMean(axes: axes, keepDims: true), data)
    let squares = try value((.value(data) - .value(mean)).squared)
    let variance = try apply(ReduceMean(axes: axes), squares)
    let channels = try apply(Squeeze(axes), mean)
    if kind == .biased { return (channels, variance, variance) }
    switch try count(of: data, axes) {
    case .number(let count):
      return (channels, variance, try scaled(variance, by: count / max(1, count - 1)))
    case let count:
      let others = Formula.result(Maximum(), [count - 1, 1])
      return (channels, variance, try value(.value(variance) * count / others))
    }
  }
}
