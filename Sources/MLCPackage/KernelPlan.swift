import MLCCore

/// What a target runs for one function, step by step, for reports; nothing that runs depends on it.
package struct KernelPlan: Hashable, Sendable {
  /// A node of the user's model inside a kernel.
  package struct Origin: Hashable, Sendable {
    package var node: String, op: String

    package init(node: String, op: String) { (self.node, self.op) = (node, op) }
  }

  package struct Step: Hashable, Sendable {
    /// The kernel's symbol, `mlc_f32_conv_relu__x86_64_v4_14x32`.
    package var kernel: String
    package var origins: [Origin]
    /// Estimates over the function's sizes; `nil` where there is none.
    package var flops, bytes: Dim?

    package init(_ kernel: String, origins: [Origin], flops: Dim? = nil, bytes: Dim? = nil) {
      (self.kernel, self.origins, self.flops, self.bytes) = (kernel, origins, flops, bytes)
    }
  }

  /// In the order of the module's step numbers.
  package var steps: [Step]

  package init(steps: [Step]) { self.steps = steps }
}

extension KernelPlan {
  /// SHA-256 of the file that it is written to.
  package var digest: String { SHA256.hexDigest(json.text) }

  var json: JSON {
    let steps: [JSON] = steps.map { step in
      var members: [String: JSON] = [
        "kernel": .string(step.kernel),
        "origins": .array(step.origins.map { .object(["node": .string($0.node), "op": .string($0.op)]) }),
      ]
      if let flops = step.flops { members["flops"] = .string(flops.description) }
      if let bytes = step.bytes { members["bytes"] = .string(bytes.description) }
      return .object(members)
    }
    return .object(["steps": .array(steps)])
  }

  init(_ object: JSONObject) throws(Diagnostic) {
    steps = try object.objects("steps") { (step) throws(Diagnostic) in
      Step(
        try step.string("kernel"),
        origins: try step.objects("origins") { (origin) throws(Diagnostic) in
          Origin(node: try origin.string("node"), op: try origin.string("op"))
        },
        flops: step.has("flops") ? try step.dim("flops") : nil,
        bytes: step.has("bytes") ? try step.dim("bytes") : nil
      )
    }
  }
}
