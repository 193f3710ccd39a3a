import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// ONNX `Scan`: numbers are those of onnxruntime.
@Suite struct ONNXScanTests {
  private typealias Model = ONNXRounds

  private func node(
    _ op: String,
    _ inputs: [String],
    _ output: String,
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    Model.node(op, inputs, [output], attributes)
  }

  /// Two scanned inputs along different axes, one from its end; one stack along its last axis, one from its end.
  @Test func axesAndDirections() throws {
    let body = Model.body(
      ["a", "e", "q"],
      [
        node("ReduceSum", ["e"], "m", ["keepdims": .int(0), "axes": .ints([0])]), node("Mul", ["m", "q"], "p"),
        node("Add", ["a", "p"], "w"), node("Neg", ["w"], "r"), node("ReduceMax", ["w"], "g", ["keepdims": .int(0)]),
      ],
      ["w", "r", "g"]
    )
    let scan = Model.node(
      "Scan",
      ["s", "x", "scale"],
      ["y", "z", "u"],
      [
        "body": body, "num_scan_inputs": .int(2), "scan_input_axes": .ints([1, 0]),
        "scan_input_directions": .ints([1, 0]), "scan_output_axes": .ints([-1, 0]),
        "scan_output_directions": .ints([0, 1]),
      ]
    )
    let inputs = [
      Model.value("s", .float32, [2]), Model.value("x", .float32, [3, "t", 2]), Model.value("scale", .float32, ["t"]),
    ]
    let function = try Model.function(inputs, [scan], ["y", "z", "u"], opset: 11)
    #expect(function.outputs.map { function.type($0).shape } == [[2], [2, "t"], ["t"]])
    let data = Tensor([3, 2, 2], floats: (0..<12).map { Float($0) })
    let state = Tensor([2], floats: [1, -1])
    let none = [state, Tensor([3, 0, 2], floats: []), Tensor([0], floats: [])]
    let results = try Model.results(function, [[state, data, Tensor([2], floats: [1, 2])], none])
    let stacks = [Tensor([2, 2], floats: [-19, -43, -20, -50]), Tensor([2], floats: [50, 20])]
    #expect(results[0] == [Tensor([2], floats: [43, 50])] + stacks)
    #expect(results[1] == [state, Tensor([2, 0], floats: []), Tensor([0], floats: [])])
  }

  /// Operator set 8: batches in front, each of a length of its own; rows behind it are 0.
  @Test func batchesOfLengths() throws {
    let body = Model.body(["a", "e"], [node("Add", ["a", "e"], "w"), node("Mul", ["w", "e"], "r")], ["w", "r"])
    let attributes: [String: ONNXAttribute] = ["body": body, "num_scan_inputs": .int(1)]
    let scan = Model.node("Scan", ["lengths", "s", "x"], ["y", "z"], attributes)
    let inputs = [
      Model.value("s", .float32, ["b", 2]), Model.value("x", .float32, ["b", "t", 2]),
      Model.value("lengths", .int64, ["b"]),
    ]
    let function = try Model.function(inputs, [scan], ["y", "z"], opset: 8)
    let data = Tensor([2, 3, 2], floats: (0..<12).map { Float($0) })
    let results = try Model.results(
      function,
      [[Tensor([2, 2], floats: [1, 1, 1, 1]), data, Tensor(.int64, [2], [3, 1])]]
    )
    let rows = Tensor([2, 3, 2], floats: [0, 2, 6, 15, 28, 50, 42, 56, 0, 0, 0, 0])
    #expect(results[0] == [Tensor([2, 2], floats: [7, 10, 7, 8]), rows])
  }

  /// Attributes that do not fit the inputs.
  @Test(arguments: [
    ("scan_input_axes", [0, 0], "onnx.scan"), ("scan_input_directions", [2], "onnx.scan"),
    ("scan_input_axes", [3], "scan.axis"), ("scan_output_axes", [2], "scan.axis"),
  ])
  func refused(_ name: String, _ numbers: [Int], _ id: String) {
    let body = Model.body(["a", "e"], [node("Add", ["a", "e"], "w")], ["w", "w"])
    let attributes: [String: ONNXAttribute] = ["body": body, "num_scan_inputs": .int(1), name: .ints(numbers)]
    let inputs = [Model.value("s", .float32, [2]), Model.value("x", .float32, [3, 2])]
    let scan = Model.node("Scan", ["s", "x"], ["y", "z"], attributes)
    let error = #expect(throws: Diagnostic.self) { try Model.function(inputs, [scan], ["y", "z"]) }
    #expect(error?.id.rawValue == id, "\(String(describing: error))")
  }
}
