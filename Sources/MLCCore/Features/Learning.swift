/// How a compiled model learns from examples where it runs.
///
/// What it learns are parameters: inputs of its first function that the package holds, not the caller. A network's are
/// changed by two functions that only updates call, `gradients` and `step`; to nearest neighbours samples are added,
/// whose rows the function `features` computes.
package struct Learning: Hashable, Sendable {
  package enum Method: Hashable, Sendable {
    case network(Network)
    case neighbors(Neighbors)
  }

  package var method: Method
  package var settings: [Setting]

  package init(_ method: Method, settings: [Setting]) { (self.method, self.settings) = (method, settings) }

  /// The functions of a package that only updates call.
  package static let (gradients, step, features) = ("learning-gradients", "learning-step", "learning-features")

  package static let allFunctions: Set = [gradients, step, features]

  package var functions: [String] {
    if case .network = method { [Learning.gradients, Learning.step] } else { [Learning.features] }
  }

  package func setting(_ key: Setting.Key) -> Setting? { settings.first { $0.key == key } }
}

extension Learning {
  /// A number that an update is made with, within what the model allows.
  package struct Setting: Hashable, Sendable {
    /// Named as Core ML's `MLParameterKey` are.
    package enum Key: String, Hashable, Sendable, CaseIterable {
      case learningRate, momentum, beta1, beta2, eps, miniBatchSize, epochs, shuffle, seed, numberOfNeighbors
    }

    package enum Allowed: Hashable, Sendable, CustomStringConvertible {
      case range(ClosedRange<Double>)
      /// Not empty, in rising order.
      case values([Double])

      package func contains(_ value: Double) -> Bool {
        switch self {
        case .range(let range): range.contains(value)
        case .values(let values): values.contains(value)
        }
      }

      /// `0…0.5`, or `1, 4, 7`.
      package var description: String {
        switch self {
        case .range(let range): "\(Setting.spelled(range.lowerBound))…\(Setting.spelled(range.upperBound))"
        case .values(let values): values.map { Setting.spelled($0) }.joined(separator: ", ")
        }
      }
    }

    package var key: Key
    package var value: Double
    package var allowed: Allowed

    package init(_ key: Key, _ value: Double, _ allowed: Allowed) {
      (self.key, self.value, self.allowed) = (key, value, allowed)
    }

    /// Without a fraction where there is none, and the greatest number that there is as `∞`.
    package static func spelled(_ value: Double) -> String {
      guard let whole = Int(exactly: value) else { return value == .greatestFiniteMagnitude ? "∞" : "\(value)" }
      return "\(whole)"
    }
  }

  /// Weights that become better by their gradients.
  ///
  /// `gradients` takes an example, the weights in their order and sums of gradients in the same order; it gives the
  /// loss and the sums with this example's. `step` takes how many examples there were, the settings that the optimizer
  /// has in its order, the weights, the optimizer's moments, which begin with zeros, and the sums; it gives the weights
  /// and the moments.
  package struct Network: Hashable, Sendable {
    package enum Loss: String, Hashable, Sendable { case crossEntropy, binaryCrossEntropy, meanSquaredError }
    package enum Optimizer: String, Hashable, Sendable {
      case sgd, adam, adamw

      /// The settings that a step takes, in its order.
      package var settings: [Setting.Key] {
        switch self {
        case .sgd: [.learningRate, .momentum]
        case .adam, .adamw: [.learningRate, .beta1, .beta2, .eps]
        }
      }
    }

    package var loss: Loss
    package var optimizer: Optimizer
    /// The input of `gradients` that an example's target is.
    package var target: String
    package var weights: [Weight]

    package init(_ loss: Loss, _ optimizer: Optimizer, target: String, weights: [Weight]) {
      (self.loss, self.optimizer, self.target, self.weights) = (loss, optimizer, target, weights)
    }
  }

  /// A parameter, and what of a layer it is.
  package struct Weight: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable { case weights, biases }

    package var parameter: String, layer: String, role: Role

    package init(_ parameter: String, layer: String, _ role: Role) {
      (self.parameter, self.layer, self.role) = (parameter, layer, role)
    }
  }

  /// Samples that a nearest-neighbour classifier compares with.
  ///
  /// The parameters are `samples: fp32[n, columns]`, `classes: K[c]`, the distinct labels in rising order, `members:
  /// int32[n]`, which of them each sample has, and `neighbors: int32[]`, how many count. `features` takes the inputs
  /// of the first function and gives a row, `fp32[1, columns]`.
  package struct Neighbors: Hashable, Sendable {
    /// What holds an example's label in training data.
    package var label: String
    package var isText: Bool
    package var columns: Int

    package init(label: String, isText: Bool, columns: Int) {
      (self.label, self.isText, self.columns) = (label, isText, columns)
    }

    package static let (samples, classes, members, neighbors) = ("samples", "classes", "members", "neighbors")
  }
}
