import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import TestSupport
import Testing

/// Operators of ONNX that are composed of many operations, beyond ONNX' backend tests: what the formula says, by the
/// interpreter and by generated code, with sizes left open.
@Suite struct ONNXOperatorTests {
  private typealias Input = (type: TensorType, value: Tensor)

  /// The result of one node; `constants` follow `inputs` among its operands. Open extents have names.
  private func play(
    _ type: String,
    _ inputs: [Input],
    constants: [Tensor] = [],
    _ attributes: [String: ONNXAttribute] = [:],
    opset: Int = 20
  ) throws -> Tensor {
    let names = inputs.indices.map { "x\($0)" } + constants.indices.map { "c\($0)" }
    let graph = ONNXGraph(
      nodes: [ONNXNode(opType: type, inputs: names, outputs: ["y"], attributes: attributes)],
      initializers: Dictionary(uniqueKeysWithValues: constants.enumerated().map { ("c\($0)", $1) }),
      inputs: inputs.enumerated().map { ONNXValueInfo(name: "x\($0)", type: $1.type) },
      outputs: [ONNXValueInfo(name: "y")]
    )
    let model = ONNXModel(irVersion: 8, opsets: ["": opset], graph: graph)
    let function = try ONNXImporter(file: "model.onnx").program(model).main
    try function.verify()
    let values = inputs.map(\.value)
    let expected = try Interpreter(function).run(values)
    let results = try CompiledRunner(DeviceSet(["host"]).devices[0]).run(function, [values])[0]
    for (result, reference) in zip(results, expected) {
      let problem = disagreement(result, reference, rtol: 1e-4, atol: 1e-4)
      #expect(problem == nil, "\(type): \(problem ?? "")")
    }
    return expected[0]
  }

  private func expect(_ result: Tensor, _ shape: [Int], _ values: [Double], atol: Double = 1e-5) {
    let problem = disagreement(result, Tensor(result.dtype, shape, values), rtol: 1e-5, atol: atol)
    #expect(problem == nil, "\(problem ?? "")")
  }

  private func given(_ shape: [Dim], _ value: Tensor) -> Input { (TensorType(value.dtype, shape), value) }
  private func floats(_ shape: [Int], _ values: [Double]) -> Tensor { Tensor(.float32, shape, values) }

  @Test func coordinatesInAnOpenImage() throws {
    let x = given([1, 1, "h", "w"], floats([1, 1, 2, 3], [0, 1, 2, 10, 11, 12]))
    let grid = given([1, "n", 1, 2], floats([1, 4, 1, 2], [-1, -1, 0, 0, 1, 1, 2, 0.5]))
    let aligned: [String: ONNXAttribute] = ["align_corners": .int(1)]
    let inside: [Double] = [0, 6, 12]
    expect(try play("GridSample", [x, grid], aligned), [1, 1, 4, 1], inside + [0])
    let border = aligned.merging(["padding_mode": .string("border")]) { $1 }
    expect(try play("GridSample", [x, grid], border), [1, 1, 4, 1], inside + [9.5])
    let mirror = aligned.merging(["padding_mode": .string("reflection")]) { $1 }
    expect(try play("GridSample", [x, grid], mirror), [1, 1, 4, 1], inside + [8.5])
    let nearest: [String: ONNXAttribute] = ["mode": .string("nearest")]
    // Halves go to even numbers: the third place is row 2, which there is not.
    expect(try play("GridSample", [x, grid], nearest), [1, 1, 4, 1], [0, 1, 0, 0])
  }

  @Test func gridsOfComputedSizes() throws {
    let theta = given([1, 2, 3], floats([1, 2, 3], [1, 0, 0.5, 0, 2, 0]))
    let size = given([4], Tensor(.int64, [4], [1, 1, 2, 3]))
    let (left, right) = (0.5 - 2.0 / 3, 0.5 + 2.0 / 3)
    let bins = [left, -1, 0.5, -1, right, -1, left, 1, 0.5, 1, right, 1]
    expect(try play("AffineGrid", [theta, size]), [1, 2, 3, 2], bins)
    let corners = try play("AffineGrid", [theta, size], ["align_corners": .int(1)])
    expect(corners, [1, 2, 3, 2], [-0.5, -2, 0.5, -2, 1.5, -2, -0.5, 2, 0.5, 2, 1.5, 2])
  }
}
