import CoreMLProto
import MLCCore
import MLCFormatCoreML
import MLCGraph
import SwiftProtobuf
import Testing

private typealias Layer = CoreML_Specification_NeuralNetworkLayer

/// Layers of networks whose types data would decide, or that mean two things: what is said of them, and what is taken
/// beside them. The numbers of the latter are played in `NetworkTests`.
@Suite struct NetworkRefusalTests {
  /// The type of `y` in a network of `layers`, which takes `inputs`.
  private func type(_ inputs: [String: [Int64]], _ layers: [Layer]) throws(Diagnostic) -> TensorType {
    func array(_ shape: [Int64]) -> CoreML_Specification_FeatureType {
      .with { ($0.multiArrayType.shape, $0.multiArrayType.dataType) = (shape, .float32) }
    }
    let model = CoreML_Specification_Model.with { model in
      model.specificationVersion = 4
      model.description_p.input = inputs.keys.sorted().map { name in
        .with { ($0.name, $0.type) = (name, array(inputs[name] ?? [])) }
      }
      model.description_p.output = [.with { ($0.name, $0.type) = ("y", array([])) }]
      model.neuralNetwork.layers = layers
      model.neuralNetwork.arrayInputShapeMapping = .exactArrayMapping
    }
    let main = try program(of: model).main
    return main.type(main.outputs[0])
  }

  private func layer(_ name: String, _ inputs: [String], _ outputs: [String], _ fill: (inout Layer) -> Void) -> Layer {
    var layer = Layer()
    (layer.name, layer.input, layer.output) = (name, inputs, outputs)
    fill(&layer)
    return layer
  }

  private func copy(_ source: String, _ goal: String) -> Layer {
    layer("\(goal)_from_\(source)", [source], [goal]) { $0.copy = .init() }
  }

  // MARK: Loops

  /// `y` is `x` with an axis more for each of `rounds`, or of as many as `count` says.
  private func widened(rounds: UInt64?) throws(Diagnostic) -> TensorType {
    let loop = layer("loop", rounds == nil ? ["count"] : [], []) { loop in
      loop.loop.maxLoopIterations = rounds ?? 0
      loop.loop.bodyNetwork.layers = [
        layer("wide", ["y"], ["wide"]) { $0.expandDims.axes = [0] }, copy("wide", "y"),
      ]
    }
    return try type(["x": [2], "count": [1]], [copy("x", "y"), loop])
  }

  @Test func loopsThatChangeRanks() throws {
    #expect(try widened(rounds: 3).shape == [1, 1, 1, 2])
    let data = expectDiagnostic("coreml.loop") { _ = try widened(rounds: nil) }
    #expect(data?.kind == .unsupported && data?.location.node == "loop")
    #expect(data?.message.contains("'y', which is fp32[2]") == true, "\(data?.message ?? "")")
    #expect(data?.message.contains("data decides") == true)
    let many = expectDiagnostic("coreml.loop") { _ = try widened(rounds: 1 << 40) }
    #expect(many?.kind == .unsupported && many?.message.contains("64 axes") == true, "\(many?.message ?? "")")
  }

  /// A loop that nothing leaves is given up before long, though each round asks for what all before it made.
  @Test func loopsWithoutEnd() throws {
    let loop = layer("loop", [], []) { loop in
      loop.loop.conditionVar = "goes_on"
      loop.loop.conditionNetwork.layers = [layer("test", ["count"], ["goes_on"]) { $0.lessThan.alpha = 1 }]
      loop.loop.bodyNetwork.layers = [layer("sum", ["y"], ["sum"]) { $0.reduceSum.axes = [0] }, copy("sum", "y")]
    }
    let count = layer("zero", [], ["count"]) {
      ($0.loadConstantNd.shape, $0.loadConstantNd.data.floatValue) = ([1], [0])
    }
    let problem = expectDiagnostic("coreml.loop") { _ = try type(["x": [2, 3]], [copy("x", "y"), count, loop]) }
    #expect(problem?.message.contains("more than 4096 layers") == true, "\(problem?.message ?? "")")
  }

  // MARK: Slices

  /// `y` is `x[1, :, :]`, where `mask` gives the input with the axes that go.
  private func sliced(_ mask: [Layer]) throws(Diagnostic) -> TensorType {
    let names = ["first", "last", "step", "begin", "end", "go"]
    let constants = zip(names, [[1, 0, 0], [2, 3, 4], [1, 1, 1], [0, 1, 1], [0, 1, 1]] as [[Float]]).map {
      name,
      numbers in
      layer(name, [], [name]) { ($0.loadConstantNd.shape, $0.loadConstantNd.data.floatValue) = ([3], numbers) }
    }
    let slice = layer("slice", ["x"] + names, ["y"]) { $0.sliceDynamic = .init() }
    return try type(["x": [2, 3, 4], "data": [3]], constants + mask + [slice])
  }

  @Test func masksThatDataDecides() throws {
    let given = layer("go", [], ["go"]) {
      ($0.loadConstantNd.shape, $0.loadConstantNd.data.floatValue) = ([3], [1, 0, 0])
    }
    #expect(try sliced([given]).shape == [3, 4])
    // Of two elements along the first axis alone.
    let shape = [layer("shape", ["x"], ["shape"]) { $0.getShape = .init() }]
    let test = layer("go", ["shape"], ["go"]) { $0.lessThan.alpha = 2.5 }
    #expect(try sliced(shape + [test]).shape == [3, 4])
    let problem = expectDiagnostic("coreml.parameter") { _ = try sliced([copy("data", "go")]) }
    #expect(problem?.kind == .unsupported && problem?.location.node == "slice")
    #expect(problem?.message.contains("rank of the result would depend on data") == true)
  }

  // MARK: Transposed convolutions

  /// `y` of `[1, 1, 3, 3]`, by a kernel of 3 and strides of 2: 7 elements along each axis where nothing is cut.
  private func shaped(_ extent: UInt64, padding: (UInt64, UInt64)?, dilation: UInt64 = 1) throws(Diagnostic)
    -> TensorType
  {
    let convolution = layer("up", ["x"], ["y"]) { layer in
      layer.convolution.isDeconvolution = true
      (layer.convolution.outputChannels, layer.convolution.kernelChannels) = (1, 1)
      (layer.convolution.kernelSize, layer.convolution.stride) = ([3, 3], [2, 2])
      layer.convolution.dilationFactor = [dilation, dilation]
      layer.convolution.outputShape = [extent, extent]
      layer.convolution.weights.floatValue = (0..<9).map { Float($0) }
      guard let padding else {
        layer.convolution.same = .init()
        return
      }
      let borders = [padding, padding].map { amounts in
        CoreML_Specification_BorderAmounts.EdgeSizes.with { ($0.startEdgeSize, $0.endEdgeSize) = amounts }
      }
      layer.convolution.valid.paddingAmounts.borderAmounts = borders
    }
    return try type(["x": [1, 1, 3, 3]], [convolution])
  }

  @Test func outputShapesBesidePadding() throws {
    // Padding that makes another shape is ignored; so is what makes the same alike.
    for (extent, padding) in [(6, (0, 0)), (6, (0, 1)), (5, (1, 1)), (5, (3, 3)), (7, (0, 0)), (8, (0, 0)), (5, nil)] {
      let amounts = (padding as (Int, Int)?).map { (UInt64($0.0), UInt64($0.1)) }
      #expect(try shaped(UInt64(extent), padding: amounts).shape == [1, 1, Dim(extent), Dim(extent)])
    }
    // Two meanings: an element from the start, as padding says, or from the end.
    for (extent, padding) in [(6, (1, 0)), (5, (2, 0)), (5, (0, 2)), (6, (1, 1))] as [(UInt64, (UInt64, UInt64))] {
      let problem = expectDiagnostic("coreml.parameter") { _ = try shaped(extent, padding: padding) }
      #expect(problem?.kind == .unsupported && problem?.message.contains("give one of them alone") == true)
    }
    // No convolution makes 3 of 9 so; and the dilation that would is ignored.
    for (extent, dilation) in [(9, 1), (20, 1), (8, 2)] as [(UInt64, UInt64)] {
      let problem = expectDiagnostic("coreml.parameter") { _ = try shaped(extent, padding: (0, 0), dilation: dilation) }
      #expect(problem?.kind == .unsupported && problem?.message.contains("larger than") == true)
    }
  }
}
