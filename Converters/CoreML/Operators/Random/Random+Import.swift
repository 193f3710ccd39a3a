import MLCCore
import MLCGraph
import MLCOps

/// The same numbers in every run, other ones for every seed, or without a seed for every name.
private func key(_ node: MILNode) throws(Diagnostic) -> RandomKey {
  RandomKey(seed: try node.integer("seed") ?? -1, name: node.outputs.first?.name ?? node.name)
}

private func dtype(_ node: MILNode, _ parameter: String) throws(Diagnostic) -> DType {
  try node.constant(parameter)?.dtype ?? node.outputs.first?.type?.dtype ?? .float32
}

func importRandomUniform(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (low, high) = (try node.number("low") ?? 0, try node.number("high") ?? 1)
  let shape = try context.value(node, "shape")
  return [try context.uniform(shape, from: low, to: high, try dtype(node, "low"), key: try key(node))]
}

func importRandomNormal(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (mean, deviation) = (try node.number("mean") ?? 0, try node.number("stddev") ?? 1)
  let shape = try context.value(node, "shape")
  return [try context.normal(shape, mean: mean, deviation: deviation, try dtype(node, "mean"), key: try key(node))]
}

func importRandomBernoulli(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (shape, share) = (try context.value(node, "shape"), try node.number("prob") ?? 0.5)
  return [try context.bernoulli(shape, probability: share, try dtype(node, "prob"), key: try key(node))]
}

/// Of logarithms of probabilities, or of probabilities.
func importRandomCategorical(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let mode = try node.text("mode") ?? "logits"
  guard ["logits", "probs"].contains(mode) else { throw Diagnostic("coreml.parameter", "'mode' is '\(mode)'") }
  let logits = mode == "probs" ? try context.apply(Log(), x) : x
  let classes = try context.categorical(logits, count: try node.integer("size") ?? 1, key: try key(node))
  return [try context.converted(classes, to: context.fact(x).dtype)]
}
