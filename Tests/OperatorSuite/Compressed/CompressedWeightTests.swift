import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCRuntime
import MLCTargetC
import TestSupport
import Testing

/// Weights kept as codes, as generated code of every device that this machine runs, against the interpreter.
@Suite struct CompressedWeightTests {
  @Test func aDeviceRuns() { #expect(!Self.devices.isEmpty) }

  private static let devices = DeviceSet.here

  /// An operation that reads a weight: its inputs' shapes, and how the weight becomes its result.
  private struct Consumer: Sendable {
    var label: String
    var x: [Int]
    var weight: [Int]
    /// The weight's axes of outputs and inputs.
    var output: Int, input: Int
    var apply: @Sendable (inout Builder, ValueID, ValueID) throws -> ValueID
  }

  private static func conv(_ label: String, x: [Int], weight: [Int], groups: Int = 1, pad: Int = 0) -> Consumer {
    Consumer(label: label, x: x, weight: weight, output: 0, input: 1) { builder, x, weight in
      var conv = Conv()
      (conv.groups, conv.padType) = (groups, "custom")
      conv.pad = [Int](repeating: pad, count: 2 * (weightRank(builder, weight) - 2))
      return try builder(conv, x, weight)
    }
  }

  private static func weightRank(_ builder: Builder, _ weight: ValueID) -> Int { builder.fact(weight).rank }

  private static func matmul(_ label: String, rows: Int, _ k: Int, _ n: Int, transposed: Bool = false) -> Consumer {
    let shape = transposed ? [n, k] : [k, n]
    return Consumer(label: label, x: [rows, k], weight: shape, output: transposed ? 0 : 1, input: transposed ? 1 : 0) {
      builder,
      x,
      weight in
      var op = MatMul()
      op.transposeY = transposed
      return try builder(op, x, weight)
    }
  }

  private static let products = [
    matmul("gemv", rows: 1, 96, 80), matmul("gemv-wide", rows: 1, 64, 300, transposed: true),
    matmul("rows3", rows: 3, 96, 50, transposed: true), matmul("rows37", rows: 37, 96, 80),
    matmul("rest", rows: 2, 103, 21), matmul("rest37", rows: 37, 103, 21, transposed: true),
  ]
  private static let convolutions = [
    conv("conv1x1", x: [1, 32, 7, 9], weight: [48, 32, 1, 1]),
    conv("conv3x3", x: [1, 32, 7, 9], weight: [40, 32, 3, 3], pad: 1),
    conv("conv-odd", x: [2, 20, 5, 6], weight: [37, 20, 3, 3], pad: 1),
    conv("conv-groups", x: [1, 64, 6, 6], weight: [96, 32, 3, 3], groups: 2, pad: 1),
    conv("conv-odd-groups", x: [1, 12, 6, 6], weight: [8, 6, 3, 3], groups: 2),
    conv("stem", x: [1, 3, 20, 24], weight: [40, 3, 3, 3], pad: 1),
    conv("depthwise", x: [1, 24, 9, 9], weight: [24, 1, 3, 3], groups: 24, pad: 1),
    conv("conv1d", x: [1, 32, 30], weight: [24, 32, 3], pad: 1),
  ]
  private static let rows = Consumer(label: "gather", x: [5], weight: [40, 96], output: 0, input: 1) {
    builder,
    x,
    weight in try builder(Gather(), weight, x)
  }
  private static let sum = Consumer(label: "add", x: [48, 64], weight: [48, 64], output: 0, input: 1) {
    builder,
    x,
    weight in try builder(Add(), x, weight)
  }

  /// The results of every consumer of every encoding, in one function.
  private func function(_ consumers: [Consumer], _ encodings: [WeightEncoding]) throws -> (Function, [Tensor]) {
    var builder = Builder()
    var (inputs, outputs): ([Tensor], [(String, ValueID)]) = ([], [])
    for consumer in consumers {
      for encoding in encodings {
        let count = consumer.x.reduce(1, *)
        let isGather = consumer.label == "gather"
        let values = (0..<count).map { Float($0 * 37 % 101) / 64 - 0.7 }
        let x =
          isGather
          ? Tensor(.int32, consumer.x, [0, 39, -1, 17, 8])
          : Tensor(consumer.x, floats: values).converted(to: encoding.dtype)
        inputs.append(x)
        let name = "\(consumer.label).\(encoding.label)"
        let input = builder.input("x", x.type)
        let weight = try encoding.weight(consumer.weight, output: consumer.output, input: consumer.input, in: &builder)
        outputs.append((name, try consumer.apply(&builder, input, weight)))
      }
    }
    return (builder.finish(outputs), inputs)
  }

  private func failures(_ consumers: [Consumer], _ encodings: [WeightEncoding]) throws -> [String] {
    let (function, inputs) = try function(consumers, encodings)
    let expected = try Interpreter(function).run(inputs)
    var lines: [String] = []
    for device in Self.devices {
      let results = try CompiledRunner(device).run(function, [inputs])[0]
      for (index, name) in function.outputNames.enumerated() {
        let least = expected[index].dtype == .float16 ? 4e-3 : 2e-5
        let scale = expected[index].doubles.map { abs($0) }.max() ?? 1
        if let problem = disagreement(results[index], expected[index], rtol: least, atol: least * max(scale, 1) / 4) {
          lines.append("\(device.name) \(name): \(problem)")
        }
      }
    }
    return lines
  }

  /// Why weights of `function` are written out for `device`.
  private func remarks(_ function: Function, _ device: DeviceDescription) throws -> [String] {
    var program = try KernelProgram.optimized(function, for: try CTarget(device))
    try program.resolveCompressed(for: try CTarget(device))
    return program.remarks.map { "\(device.name) \($0)" }
  }

  @Test func products() throws {
    let wrong = try failures(Self.products, WeightEncoding.all)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func convolutions() throws {
    let wrong = try failures(
      Self.convolutions,
      WeightEncoding.named(
        "int8-channel",
        "uint8-channel-offset",
        "int4-block",
        "palette1",
        "palette4",
        "palette6",
        "palette4-groups",
        "palette4-small-groups",
        "palette4-scaled",
        "palette4-half",
        "sparse"
      )
    )
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test func elementsOneByOne() throws {
    let wrong = try failures([Self.rows, Self.sum], WeightEncoding.all)
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// Rows that are counted as the model runs, and more steps than are expanded at once.
  @Test func anyNumberOfRows() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Dim("rows"), 96]))
    let long = builder.input("long", TensorType(.float32, [9, 16_000]))
    var outputs: [(String, ValueID)] = []
    for encoding in WeightEncoding.named("int8-channel", "int4-block", "palette4-groups", "palette6", "sparse") {
      let weight = try encoding.weight([96, 80], output: 1, input: 0, in: &builder)
      outputs.append((encoding.label, try builder(MatMul(), x, weight)))
      let deep = try encoding.weight([16_000, 20], output: 1, input: 0, in: &builder)
      outputs.append(("\(encoding.label).long", try builder(MatMul(), long, deep)))
    }
    let function = builder.finish(outputs)
    let deep = Tensor([9, 16_000], floats: (0..<144_000).map { Float($0 * 31 % 97) / 64 - 0.7 })
    for device in Self.devices {
      for rows in [1, 7, 300] {
        let data = Tensor([rows, 96], floats: (0..<rows * 96).map { Float($0 * 37 % 101) / 64 - 0.7 })
        let expected = try Interpreter(function).run([data, deep])
        let results = try CompiledRunner(device).run(function, [[data, deep]])[0]
        for (index, name) in function.outputNames.enumerated() {
          let scale = expected[index].doubles.map { abs($0) }.max() ?? 1
          let problem = disagreement(results[index], expected[index], rtol: 2e-5, atol: 2e-5 * max(scale, 1))
          #expect(problem == nil, "\(device.name) \(rows) rows \(name): \(problem ?? "")")
        }
      }
    }
  }

  /// Only forms without look-up are written out, and weights so small that their tables outweigh them.
  @Test func staysCompressed() throws {
    for device in Self.devices {
      let large =
        Self.products + Self.convolutions.filter { !$0.label.hasPrefix("depthwise") && !$0.label.contains("odd") }
      let codes = WeightEncoding.all.filter { !$0.label.hasPrefix("sparse") }
      var remarks = try remarks(try function(large + [Self.rows, Self.sum], codes).0, device)
      remarks += try self.remarks(try function(large, WeightEncoding.named("sparse", "sparse-half")).0, device)
      #expect(remarks.isEmpty, "\(remarks.joined(separator: "\n"))")
    }
  }

  @Test func remarkNamesTheNode() throws {
    var builder = Builder()
    let table = try WeightEncoding.named("sparse")[0].weight([8, 4], output: 0, input: 1, in: &builder)
    let x = builder.input("x", TensorType(.int32, [3]))
    let y = try builder(Gather(), table, x, origin: Location(node: "Gather_7", op: "Gather"))
    let remarks = try remarks(builder.finish([("y", y)]), try DeviceSet(["x86-64-v2"]).devices[0])
    #expect(remarks.count == 1)
    #expect(remarks.first?.contains("Gather_7") == true)
    #expect(remarks.first?.contains("[compile.expanded-weight]") == true)
  }

  @Test(arguments: ["forward", "bidirectional"]) func recurrence(_ direction: String) throws {
    let (steps, batch, size, hidden) = (4, 2, 64, 24)
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Dim(steps), Dim(batch), Dim(size)]))
    let width = hidden * (direction == "forward" ? 1 : 2)
    let zeros = Tensor([batch, width], floats: .init(repeating: 0.1, count: batch * width))
    var outputs: [(String, ValueID)] = []
    for encoding in WeightEncoding.named("int8-channel", "int4-block", "palette4", "sparse") {
      func weights(_ gates: Int) throws -> [[ValueID]] {
        let input = try encoding.weight([gates * hidden, size], output: 0, input: 1, in: &builder)
        let hiddenWeight = try encoding.weight([gates * hidden, hidden], output: 0, input: 1, in: &builder)
        let bias = Tensor([gates * hidden], floats: (0..<gates * hidden).map { Float($0 % 7) / 10 })
        return [[input], [hiddenWeight], [builder.constant(bias)]]
      }
      let none: [[ValueID]] = [[], [], []]
      let start = builder.constant(zeros)
      var lstm = LSTM()
      (lstm.direction, lstm.outputSequence) = (direction, true)
      let back = try direction == "forward" ? none : weights(4)
      let long = try builder.append(lstm, [[x], [start], [start]] + weights(4) + [[]] + back + [[], []])
      var gru = GRU()
      (gru.direction, gru.resetAfter) = (direction, false)
      let other = try direction == "forward" ? none : weights(3)
      let gated = try builder.append(gru, [[x], []] + weights(3) + [[]] + other + [[], []])
      outputs += (long + gated).map { ("\(encoding.label)\(outputs.count)", $0) }
    }
    let function = builder.finish(outputs.enumerated().map { ("\($0.offset)_\($0.element.0)", $0.element.1) })
    let data = Tensor([steps, batch, size], floats: (0..<steps * batch * size).map { Float($0 * 29 % 83) / 200 - 0.2 })
    let expected = try Interpreter(function).run([data])
    for device in Self.devices {
      let remarks = try remarks(function, device)
      #expect(remarks.isEmpty, "\(remarks.joined(separator: "\n"))")
      let results = try CompiledRunner(device).run(function, [[data]])[0]
      for (index, name) in function.outputNames.enumerated() {
        let problem = disagreement(results[index], expected[index], rtol: 1e-4, atol: 1e-4)
        #expect(problem == nil, "\(device.name) \(name): \(problem ?? "")")
      }
    }
  }
}
