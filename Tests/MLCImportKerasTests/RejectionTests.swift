import MLCCore
import MLCHDF5
import MLCImportKeras
import Testing

/// The smallest models that are refused, and why.
@Suite struct RejectionTests {
  private static let vector = "[null, 4]", image = "[null, 5, 5, 2]", steps = "[null, 3, 2]"

  @Test func layers() {
    let sequences: [(id: String, shape: String, layers: [(String, String)])] = [
      ("keras.config", Self.vector, [("RepeatVector", #""n":"three""#)]),
      ("keras.config", Self.vector, [("Reshape", #""target_shape":[-1,-1]"#)]),
      ("keras.config", Self.vector, [("RepeatVector", #""n":-9223372036854775808"#)]),
      ("keras.config", Self.image, [("Permute", #""dims":[1,2]"#)]),
      ("keras.config", Self.image, [("Cropping2D", #""cropping":3"#)]),
      ("keras.dtype", Self.vector, [("Softmax", #""dtype":"int8_from_float32""#)]),
      ("keras.axis", Self.vector, [("Softmax", #""axis":7"#)]),
      ("keras.rank", Self.vector, [("MaxPooling2D", "")]),
      ("keras.padding", Self.image, [("MaxPooling2D", #""padding":"reflect""#)]),
      ("keras.option", Self.image, [("UpSampling2D", #""interpolation":"lanczos3""#)]),
      ("keras.option", Self.image, [("Resizing", #""height":2,"width":2,"crop_to_aspect_ratio":true"#)]),
      ("keras.option", Self.image, [("CenterCrop", #""height":2,"width":6"#)]),
      ("keras.config", Self.image, [("Resizing", #""height":0,"width":2"#)]),
      ("keras.config", Self.vector, [("Normalization", #""mean":[[1],[2,3]],"variance":1"#)]),
      ("keras.weights", Self.vector, [("Normalization", #""mean":[[1]],"variance":1"#)]),
      ("keras.dtype", Self.vector, [("Normalization", #""mean":1,"variance":1,"dtype":"int32""#)]),
      ("keras.weights", Self.image, [("GroupNormalization", #""groups":3,"scale":false,"center":false"#)]),
      ("keras.axis", Self.image, [("GroupNormalization", #""axis":2,"scale":false,"center":false"#)]),
      ("keras.activation", Self.vector, [("Activation", #""activation":"mine""#)]),
      ("keras.recurrent-activation", Self.steps, [("LSTM", #""units":1,"activation":"selu""#)]),
      ("keras.mask", Self.steps, [("Masking", ""), ("Softmax", "")]),
      ("keras.reshape", Self.vector, [("Reshape", #""target_shape":[3,-1]"#)]),
      ("keras.inputs", Self.vector, [("Add", "")]),
      ("keras.unsupported", Self.vector, [("Lambda", #""function":["print(1)"]"#)]),
      ("keras.unsupported", Self.vector, [("TFOpLambda", #""function":"math.cumsum""#)]),
      ("keras.inputs", Self.vector, [("TFOpLambda", #""function":"math.add""#)]),
      ("keras.axis", Self.vector, [("TFOpLambda", #""function":"math.reduce_sum","axis":2"#)]),
      ("keras.inputs", Self.vector, [("GetItem", "")]),
      ("keras.option", Self.steps, [("MultiHeadAttention", #""attention_axes":[1,2]"#)]),
      ("keras.option", Self.steps, [("MultiHeadAttention", #""use_gate":true"#)]),
      ("keras.inputs", Self.vector, [("MultiHeadAttention", "")]),
      ("keras.inputs", Self.vector, [("Attention", #""use_scale":false"#)]),
      ("keras.weights", Self.vector, [("Dense", #""units":1"#)]),
      ("keras.weights", Self.image, [("LayerScale", "")]),
      ("keras.inputs", Self.vector, [("CustomScaleLayer", #""scale":2"#)]),
      ("keras.config", Self.steps, [("RNN", #""cell":"LSTM""#)]),
      ("keras.config", Self.steps, [("RNN", #""cell":{"class_name":"StackedRNNCells","config":{"cells":[]}}"#)]),
      ("keras.unsupported", Self.steps, [("RNN", #""cell":{"class_name":"Own","config":{"name":"own"}}"#)]),
      ("keras.config", Self.steps, [("RNN", #""cell":{"class_name":"Softmax","config":{"name":"s"}}"#)]),
      ("keras.inputs", Self.vector, [("LSTMCell", #""units":1"#)]),
      ("keras.option", "[null,null,5,5,2]", [("ConvLSTM2D", #""kernel_size":1"#)]),
      ("keras.option", "[null,257,5,5,2]", [("ConvLSTM2D", #""kernel_size":1"#)]),
    ]
    let weights = Tensor(.float32, [2, 4], [Double](repeating: 0, count: 8))
    let recurrent = Tensor(.float32, [1, 4], [Double](repeating: 0, count: 4))
    let bias = Tensor(.float32, [4], [Double](repeating: 0, count: 4))
    let pictures = Tensor(.float32, [1, 1, 2, 4], [Double](repeating: 0, count: 8))
    let heads = [Tensor](repeating: Tensor(.float32, [1, 1, 1], [1.0]), count: 8)
    for (id, shape, layers) in sequences {
      let given =
        switch layers[0].0 {
        case "LSTM", "LSTMCell": ["l0": [weights, recurrent, bias]]
        case "ConvLSTM2D": ["l0": [pictures, pictures, bias]]
        case "MultiHeadAttention": ["l0": heads]
        case "LayerScale": ["l0": [bias]]
        default: [String: [Tensor]]()
        }
      let problem = Written.problem(Written.sequence(shape, layers), weights: given)
      #expect(problem?.id.rawValue == id, "\(layers): \(problem?.description ?? "accepted")")
      #expect(problem?.location.file == "m.h5")
    }
  }

  /// All at once, with the user's names; the author's own classes by the name they are registered under.
  @Test func unknownLayersAreListedTogether() throws {
    let own = #"{"class_name":"Dense","registered_name":"mine>Dense","module":"mine","config":{"name":"own"}}"#
    let lambda = #"{"class_name":"Lambda","config":{"name":"code"}}"#
    let problem = try #require(
      Written.problem(#"{"class_name":"Sequential","config":{"name":"s","layers":[\#(own),\#(lambda),\#(lambda)]}}"#)
    )
    #expect(problem.id == "keras.unsupported")
    #expect(problem.kind == .unsupported)
    #expect(problem.notes.count == 2)
    #expect(problem.notes[0].contains("Lambda") && problem.notes[0].contains("×2"))
    #expect(problem.notes[1].contains("mine>Dense") && problem.notes[1].contains("own"))
  }

  /// Classes that Keras' applications bring along, which they register as an author would.
  @Test(arguments: [
    ("tf_keras.src.applications.convnext", true), ("mine", false), ("tf_keras.src.applicationsx", false),
  ])
  func classesOfApplicationsAreKnownByTheirModule(module: String, isKnown: Bool) {
    let scale =
      #"{"class_name":"LayerScale","registered_name":"Custom>LayerScale","#
      + #""module":"\#(module)","config":{"name":"own"}}"#
    let problem = Written.problem(#"{"class_name":"Sequential","config":{"name":"s","layers":[\#(scale)]}}"#)
    #expect((problem?.id != "keras.unsupported") == isKnown)
  }

  @Test func files() throws {
    func problem(_ body: () throws(Diagnostic) -> Void) -> String? {
      do throws(Diagnostic) { try body() } catch { return error.id.rawValue }
      return nil
    }
    #expect(problem { () throws(Diagnostic) in _ = try KerasFile.whole(HDF5File([])) } == "keras.no-model")
    #expect(problem { () throws(Diagnostic) in _ = try Written.file("{") } == "keras.json")
    let backend = HDF5Attribute(name: "backend", type: "string", shape: [], value: .strings(["theano"]))
    let config = HDF5Attribute(name: "model_config", type: "string", shape: [], value: .strings(["{}"]))
    var root = HDF5Object("/", .group)
    root.attributes = [backend, config]
    #expect(problem { () throws(Diagnostic) in _ = try KerasFile.whole(HDF5File([root])) } == "keras.backend")
    #expect(Written.problem("[]")?.id == "keras.layer")
    #expect(Written.problem(#"{"class_name":"Softmax","config":{}}"#)?.id == "keras.layer")
  }

  @Test func inputs() {
    let model = Written.sequence(Self.vector, [("Softmax", "")])
    let wrong = ["y": TensorType(.float32, [1, 4])]
    #expect(Written.problem(model, bindings: wrong)?.id == "keras.unknown-input")
    let long = ["x": TensorType(.float32, [1, 5])]
    #expect(Written.problem(model, bindings: long)?.id == "keras.input-shape")
    let open = #"{"class_name":"Sequential","config":{"name":"s","layers":[{"class_name":"Softmax","config":{}}]}}"#
    #expect(Written.problem(open)?.id == "keras.no-shape")
    let sparse = #"{"class_name":"InputLayer","config":{"name":"x","batch_shape":[null,4],"sparse":true}}"#
    #expect(
      Written.problem(#"{"class_name":"Sequential","config":{"name":"s","layers":[\#(sparse)]}}"#)?.id
        == "keras.input-type"
    )
  }

  @Test func topology() {
    func model(_ nodes: String, _ outputs: String) -> String {
      let input = #"{"class_name":"InputLayer","name":"x","config":{"name":"x","batch_shape":[1]},"inbound_nodes":[]}"#
      let layer = #"{"class_name":"ReLU","name":"r","config":{"name":"r"},"inbound_nodes":\#(nodes)}"#
      return #"{"class_name":"Functional","config":{"name":"m","layers":[\#(input),\#(layer)],"#
        + #""input_layers":[["x",0,0]],"output_layers":\#(outputs)}}"#
    }
    #expect(Written.problem(model(#"[[["x",0,0,{}]]]"#, #"[["r",0,0]]"#)) == nil)
    let broken = [
      // of itself, of nobody, an output that is not there, a call that is not made, no outputs
      (#"[[["r",0,0,{}]]]"#, #"[["r",0,0]]"#), (#"[[["q",0,0,{}]]]"#, #"[["r",0,0]]"#),
      (#"[[["x",0,0,{}]]]"#, #"[["r",0,1]]"#), (#"[[["x",0,0,{}]]]"#, #"[["r",4,0]]"#), (#"[[["x",0,0,{}]]]"#, "[]"),
    ]
    for (nodes, outputs) in broken {
      #expect(Written.problem(model(nodes, outputs))?.id == "keras.topology", "\(nodes) \(outputs)")
    }
  }

  /// Models that call models that call models … unfold without end.
  @Test func unfolding() {
    var inner = #"{"class_name":"ReLU","name":"m","config":{"name":"m"}"#
    for _ in 0..<12 {
      let input = #"{"class_name":"InputLayer","name":"x","config":{"name":"x","batch_shape":[1]},"inbound_nodes":[]}"#
      let calls = (0..<4).map { #"[["\#($0 == 0 ? "x" : "m")",\#($0 == 0 ? 0 : $0 - 1),0,{}]]"# }.joined(separator: ",")
      inner =
        #"{"class_name":"Functional","name":"m","config":{"name":"m","#
        + #""layers":[\#(input),\#(inner),"inbound_nodes":[\#(calls)]}],"#
        + #""input_layers":[["x",0,0]],"output_layers":[["m",3,0]]}"#
    }
    #expect(Written.problem(inner + "}")?.id == "keras.limit")
  }
}
