import MLCCore
import MLCGraph
import MLCImportKeras
import MLCOps
import Testing

/// Layers and options that no recorded model has.
@Suite struct LayerTests {
  private static let ramp = Tensor(.float32, [1, 2, 3, 2], (0..<12).map { Double($0) })

  /// Channels behind the batch: what the same layer gives on the transposed image, transposed.
  @Test func channelsFirst() throws {
    let model = { (format: String, shape: String) in
      Written.sequence(
        shape,
        [
          ("ZeroPadding2D", #""padding":[[1,0],[0,1]],"data_format":"\#(format)""#),
          ("MaxPooling2D", #""pool_size":2,"strides":1,"padding":"same","data_format":"\#(format)""#),
          ("GlobalAveragePooling2D", #""data_format":"\#(format)""#),
        ]
      )
    }
    let last = try Written.run(model("channels_last", "[null,2,3,2]"), Self.ramp)
    let turned = Tensor(.float32, [1, 2, 2, 3], [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11].map { Double($0) })
    #expect(try Written.run(model("channels_first", "[null,2,2,3]"), turned) == last)
  }

  @Test func flattenForgetsTheLayout() throws {
    let turned = Tensor(.float32, [1, 2, 2, 3], [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11].map { Double($0) })
    let flat = Written.sequence("[null,2,2,3]", [("Flatten", #""data_format":"channels_first""#)])
    #expect(try Written.run(flat, turned) == Self.ramp.reshaped([1, 12]))
  }

  @Test func thresholds() throws {
    let x = Tensor(.float32, [1, 5], [-2, -0.5, 0.5, 1, 4])
    let relu = Written.sequence("[null,5]", [("ReLU", #""threshold":0.5,"max_value":3,"negative_slope":0.5"#)])
    #expect(try Written.run(relu, x).doubles == [-1.25, -0.5, 0, 1, 3])
    let thresholded = Written.sequence("[null,5]", [("ThresholdedReLU", #""theta":0.75"#)])
    #expect(try Written.run(thresholded, x).doubles == [0, 0, 0, 1, 4])
  }

  /// The hard sigmoid of Keras 2 is steeper than that of Keras 3.
  @Test func hardSigmoids() throws {
    let x = Tensor(.float32, [1, 2], [1, -3])
    let model = Written.sequence("[null,2]", [("Activation", #""activation":"hard_sigmoid""#)])
    #expect(abs(try Written.run(model, x, version: "2.4.0").doubles[0] - 0.7) < 1e-6)
    #expect(abs(try Written.run(model, x, version: "3.0.0").doubles[0] - 2.0 / 3) < 1e-6)
  }

  /// An activation may be a layer in a layer's config.
  @Test func activationLayers() throws {
    let x = Tensor(.float32, [1, 2], [1, -4])
    let leaky = #"{"class_name":"LeakyReLU","config":{"name":"a","negative_slope":0.25}}"#
    let model = Written.sequence("[null,2]", [("Activation", #""activation":\#(leaky)"#)])
    #expect(try Written.run(model, x).doubles == [1, -1])
  }

  @Test func inputsKeepNamesAndLayout() throws {
    let function = try Written.program(Written.sequence("[null,null,3,2]", [("MaxPooling2D", "")])).main
    #expect(function[function.inputs[0]].name == "x")
    #expect(function.type(function.inputs[0]).description == "fp32[batch, x_1, 3, 2]")
    #expect(function.outputNames == ["l0"])
    let bound = ["x": TensorType(.float32, [2, 8, 3, 2])]
    let fixed = try Written.program(Written.sequence("[null,null,3,2]", [("MaxPooling2D", "")]), bindings: bound).main
    #expect(fixed.type(fixed.outputs[0]).staticShape == [2, 4, 1, 2])
  }

  /// Between layers that want channels behind the batch, axes are not turned.
  @Test func noTransposesBetweenSpatialLayers() throws {
    let layers = [("MaxPooling2D", ""), ("ReLU", ""), ("ZeroPadding2D", #""padding":1"#), ("AveragePooling2D", "")]
    let function = try Written.program(Written.sequence("[null,8,8,3]", layers)).main
    #expect(function.body.operations.count { $0.name == "transpose" } == 2)
  }

  /// With arithmetic in float16 each operation rounds: 2048 + 1 is 2048, and so is that with a bias of 1.
  @Test func mixedPrecisionRoundsEachOperation() throws {
    let model = Written.sequence("[null,2]", [("Dense", #""units":1,"dtype":"mixed_float16""#)])
    let weights = ["l0": [Tensor(.float32, [2, 1], [1, 1]), Tensor(.float32, [1], [1])]]
    let y = try Written.run(model, Tensor(.float32, [1, 2], [2048, 1]), weights: weights)
    #expect(y == Tensor(.float16, [1, 1], [2048]))
    // Weights of 16 bits would not be what the file holds: norms keep theirs.
    let norm = Written.sequence("[null,2]", [("LayerNormalization", #""dtype":"mixed_float16","scale":false"#)])
    let program = try Written.program(norm, weights: ["l0": [Tensor(.float32, [2], [0.1, 0.2])]]).main
    #expect(program.body.operations.contains { $0.op is LayerNorm && program.type($0.outputs[0]).dtype == .float32 })
  }

  /// Keras 2 adds numbers of float16 one by one; long sums are left to one operation, and so are those of Keras 3.
  @Test(arguments: [("2.15.0", 64, 63), ("2.15.0", 65, 0), ("2.15.0", 1, 0), ("3.0.0", 64, 0)])
  func halfMeansRoundEachSum(version: String, steps: Int, additions: Int) throws {
    let model = Written.sequence(
      "[null,\(steps),4]",
      [("GlobalAveragePooling1D", #""dtype":"float16""#)],
      dtype: "float16"
    )
    let operations = try Written.program(model, version: version).main.body.operations
    #expect(operations.count { $0.op is Add } == additions)
    #expect(operations.contains { $0.op is ReduceMean } == (additions == 0))
  }

  /// `x + y` aligns last axes, where the layer `Add` aligns batches.
  @Test(arguments: [("keras.layers", true), ("keras.src.ops.numpy", false)])
  func operationsAlignLastAxes(module: String, movesAxes: Bool) throws {
    func input(_ name: String, _ shape: String) -> String {
      #"{"class_name":"InputLayer","name":"\#(name)","inbound_nodes":[],"#
        + #""config":{"name":"\#(name)","batch_shape":\#(shape)}}"#
    }
    func tensor(_ layer: String) -> String {
      #"{"class_name":"__keras_tensor__","config":{"keras_history":["\#(layer)",0,0]}}"#
    }
    let tensors = "\(tensor("x")),\(tensor("y"))"
    let arguments = module == "keras.layers" ? "[\(tensors)]" : tensors
    let add =
      #"{"module":"\#(module)","class_name":"Add","name":"add","config":{"name":"add"},"#
      + #""inbound_nodes":[{"args":[\#(arguments)],"kwargs":{}}]}"#
    let model =
      #"{"class_name":"Functional","config":{"name":"f","#
      + #""layers":[\#(input("x", "[2,2,3]")),\#(input("y", "[2,3]")),\#(add)],"#
      + #""input_layers":[["x",0,0],["y",0,0]],"output_layers":[["add",0,0]]}}"#
    let operations = try Written.program(model).main.body.operations
    #expect(operations.contains { $0.op is ExpandDims } == movesAxes)
  }

  /// Every layer that the table has is named by one type only.
  @Test func tableNamesEachClassOnce() {
    let names = KerasLayerTable.layers.flatMap { $0.classNames }
    #expect(Set(names).count == names.count)
  }
}
