import MLCCore
import MLCGradients

extension TrainingData {
  /// How far the sum of probabilities may be from 1: what float16 and a thousand classes leave of it.
  private static let slack = 1e-2

  /// Throws `update.labels` where a target, the last tensor, is no class, `update.probabilities` where it is no
  /// probability, or those of an example do not add up to 1 within 0.01.
  package func checkTargets(_ elements: TargetElements) throws(Diagnostic) {
    let targets = tensors[tensors.count - 1]
    switch elements {
    case .numbers: break
    case .classes(let count):
      guard let wrong = targets.first({ $0.firstIndex { $0 < 0 || $0 >= Double(count ?? .max) } }) else { return }
      let range = count.map { "from 0 to \($0 - 1)" } ?? "0 or more"
      let label = "the label \(Int(wrong.element)) of example \(wrong.example)"
      throw Diagnostic("update.labels", "\(label) is no class \(range)")
    case .probabilities: try checkProbabilities(targets)
    case .distributions(let axis):
      try checkProbabilities(targets)
      try checkSums(targets, axis)
    }
  }

  private func checkProbabilities(_ targets: Tensor) throws(Diagnostic) {
    guard let wrong = targets.first({ $0.firstIndex { !(0...1).contains($0) } }) else { return }
    let message = "the target \(wrong.element) of example \(wrong.example) is no probability from 0 to 1"
    throw Diagnostic("update.probabilities", message)
  }

  private func checkSums(_ targets: Tensor, _ axis: Int) throws(Diagnostic) {
    guard axis > 0 else { return }
    let (classes, inner) = (targets.shape[axis], targets.shape[(axis + 1)...].reduce(1, *))
    var sum = 1.0
    let wrong = targets.first { elements in
      for outer in stride(from: 0, to: elements.count, by: classes * inner) {
        for place in outer..<outer + inner {
          sum = stride(from: place, to: place + classes * inner, by: inner).reduce(0) { $0 + elements[$1] }
          if abs(sum - 1) > TrainingData.slack { return place }
        }
      }
      return nil
    }
    guard let wrong else { return }
    let message = "the probabilities of example \(wrong.example) add up to \(sum), not to 1"
    throw Diagnostic("update.probabilities", message)
  }
}
