import Foundation
import MILBuilder
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCImportONNX
import MLCOps
import MLCPasses
import Testing

/// Programs built in Swift: what they compute, and where their mistakes are reported.
@Suite struct FunctionBuilderTests {
  private func run(_ program: ProgramBuilder, _ inputs: [Tensor]) throws -> [Tensor] {
    try Interpreter(program.functions[0]).run(inputs)
  }

  /// What is thrown, whose line is that of the call `marked` by its place in this file.
  private func error(_ build: (FunctionBuilder) throws -> Void) -> BuildError? {
    do { try ProgramBuilder().function(_: "main") { try build($0) } } catch { return error as? BuildError }
    return nil
  }

  @Test func mistakesAreReportedAtTheirCall() throws {
    var line = 0
    let shapes = error { f in
      let x = try f.input("x", shape: [2, 3])
      line = #line + 1
      _ = try f.matmul(x: x, y: x)
    }
    #expect(shapes?.id == "matmul.contraction" && shapes?.line == line && shapes?.file == #filePath, "\(shapes as Any)")
    #expect(shapes?.description.contains("FunctionBuilderTests.swift:\(line): error:") == true)
    let types = error { f in
      let (x, y) = (try f.input("x", shape: [2]), try f.input("y", shape: [2], dataType: .int32))
      line = #line + 1
      _ = try f.add(x: x, y: y)
    }
    #expect(types?.id == "add.dtype" && types?.line == line, "\(types as Any)")
    let names = error { f in
      let x = try f.input("x", shape: [2, 3])
      line = #line + 1
      _ = try f.softmax(x: x, axis: "last")
    }
    #expect(names?.id == "coreml.parameter" && names?.line == line, "\(names as Any)")
    let twice = error { f in
      _ = try f.input("x", shape: [2])
      line = #line + 1
      _ = try f.input("x", shape: [2])
    }
    #expect(twice?.id == "graph.repeated-name" && twice?.line == line)
    let negative = error { f in _ = try f.input("x", shape: [-1]) }
    #expect(negative?.id == "graph.negative-extent")
    #expect(error { f in _ = try f.input("x", shape: [1]) }?.id == "coreml.outputs")
  }

  /// Values of blocks that are closed, and of other functions, are refused where they are used.
  @Test func valuesStayInTheirBlock() throws {
    let escaped = error { f in
      let flag = try f.input("flag", shape: [], dataType: .bool)
      let x = try f.input("x", shape: [2])
      var inner = x
      _ = try f.cond(pred: flag) {
        inner = try f.relu(x: x)
        return [inner]
      } false: {
        [x]
      }
      try f.output("y", inner)
    }
    #expect(escaped?.id == "coreml.undefined-value")
    let program = ProgramBuilder()
    var other: MILBuilder.Value?
    try program.function { f in
      let x = try f.input("x", shape: [2])
      other = x
      try f.output("y", f.relu(x: x))
    }
    let stranger = try #require(other)
    let foreign = error { f in _ = try f.relu(x: stranger) }
    #expect(foreign?.id == "coreml.undefined-value")
  }

  @Test func controlFlow() throws {
    let program = ProgramBuilder()
    try program.function { f in
      let (x, flag) = (try f.input("x", shape: [2]), try f.input("flag", shape: [], dataType: .bool))
      let chosen = try f.cond(pred: flag) {
        [try f.mul(x: x, y: 2)]
      } false: {
        [try f.sub(x: 1, y: x)]
      }
      let zero = try f.fill(shape: [1], value: 0.0)
      let loop = try f.while_loop(loop_vars: [zero, chosen[0]]) { carried in
        try f.squeeze(x: f.less(x: carried[0], y: 3))
      } body: { carried in
        [try f.add(x: carried[0], y: 1), try f.add(x: carried[1], y: carried[1])]
      }
      try f.output("y", loop[1])
    }
    let x = Tensor([2], floats: [1, 3])
    #expect(try run(program, [x, Tensor(.bool, [], [1])])[0].floats == [16, 48])
    #expect(try run(program, [x, Tensor(.bool, [], [0])])[0].floats == [0, -16])
  }

  /// Weights stay compressed, in every form; what does not fit is reported at the constant's call.
  @Test func compressedConstants() throws {
    let program = ProgramBuilder()
    try program.function { f in
      let x = try f.input("x", shape: [1, 4])
      let palette = try f.constexpr_lut_to_dense(
        indices: Constant(shape: [2, 4], [0, 1, 2, 3, 3, 2, 1, 0], dataType: .uint2),
        lut: Constant(shape: [1, 1, 4, 1], [-1, 0, 0.5, 2])
      )
      let scaled = try f.constexpr_blockwise_shift_scale(
        data: Constant(shape: [4, 2], [-8, 7, 1, 2, 3, 4, -5, 6], dataType: .int4),
        scale: Constant(shape: [1, 2], [0.5, 2])
      )
      let sparse = try f.constexpr_sparse_to_dense(
        nonzero_data: Constant(shape: [2], [5.0, 7]),
        mask: Constant(shape: [2], [1, 1], dataType: .uint1)
      )
      let affine = try f.constexpr_affine_dequantize(
        quantized_data: Constant(shape: [2, 2], [1, 2, 3, 4], dataType: .uint8),
        zero_point: Constant(shape: [], [1], dataType: .uint8),
        scale: 0.25,
        axis: 0
      )
      let indices = try f.constexpr_lut_to_sparse(
        indices_mask: Constant(shape: [2, 2], [1, 0, 0, 1], dataType: .uint1),
        indices_nonzero_data: Constant(shape: [2], [1, 0], dataType: .uint1),
        lut: Constant(shape: [1, 1, 2, 1], [3.0, 4])
      )
      let chosen = try f.constexpr_sparse_to_dense(nonzero_data: indices[1], mask: indices[0])
      var y = try f.linear(x: x, weight: palette, bias: sparse)
      y = try f.matmul(x: y, y: affine)
      y = try f.matmul(x: y, y: chosen)
      try f.output("y", f.linear(x: y, weight: scaled))
    }
    let function = program.functions[0]
    #expect(function.body.operations.count { $0.isConstantExpression } == 6)
    // x · Pᵀ + b = [6.5, 8.5]; · A = [4.25, 8]; · C = [17, 24].
    let y = try run(program, [Tensor([1, 4], floats: [1, 1, 1, 1])])[0]
    let row = [17.0, 24]
    let rows = [[-4.0, 14], [0.5, 4], [1.5, 8], [-2.5, 12]]
    #expect(y.doubles == rows.map { $0[0] * row[0] + $0[1] * row[1] })

    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-builder-\(UUID()).mlpackage").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try program.write(to: path, minimumDeploymentTarget: .iOS18).isEmpty)
    let back = try CoreMLPackage.read(path).main
    #expect(back.body.operations.count { $0.isConstantExpression } == 6)

    var line = 0
    let wrong = error { f in
      line = #line + 1
      _ = try f.constexpr_lut_to_dense(
        indices: Constant(shape: [4], [0, 1, 2, 3], dataType: .uint2),
        lut: Constant(shape: [1, 3, 1], [1.0, 2, 3])
      )
    }
    #expect(wrong?.id.hasPrefix("constexpr") == true && wrong?.line == line, "\(wrong as Any)")
    #expect(error { f in _ = try f.input("x", shape: [2], dataType: .uint4) }?.id == "coreml.type")
  }

  /// `held` grows by `x` where `flag` says so, then doubles three times; `kept` is read alone.
  @Test func statesAreWrittenInBlocks() throws {
    let program = ProgramBuilder()
    try program.function { f in
      let (flag, x) = (try f.input("flag", shape: [], dataType: .bool), try f.input("x", shape: [2]))
      let held = try f.state("held", shape: [2], dataType: .float32)
      let kept = try f.state("kept", shape: [2], dataType: .float32)
      let branch = try f.cond(pred: flag) {
        [try f.coreml_update_state(state: held, value: f.add(x: f.read_state(input: held), y: x))]
      } false: {
        [try f.add(x: x, y: f.read_state(input: kept))]
      }
      let rounds = try f.while_loop(loop_vars: [f.fill(shape: [1], value: 0.0)]) { counts in
        try f.squeeze(x: f.less(x: counts[0], y: 3))
      } body: { counts in
        let now = try f.read_state(input: held)
        try f.coreml_update_state(state: held, value: f.add(x: now, y: now))
        return [try f.add(x: counts[0], y: 1)]
      }
      try f.output("branch", branch[0])
      try f.output("rounds", rounds[0])
    }
    let function = program.functions[0]
    #expect(function.states.map(\.name) == ["held", "kept"])
    // The branch gives one state beside its result.
    #expect(function.body.operations.first { $0.op is Cond }?.outputs.count == 2)
    let (held, kept) = (Tensor([2], floats: [1, 2]), Tensor([2], floats: [5, 7]))
    let x = Tensor([2], floats: [10, 20])
    for (flag, branch, after) in [(1.0, [11.0, 22], [88.0, 176]), (0, [15, 27], [8, 16])] {
      let results = try run(program, [Tensor(.bool, [], [flag]), x, held, kept])
      #expect(results.map(\.doubles) == [branch, [3], after, [5, 7]])
    }
  }

  @Test func blocksDeclareNoState() throws {
    let wrong = error { f in
      let (flag, x) = (try f.input("flag", shape: [], dataType: .bool), try f.input("x", shape: [1]))
      _ = try f.cond(pred: flag) {
        [try f.read_state(input: f.state("held", shape: [1], dataType: .float32))]
      } false: {
        [x]
      }
    }
    #expect(wrong?.id == "coreml.state")
  }

  @Test func conditionsWriteNoState() throws {
    let wrong = error { f in
      let x = try f.input("x", shape: [1])
      let held = try f.state("held", shape: [1], dataType: .float32)
      _ = try f.while_loop(loop_vars: [x]) { carried in
        try f.coreml_update_state(state: held, value: carried[0])
        return try f.squeeze(x: f.less(x: carried[0], y: 3))
      } body: { carried in
        [try f.add(x: carried[0], y: 1)]
      }
    }
    #expect(wrong?.id == "coreml.state")
  }

  @Test func interfaces() throws {
    let program = ProgramBuilder()
    program.metadata = ["author": "me"]
    try program.function { f in
      let image = try f.image("image", height: .range(4...64), width: 8, colorLayout: .bgr)
      let mean = try f.reduce_mean(x: f.cast(x: image, dtype: "fp32"), axes: [0, 2, 3], keep_dims: false)
      let classes = try f.classify(probabilities: f.softmax(x: mean, axis: 0), classes: ["b", "g", "r"])
      try f.output("label", classes[0])
      try f.output("scores", classes[1])
    }
    try program.function("count") { f in
      let memory = try f.state("memory", shape: [3])
      let next = try f.add(x: f.read_state(input: memory), y: f.input("x", shape: [3], dataType: .float16))
      try f.coreml_update_state(state: memory, value: next)
      try f.output("now", next)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "builder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "p.mlpackage").path()
    try program.write(to: path)
    let back = try CoreMLPackage.read(path)
    #expect(back.main.features.inputs.map(\.form) == [.image(.bgr)])
    #expect(
      back.main.features.classLabels == .strings(["b", "g", "r"]) && back.main.features.classifier?.label == "label"
    )
    #expect(back.main.bounds == ["image_d2": 4...64] && back.metadata.contains { $0 == ("author", "me") })
    #expect(back.functions[1].states.map(\.name) == ["memory"])
    #expect(throws: BuildError.self) { try ProgramBuilder().write(to: path) }
  }

  /// A network written against the builder computes what its twin from ONNX does, bit for bit.
  @Test func mobileNetV2() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: ".cache/zoo/mobilenet_v2.onnx").path()
    try #require(FileManager.default.fileExists(atPath: path), "no models in .cache: run 'make corpora'")
    var twin = try ONNXImporter.read(path).main
    try PassPipeline([]).run(&twin)
    var constants: [(weight: Constant, bias: Constant)] = []
    for operation in twin.body.operations where operation.op is Conv || operation.op is Linear {
      let parts = try ["weight", "bias"].map { name in
        try #require(operation.argument(name).flatMap { twin.fact($0).value })
      }
      constants.append((Constant(parts[0]), Constant(parts[1])))
    }
    #expect(constants.count == 53)
    let program = try MobileNetV2(weights: constants).build()
    let pixels = (0..<3 * 224 * 224).map { (place: Int) -> Float in Float((place * 7919) % 1013) / 500 - 1 }
    let input = Tensor([1, 3, 224, 224], floats: pixels)
    let (mine, theirs) = (try run(program, [input])[0], try Interpreter(twin).run([input])[0])
    #expect(mine.shape == [1, 1000] && mine.floats == theirs.floats)
  }
}
