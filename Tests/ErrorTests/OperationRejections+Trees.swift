extension Rejection {
  static let treeEnsembles: [Rejection] = [
    trees("tree_ensemble.dtype", x: "fp16[1, 1]"),
    trees("tree_ensemble.dtype", ["weight": "fp64[1](0)"]),
    trees("tree_ensemble.dtype", ["feature": "fp32[1](0)"]),
    trees("tree_ensemble.mode", ["comparison": "int32[1](6)"]),
    trees("tree_ensemble.mode", attributes: "aggregate = \"mean\""),
    trees("tree_ensemble.shape", ["split": "fp32[2](0, 0)"]),
    trees("tree_ensemble.shape", ["feature": "int32[1](1)"]),
    trees("tree_ensemble.shape", attributes: "targets = 0"),
    trees("tree_ensemble.trees", ["roots": "int32[1](1)"]),
    trees("tree_ensemble.trees", ["roots": "int32[0]()"]),
    trees("tree_ensemble.trees", ["on_true": "int32[1](0)"]),
    trees("tree_ensemble.trees", ["on_false": "int32[1](-2)"]),
    trees("tree_ensemble.trees", ["feature": "int32[1](-1)"]),
    trees("tree_ensemble.trees", ["split": "fp32[1](nan)"]),
    trees("tree_ensemble.trees", ["weight": "fp32[1](inf)"]),
    trees("tree_ensemble.trees", ["target": "int32[1](1)"]),
    trees("tree_ensemble.trees", ["leaf_begin": "int32[2](0, 2)"]),
    trees("tree_ensemble.trees", ["roots": nil]),
  ]

  /// One node, x[0] ≤ 0, and one leaf for both sides, with some operands changed; `nil` computes one as the model runs.
  private static func trees(
    _ id: String,
    x: String = "fp32[1, 1]",
    _ changes: [String: String?] = [:],
    attributes: String = "targets = 1"
  ) -> Rejection {
    let operands = [
      ("roots", "int32[1](0)"), ("feature", "int32[1](0)"), ("split", "fp32[1](0)"), ("comparison", "int32[1](0)"),
      ("on_true", "int32[1](-1)"), ("on_false", "int32[1](-1)"), ("leaf_begin", "int32[2](0, 1)"),
      ("target", "int32[1](0)"), ("weight", "fp32[1](0)"),
    ]
    var (inputs, lines) = ("%x: \(x)", "")
    for (name, value) in operands {
      if let value = changes[name, default: value] {
        lines += "%\(name) = const {val = \(value)}\n"
      } else {
        inputs += ", %\(name): int32[1]"
      }
    }
    let arguments = operands.map { "\($0.0) = %\($0.0)" }.joined(separator: ", ")
    return inferring(id, inputs, "\(lines)%y = tree_ensemble(x = %x, \(arguments)) {\(attributes)}")
  }
}
