import MLCCore
import MLCInterfaceCode
import MLCPackage

/// Interfaces whose generated classes stand in Golden: they are compiled with these tests, warnings as errors, and
/// compared.
enum SampleInterfaces {
  static let all: [(file: String, model: @Sendable () throws(Diagnostic) -> ModelClass)] = [
    ("Detector", { @Sendable () throws(Diagnostic) in try detector() }),
    ("Awkward", { @Sendable () throws(Diagnostic) in try awkward() }),
    ("Counter", { @Sendable () throws(Diagnostic) in try counter() }),
    ("Labeler", { @Sendable () throws(Diagnostic) in try labeler() }),
    ("Tagger", { @Sendable () throws(Diagnostic) in try tagger() }),
    ("Optionals", { @Sendable () throws(Diagnostic) in try optionals() }),
    ("AllOptional", { @Sendable () throws(Diagnostic) in try allOptional() }),
    ("Painter", { @Sendable () throws(Diagnostic) in try painter() }),
    ("Matcher", { @Sendable () throws(Diagnostic) in try matcher() }),
  ]

  /// What most models are like.
  private static func detector() throws(Diagnostic) -> ModelClass {
    let image = FunctionInterface.Port(
      "image",
      TensorType(.float32, ["batch", 3, "height", "width"]),
      metadata: ["description": "BGR,\n0 … 1"]
    )
    let function = FunctionInterface(
      "main",
      inputs: [image],
      outputs: [.init("probabilities", TensorType(.float16, ["batch", Dim.symbol("height").floorDiv(4)]))],
      symbols: [.init("batch"), .init("height", range: 32...64), .init("width", range: 32...48)],
      enumerations: [SizeEnumeration(["height", "width"], choices: [[32, 48], [64, 32]])].compactMap { $0 }
    )
    let location = ResourceLocation(
      folder: "Detector.mlmodelc",
      bundle: "App_App.resources",
      buildPath: "/build/outputs/Detector.mlmodelc"
    )
    var model = try ModelClass(name: "Detector", function: function, source: "Detector.onnx", location: location)
    model.access = .public
    model.metadata = ["description": "Finds text.", "author": "Somebody", "character": "abc"]
    return model
  }

  /// Pictures in and out, one of any size, and a number beside.
  private static func painter() throws(Diagnostic) -> ModelClass {
    var function = FunctionInterface(
      "main",
      inputs: [
        .init("photo", TensorType(.float32, [1, 3, 32, 48])), .init("mask", TensorType(.float32, [1, 1, 32, 48])),
        .init("style", TensorType(.float32, [1, 3, "height", "width"])), .init("strength", TensorType(.float32, [1])),
      ],
      outputs: [.init("painting", TensorType(.float32, [1, 3, 32, 48]))],
      symbols: [.init("height", range: 8...64), .init("width", range: 8...64)]
    )
    function.features.inputs = [
      Feature("photo", .image(.rgb)), Feature("mask", .image(.gray)), Feature("style", .image(.bgr)),
      Feature("strength", .number),
    ]
    function.features.outputs = [Feature("painting", .image(.rgb))]
    let location = ResourceLocation(folder: "Painter.mlmodelc")
    return try ModelClass(name: "Painter", function: function, source: "Painter.onnx", location: location)
  }

  /// Pictures whose names differ in a letter's case, and a word of Swift's, which may be left out.
  private static func matcher() throws(Diagnostic) -> ModelClass {
    let picture = TensorType(.float32, [1, 3, 8, 8])
    var function = FunctionInterface(
      "main",
      inputs: [.init("image", picture), .init("Image", picture), .init("in", picture)],
      outputs: [.init("score", TensorType(.float32, [1]))]
    )
    function.features.inputs = [
      Feature("image", .image(.rgb)), Feature("Image", .image(.rgb)), Feature("in", .image(.bgr), isOptional: true),
    ]
    let location = ResourceLocation(folder: "Matcher.mlmodelc")
    var model = try ModelClass(name: "Matcher", function: function, source: "Matcher.onnx", location: location)
    model.access = .public
    return model
  }

  /// Names that mean something else in Swift, names that collide, text that would end its literal or comment, and every
  /// element type.
  private static func awkward() throws(Diagnostic) -> ModelClass {
    let hostile = "x\"\\ \u{2028}*/ \n}"
    let function = FunctionInterface(
      "main\nfatalError()",
      inputs: [
        .init("in", TensorType(.int64, [1, 2])), .init("inout", TensorType(.float32, [1])),
        .init("self", TensorType(.bool, [Dim]())),
        .init("a.b", TensorType(.float64, [2])), .init("a/b", TensorType(.int32, [2])),
        .init(hostile, TensorType(.int8, [2]), metadata: ["description": "\u{2029}import Evil\n"]),
        .init("input", TensorType(.uint8, [2])), .init("MLMultiArray", TensorType(.bfloat16, [2])),
      ],
      outputs: [
        .init("default", TensorType(.float32, [1])), .init("var", TensorType(.float32, [1])),
        .init("y", TensorType(.float32, [1])),
        .init("yShapedArray", TensorType(.float32, [1])), .init("features", TensorType(.int16, [1])),
        .init("array", TensorType(.uint64, [1])), .init("value", TensorType(.uint64, [1])),
      ]
    )
    let location = ResourceLocation(folder: "a \"b\".mlmodelc")
    var model = try ModelClass(name: "Awkward", function: function, source: "a\n\"b\".onnx", location: location)
    model.functions = ["main\nfatalError()", "other"]
    return model
  }

  /// A model of texts, most of whose inputs and outputs are such.
  private static func labeler() throws(Diagnostic) -> ModelClass {
    let function = FunctionInterface(
      "main",
      inputs: [.init("title", TensorType(.string, [1, 1])), .init("words", TensorType(.string, ["n"]))],
      outputs: [
        .init("label", TensorType(.string, [1])), .init("pieces", TensorType(.string, ["n", 2])),
        .init("scores", TensorType(.float32, ["n"])),
      ],
      symbols: [.init("n")]
    )
    let location = ResourceLocation(folder: "Labeler.mlmodelc")
    return try ModelClass(name: "Labeler", function: function, source: "Labeler.onnx", location: location)
  }

  /// A classifier of what is more than arrays.
  private static func tagger() throws(Diagnostic) -> ModelClass {
    var features = Features()
    features.inputs = [
      Feature("counts", .dictionary(isText: true), summary: "How often each word is there."), Feature("age", .number),
      Feature("ids", .sequence),
    ]
    features.outputs = [
      Feature("label", .number), Feature("scores", .scores(.integers([1, 2]))),
      Feature("by word", .dictionary(isText: true)),
    ]
    features.classifier = .init(label: "label", probabilities: "scores")
    let function = FunctionInterface(
      "main",
      inputs: [
        .init("counts.keys", TensorType(.string, ["n"])), .init("counts.values", TensorType(.float64, ["n"])),
        .init("age", TensorType(.float64, [Dim]())), .init("ids", TensorType(.int64, ["m"])),
      ],
      outputs: [
        .init("label", TensorType(.int64, [Dim]())), .init("scores", TensorType(.float32, [2])),
        .init("by word.keys", TensorType(.string, ["n"])), .init("by word.values", TensorType(.float64, ["n"])),
      ],
      symbols: [.init("n"), .init("m")],
      features: features
    )
    let location = ResourceLocation(folder: "Tagger.mlmodelc")
    return try ModelClass(name: "Tagger", function: function, source: "Tagger.mlmodel", location: location)
  }

  /// A model that needs one of its inputs, which are of every kind.
  private static func optionals() throws(Diagnostic) -> ModelClass {
    var features = Features()
    features.inputs = [
      Feature("bias", isOptional: true, defaultValue: 0.5),
      Feature("counts", .dictionary(isText: true), isOptional: true),
      Feature("age", .number, isOptional: true, summary: "In years."), Feature("ids", .sequence, isOptional: true),
      Feature("title", isOptional: true),
    ]
    let function = FunctionInterface(
      "main",
      inputs: [
        .init("x", TensorType(.float32, [2])), .init("bias", TensorType(.float16, [2])),
        .init("counts.keys", TensorType(.string, ["n"])), .init("counts.values", TensorType(.float64, ["n"])),
        .init("age", TensorType(.float64, [Dim]())), .init("ids", TensorType(.int64, ["m"])),
        .init("title", TensorType(.string, [1])),
      ],
      outputs: [.init("y", TensorType(.float32, [2]))],
      symbols: [.init("n"), .init("m")],
      features: features
    )
    let location = ResourceLocation(folder: "Optionals.mlmodelc")
    return try ModelClass(name: "Optionals", function: function, source: "Optionals.mlmodel", location: location)
  }

  /// A model that needs nothing.
  private static func allOptional() throws(Diagnostic) -> ModelClass {
    var features = Features()
    features.inputs = [Feature("x", isOptional: true), Feature("age", .number, isOptional: true)]
    let function = FunctionInterface(
      "main",
      inputs: [.init("x", TensorType(.float32, [2])), .init("age", TensorType(.int64, [Dim]()))],
      outputs: [.init("y", TensorType(.float32, [2]))],
      features: features
    )
    let location = ResourceLocation(folder: "AllOptional.mlmodelc")
    return try ModelClass(name: "AllOptional", function: function, source: "AllOptional.mlmodel", location: location)
  }

  /// A model with a state, and without inputs.
  private static func counter() throws(Diagnostic) -> ModelClass {
    let count = TensorType(.float32, [1])
    let function = FunctionInterface(
      "main",
      inputs: [.init("total", count)],
      outputs: [.init("count", count), .init("total_out", count)],
      states: [.init("total", input: 0, output: 1)]
    )
    var model = try ModelClass(
      name: "Counter",
      function: function,
      source: "Counter.mlpackage",
      location: ResourceLocation(folder: "Counter.mlmodelc")
    )
    model.access = .package
    return model
  }
}
