import Foundation
import MLCCore
import MLCTensorIO

/// A training that goes on where it was interrupted: a file of tensors in a folder of the user's, replaced whole after
/// each epoch.
package struct Checkpoint: Sendable {
  private let path: String
  /// Of all that the result follows from.
  private let digest: [UInt8]

  /// `digest` is of 32 bytes.
  package init(folder: String, digest: [UInt8]) { (path, self.digest) = ("\(folder)/checkpoint.npz", digest) }

  /// Lets `session` go on from the file; whether there is one. Throws `update.checkpoint` for the file of another
  /// training or of more epochs, and what its reader throws.
  package func restore(_ session: inout TrainingSession) throws(Diagnostic) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let entries = try NPZ.read(path)
    func tensors(_ prefix: String) -> [Tensor] {
      entries.filter { $0.name.hasPrefix(prefix) }.map { $0.tensor }
    }
    let states = tensors("state.")
    let best = tensors("best.")
    let losses = tensors("loss").first?.doubles ?? []
    let validations = tensors("validation").first?.doubles ?? []
    guard tensors("digest").first == Tensor(.uint8, [32], digest.map { Int($0) }), losses.count == validations.count,
      losses.count <= session.plan.epochs,
      states.map({ $0.type }) == session.states.map({ $0.type }), best.isEmpty || best.count == states.count
    else {
      let message = "this is the checkpoint of another training, or of more epochs; remove it, or name another folder"
      throw Diagnostic("update.checkpoint", message, kind: .usage, at: Location(file: path))
    }
    let history = zip(losses, validations).map { TrainingSession.Epoch(loss: $0, validation: $1.isNaN ? nil : $1) }
    session.resume(history, states: states, best: best.isEmpty ? nil : best)
    return true
  }

  /// Throws `file.write`.
  package func write(_ session: TrainingSession) throws(Diagnostic) {
    let losses = session.history.map { $0.loss }
    let validations = session.history.map { $0.validation ?? .nan }
    var entries = [
      (name: "digest", tensor: Tensor(.uint8, [32], digest.map { Int($0) })),
      (name: "loss", tensor: Tensor(.float64, [losses.count], losses)),
      (name: "validation", tensor: Tensor(.float64, [validations.count], validations)),
    ]
    entries += session.states.enumerated().map { ("state.\($0)", $1) }
    entries += (session.best ?? []).enumerated().map { ("best.\($0)", $1) }
    try NPZ.write(entries, to: path)
  }
}
