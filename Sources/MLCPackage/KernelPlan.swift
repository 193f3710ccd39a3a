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
    /// The tensors that it writes; none where a size of theirs has no text of 1 KiB.
    package var results: [TensorType]
    /// Operations on numbers, a multiplication with its addition counted as two, and bytes of the tensors that are read
    /// and written, over the function's sizes; `nil` where there is no estimate, or none that a text of 1 KiB holds.
    package var operations, bytes: Dim?
    /// `matmul`, `convolution`, `attention`, `reduction`, `elementwise`, `routine`; `nil` where nobody noted it.
    package var kind: String?
    /// The element type of what a contraction multiplies.
    package var factors: DType?

    package init(
      _ kernel: String,
      origins: [Origin],
      results: [TensorType] = [],
      operations: Dim? = nil,
      bytes: Dim? = nil,
      kind: String? = nil,
      factors: DType? = nil
    ) {
      func short(_ dim: Dim?) -> Dim? { dim.flatMap { $0.description.utf8.count <= 1024 ? $0 : nil } }
      (self.kernel, self.origins) = (kernel, origins)
      self.results = results.flatMap(\.shape).allSatisfy { short($0) != nil } ? results : []
      (self.operations, self.bytes) = (short(operations), short(bytes))
      (self.kind, self.factors) = (kind, factors)
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
      if !step.results.isEmpty { members["results"] = .array(step.results.map { .object($0.members) }) }
      if let operations = step.operations { members["operations"] = .string(operations.description) }
      if let bytes = step.bytes { members["bytes"] = .string(bytes.description) }
      if let kind = step.kind { members["kind"] = .string(kind) }
      if let factors = step.factors { members["factors"] = .string(factors.rawValue) }
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
        results: step.has("results") ? try step.objects("results", TensorType.read) : [],
        operations: step.has("operations") ? try step.dim("operations") : nil,
        bytes: step.has("bytes") ? try step.dim("bytes") : nil,
        kind: step.has("kind") ? try step.string("kind") : nil,
        factors: step.has("factors") ? DType(rawValue: try step.string("factors")) : nil
      )
    }
  }
}
