import MLCCore

/// What the code of one segment was made for: interface, place in the function, device, weights and plan. A module
/// carries the digest of all that, so that it runs with nothing else, whatever the files around it say
/// (Specs/Kernels.md).
package struct CodeIdentity: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// `values` are those of `Manifest.Code`, `weights` and `plan` the digests of the files. The device's name is a label
  /// and does not count.
  package init(
    _ interface: FunctionInterface,
    _ wiring: SegmentWiring,
    values: [TensorType] = [],
    _ device: Manifest.Device,
    weights: String,
    plan: String
  ) {
    let all = JSON.object([
      "interface": interface.json, "family": .string(device.family), "isa": .string(device.isa),
      "requires": .array(device.requires.map { .string($0) }), "weights": .string(weights), "plan": .string(plan),
      "segment": .object(wiring.identity), "values": Manifest.Code.json(values),
    ])
    var hash = SHA256()
    hash.update(all.text)
    bytes = hash.digest
  }

  /// That of a segment of `function`, as the manifest has it.
  package init(
    _ function: FunctionInterface,
    _ target: Manifest.Target,
    _ code: Manifest.Code,
    _ segment: Manifest.Segment
  ) {
    self.init(
      function,
      segment.wiring,
      values: code.values,
      target.devices[segment.wiring.device],
      weights: segment.weights.digest,
      plan: segment.plan.digest
    )
  }
}
