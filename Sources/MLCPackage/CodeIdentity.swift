import MLCCore

/// What the code of one function was made for: interface, processor, weights and plan. A module carries the digest of
/// all that, so that it runs with nothing else, whatever the files around it say (Specs/Kernels.md).
package struct CodeIdentity: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// `weights` and `plan` are the digests of the files. The device's name is a label and does not count.
  package init(_ interface: FunctionInterface, _ device: Manifest.Device, weights: String, plan: String) {
    let all = JSON.object([
      "interface": interface.json, "family": .string(device.family), "isa": .string(device.isa),
      "requires": .array(device.requires.map { .string($0) }), "weights": .string(weights), "plan": .string(plan),
    ])
    var hash = SHA256()
    hash.update(all.text)
    bytes = hash.digest
  }
}
