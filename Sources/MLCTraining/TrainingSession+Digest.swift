import MLCCore
import MLCGradients
import MLCGraph

extension TrainingSession {
  /// SHA-256 of all that the result follows from but the number of epochs.
  package var digest: [UInt8] {
    var hash = SHA256()
    let text = ProgramText(Program(functions.functions).withoutFiles)
    hash.update(text.text)
    for blob in text.blobs { blob.withBytes { hash.update($0) } }
    for tensor in functions.initial.map({ $0.contents }) + settings + data.tensors {
      hash.update("\(tensor.type)")
      tensor.withBytes { hash.update($0) }
    }
    let seed = plan.shuffles ? "\(plan.seed)" : "none"
    let patience = plan.patience.map { "\($0)" } ?? "none"
    hash.update("\(order.batchSize) \(seed) \(order.validation.count) \(patience)")
    return hash.digest
  }
}
