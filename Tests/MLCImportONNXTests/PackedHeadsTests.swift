import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// Operands of `MultiHeadAttention` that onnxruntime's CPU does not take, against the same operands apart.
@Suite struct PackedHeadsTests {
  private static let (batch, length, heads, width) = (2, 3, 2, 4)

  /// The numbers of `[batch, length, heads, count, width]`.
  private static func packed(_ count: Int) -> [Double] {
    let size = batch * length * heads * count * width
    return (0..<size).map { (index: Int) -> Double in
      let number = (index * 37 + 11) % 101
      return Double(number) / 50 - 1
    }
  }

  /// Part `index` of `count` as `[batch, length, heads·width]`.
  private static func part(_ index: Int, of values: [Double], _ count: Int) -> Tensor {
    let kept = values.indices.filter { $0 / width % count == index }.map { values[$0] }
    return Tensor(.float32, [batch, length, heads * width], kept)
  }

  private func attention(_ operands: [Tensor]) throws -> [Double] {
    let names = operands.indices.map { "x\($0)" }
    let node = ONNXNode(
      opType: "MultiHeadAttention",
      domain: "com.microsoft",
      inputs: names,
      outputs: ["y"],
      attributes: ["num_heads": .int(Self.heads)]
    )
    let inputs = zip(names, operands).map { ONNXValueInfo(name: $0, type: $1.type) }
    let graph = ONNXGraph(nodes: [node], inputs: inputs, outputs: [ONNXValueInfo(name: "y")])
    let model = ONNXModel(irVersion: 8, opsets: ["": 17, "com.microsoft": 1], graph: graph)
    let program = try ONNXImporter(file: "model.onnx").program(model)
    try program.main.verify()
    return try Interpreter(program.main).run(operands)[0].doubles
  }

  @Test func queriesKeysAndValuesInOne() throws {
    let values = Self.packed(3)
    let whole = Tensor(.float32, [Self.batch, Self.length, Self.heads, 3, Self.width], values)
    let apart = try attention((0..<3).map { Self.part($0, of: values, 3) })
    #expect(try attention([whole]) == apart)
    #expect(Set(apart).count > 10)
  }

  @Test func keysAndValuesInOne() throws {
    let (values, queries) = (Self.packed(2), Self.part(2, of: Self.packed(3), 3))
    let whole = Tensor(.float32, [Self.batch, Self.length, Self.heads, 2, Self.width], values)
    let apart = try attention([queries, Self.part(0, of: values, 2), Self.part(1, of: values, 2)])
    #expect(try attention([queries, whole]) == apart)
  }
}
