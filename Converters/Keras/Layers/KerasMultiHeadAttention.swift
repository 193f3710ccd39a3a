import MLCCore
import MLCGraph
import MLCOps

/// `MultiHeadAttention` and `GroupedQueryAttention` of `query: [batch, T, C]`, `value: [batch, S, D]` and `key: [batch,
/// S, E]`, the value when there is none: each is projected to heads, and `softmax(q·kᵀ/√key_dim)·v` of all heads to the
/// result `[batch, T, F]`. On demand the softmax comes too, `[batch, heads, T, S]`.
package struct KerasMultiHeadAttention: KerasLayer {
  package static let classNames = ["MultiHeadAttention", "GroupedQueryAttention", "GroupQueryAttention"]
  package static let masks = KerasMaskRule.uses

  package static func endsMasks(_ className: String) -> Bool { className == "MultiHeadAttention" }

  fileprivate static let parts = ["query", "key", "value", "output"]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    let names = try config.weights("kernel").map { $0.name }
    return parts.flatMap { part in names.map { KerasWeight("\(part)_\($0)") } }
  }

  package static func archivePlaces(_ index: Int, _ config: KerasConfig) throws(Diagnostic) -> [String] {
    let count = try weights(config).count / parts.count
    // Keras 2 and the first of Keras 3 write the names of private attributes.
    return ["", "_"].map { "\($0)\(parts[index / count])_dense/vars/\(index % count)" }
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try requireOptions(call)
    let tensors = call.inputs + ["value", "key"].compactMap { call.keywords[$0]?.first }
    guard (2...3).contains(tensors.count), tensors.allSatisfy({ context.rank($0) == 3 }) else {
      throw Diagnostic(
        "keras.inputs",
        "attention is supported over one axis of two or three tensors",
        kind: .unsupported
      )
    }
    let heads = try AttentionHeads(call.config)
    var projected: [ValueID] = []
    for (part, tensor) in [tensors[0], tensors[tensors.count - 1], tensors[1]].enumerated() {
      projected.append(try heads.project(try context.plain(tensor), part: part, in: &context))
    }
    let mask = try mask(call, tensors, &context)
    let scale = context.scalar(1 / Double(try heads.width(in: context)).squareRoot(), like: projected[0])
    let query = try context.emit(Mul(), projected[0], scale)
    let products = try context.emit(MatMul(transposeY: true), query, projected[1])
    let weights = try context.emit(Softmax(axis: -1), try mask.applied(to: products, in: &context))
    let attended = try context.emit(MatMul(), weights, projected[2])
    let result = KerasTensor(try heads.joined(attended, in: &context), mask: tensors[0].mask)
    return try call.option("return_attention_scores") ? [result, KerasTensor(weights)] : [result]
  }

  private static func requireOptions(_ call: KerasCall) throws(Diagnostic) {
    let axes = try call.config.list("attention_axes") ?? [1]
    guard axes == [1], try !call.config.bool("use_gate", default: false), call.config["sliding_window"] == nil else {
      throw Diagnostic(
        "keras.option",
        "gates, windows and several attention axes are not supported",
        kind: .unsupported
      )
    }
    let places = call.arguments.indices.filter { call.arguments[$0] != .null }
    guard places.isEmpty || places == Array(call.inputs.indices) else {
      throw Diagnostic("keras.option", "options of a call are supported by keyword", kind: .unsupported)
    }
  }

  /// What the masks of the tensors, those given by keyword and causality leave of the keys.
  private static func mask(
    _ call: KerasCall,
    _ tensors: [KerasTensor],
    _ context: inout KerasContext
  ) throws(Diagnostic) -> AttentionMask {
    func given(_ name: String) throws(Diagnostic) -> ValueID? {
      guard let tensor = call.keywords[name]?.first else { return nil }
      return try context.plain(tensor)
    }
    var mask = AttentionMask()
    try mask.add(queries: try given("query_mask") ?? tensors[0].mask, in: &context)
    try mask.add(keys: try given("value_mask") ?? tensors[1].mask, in: &context)
    if tensors.count == 3 { try mask.add(keys: try given("key_mask") ?? tensors[2].mask, in: &context) }
    if let own = try given("attention_mask") { try mask.add(own, in: &context) }
    if try call.option("use_causal_mask") {
      try mask.addCausal(try context.plain(tensors[0]), try context.plain(tensors[1]), in: &context)
    }
    return mask
  }
}

/// The projections of a layer with heads.
private struct AttentionHeads {
  /// Weights of each projection: one, or two with a bias.
  private let count: Int
  private let dtype: DType
  /// Heads of keys, each of which serves `group` heads of queries; `nil` where each serves one.
  private let grouping: (heads: Int, group: Int)?

  init(_ config: KerasConfig) throws(Diagnostic) {
    count = try config.bool("use_bias", default: true) ? 2 : 1
    dtype = try config.computeType()
    guard config["num_key_value_heads"] != nil else {
      grouping = nil
      return
    }
    let (queries, keys) = (try config.int("num_query_heads"), try config.int("num_key_value_heads"))
    guard (1...1 << 16).contains(queries), keys > 0, queries.isMultiple(of: keys) else {
      throw KerasConfig.wrong("num_query_heads", "is no multiple of 'num_key_value_heads'")
    }
    grouping = (keys, queries / keys)
  }

  /// The width of a head of queries and keys. Throws `keras.weights`.
  func width(in context: KerasContext) throws(Diagnostic) -> Int { try context.tensor(0, rank: 3).shape[2] }

  /// `x: [batch, steps, C]` → `[batch, heads, steps, width]`; part 0 are queries, 1 keys, 2 values.
  func project(_ x: ValueID, part: Int, in context: inout KerasContext) throws(Diagnostic) -> ValueID {
    let kernel = try weight(part * count, rank: 3, in: context)
    let (heads, width) = (kernel.shape[1], kernel.shape[2])
    let flat = try matrix(kernel, [kernel.shape[0], heads * width], name("kernel", part), &context)
    var y = try context.emit(MatMul(), x, flat)
    if count == 2 {
      let bias = try context.tensor(part * count + 1, rank: 2)
      y = try context.emit(Add(), y, try matrix(bias, [bias.count], name("bias", part), &context))
    }
    y = try context.emit(Reshape(), y, context.constant(ints: [0, 0, heads, width], "heads"))
    y = try context.emit(Transpose([0, 2, 1, 3]), y)
    guard part > 0, let grouping else { return y }
    guard grouping.heads == heads else {
      throw Diagnostic("keras.weights", "there are weights for \(heads) heads of keys, not for \(grouping.heads)")
    }
    let places = (0..<heads * grouping.group).map { $0 / grouping.group }
    return try context.emit(Gather(axis: 1), y, context.constant(ints: places, "groups"))
  }

  /// `x: [batch, heads, steps, width]` → `[batch, steps, F]`.
  func joined(_ x: ValueID, in context: inout KerasContext) throws(Diagnostic) -> ValueID {
    let kernel = try weight(3 * count, rank: nil, in: context)
    guard kernel.rank == 3 else {
      throw Diagnostic("keras.option", "results of several axes are not supported", kind: .unsupported)
    }
    let inner = kernel.shape[0] * kernel.shape[1]
    let rows = try context.emit(Transpose([0, 2, 1, 3]), x)
    let flat = try context.emit(Reshape(), rows, context.constant(ints: [0, 0, inner], "joined"))
    let y = try context.emit(MatMul(), flat, try matrix(kernel, [inner, kernel.shape[2]], name("kernel", 3), &context))
    guard count == 2 else { return y }
    let bias = try context.tensor(3 * count + 1, rank: 1)
    return try context.emit(Add(), y, try matrix(bias, bias.shape, name("bias", 3), &context))
  }

  private func name(_ weight: String, _ part: Int) -> String { "\(KerasMultiHeadAttention.parts[part])_\(weight)" }

  /// Weight `index`, which has elements.
  private func weight(_ index: Int, rank: Int?, in context: KerasContext) throws(Diagnostic) -> Tensor {
    let weight = try context.tensor(index, rank: rank)
    guard weight.count > 0 else { throw Diagnostic("keras.weights", "weight \(index) is empty: \(weight.type)") }
    return weight
  }

  /// A weight under another shape, made once.
  private func matrix(_ weight: Tensor, _ shape: [Int], _ name: String, _ context: inout KerasContext)
    throws(Diagnostic) -> ValueID
  {
    try context.prepared(name, dtype) { (context) throws(Diagnostic) in
      context.constant(weight.converted(to: dtype).reshaped(shape), name)
    }
  }
}
