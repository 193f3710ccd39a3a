import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage
import MLCTensorIO

struct Predict: Command {
  static let configuration = CommandConfiguration(
    abstract: "Runs a model on files.",
    discussion: """
      Examples:
        mlc predict model.mlmodelc --input x=data.npy -o out.npz
        mlc predict model.mlmodelc --inputs inputs.npz --json
        mlc predict classifier.onnx --input x=cat.jpg --image-size 224x224 --image-mean 123.7,116.3,103.5 \
      --image-std 58.4,57.1,57.4 --labels labels.txt --top 5
        mlc predict recogniser.mlmodelc --input x=line.png --image-mean 127.5 --image-std 127.5 \
      --labels metadata:character --ctc

      Inputs are .npy, .npz, .json, PNG, JPEG, BMP or PNM files. A picture gives (pixel - mean) / std of pixels \
      0 to 255, a batch of one; where the model says that an input is an image, in its size and order of channels. \
      A dictionary NAME is two inputs, NAME.keys and NAME.values. Optional inputs may be left out. A source model is \
      compiled for this machine first, once: see 'mlc cache'.
      """
  )

  @Argument(help: "A compiled package, or a source model.", completion: .file()) var model: String
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp("The file for an input. May be repeated.", valueName: "NAME=FILE")
  )
  var files: [String] = []
  @Option(help: ArgumentHelp("An archive with a tensor for each input.", valueName: "FILE.npz"), completion: .file())
  var inputs: String?
  @Flag(help: "Put an axis of 1 before tensors that lack the first axis of their input.") var addBatch = false
  @Option(name: .shortAndLong, help: ArgumentHelp("Write the outputs: .npz, .npy or .json.", valueName: "OUT.npz"))
  var out: String?
  @OptionGroup var custom: CustomLayerOptions
  @OptionGroup(title: "Pictures") var image: ImageOptions
  @OptionGroup(title: "Classes") var labels: LabelOptions
  @Option(help: ArgumentHelp("Run the package's code for this device.", valueName: "NAME"), completion: .target)
  var target: String?
  @OptionGroup var threads: ThreadOptions
  @Flag(help: "Run a source model on the reference interpreter, without a compiler.") var reference = false
  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Compiled packages") var package: PackageOptions
  @OptionGroup(title: "Limits, for a source model") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    try check()
    let limits = try limits.limits()
    let given = InputFiles(files: files, archive: inputs, image: image, addsBatch: addBatch)
    let runnable: Runnable
    let tensors: [Tensor]
    if try PathKind(model) == .compiled {
      runnable = try .compiled(model, target: target, threads: try threads.count(), demands: package.demands)
      tensors = try given.tensors(for: runnable.interface)
    } else {
      try package.demands.refuse(model)
      let source = try ModelSource.load(model, custom: try custom.layers(), limits: limits)
      // What is wrong with the inputs is told before the work.
      tensors = try given.tensors(for: source.program.main.interface)
      runnable =
        reference
        ? .reference(source.program, budget: source.budget)
        : try .compiled(source, target: target, threads: try threads.count(), cache: cache.cache)
    }
    let outputs = try runnable.executor.run(tensors)
    let named = zip(runnable.outputs, outputs).map { (name: $0.name, tensor: $1) }
    let reading = try labels.reading(of: named, runnable.interface.features, metadata: runnable.metadata)
    if let out { try TensorFile.write(named, to: out) }
    if output.json {
      Console.result(json(named, reading, runnable.executor.name).line)
    } else if let reading {
      Console.result(reading.text)
    } else {
      Console.result(table(named))
    }
    return 0
  }

  /// Refuses what is wrong whatever the model is.
  private func check() throws(Diagnostic) {
    let kind = try PathKind(model)
    _ = try threads.count()
    if reference { try package.demands.refuse(model) }
    if let out { try TensorFile.check(out) }
    try labels.check()
    try InputFiles(files: files, archive: inputs, image: image).check()
    let time = try limits.limits().time
    if kind != .compiled, !reference { try ModelSource.check(targets: [target ?? "host"], time: time) }
  }

  private func table(_ outputs: [(name: String, tensor: Tensor)]) -> ConsoleText {
    var table = Table(["output", "type", "minimum", "maximum", "mean"], right: [2, 3, 4], cut: [0])
    for (name, tensor) in outputs { table.add([name, "\(tensor.type)"] + summary(tensor)) }
    return table.text
  }

  /// The least and the greatest element and the mean; of texts the first ones.
  private func summary(_ tensor: Tensor) -> [String] {
    if tensor.dtype == .string {
      let texts = tensor.strings.prefix(4).map { "'\($0.cut(to: 64))'" }.joined(separator: ", ")
      return ["", "", texts + (tensor.count > 4 ? ", …" : "")]
    }
    let numbers = tensor.doubles
    let mean = Float(numbers.reduce(0, +) / Double(numbers.count)).description
    if tensor.dtype.isFloat || tensor.dtype == .uint64 {
      return [numbers.min(), numbers.max()].map { Float($0 ?? .nan).description } + [mean]
    }
    let integers = tensor.integers
    return [integers.min(), integers.max()].map { $0.map(String.init) ?? "nan" } + [mean]
  }

  private func json(
    _ outputs: [(name: String, tensor: Tensor)],
    _ reading: LabelOptions.Reading?,
    _ executor: String
  ) -> JSON {
    let rows: [JSON] = outputs.map { name, tensor in
      // Larger tensors belong into a file.
      let isSmall = tensor.count <= 4096
      return .object([
        "name": .string(name), "dtype": .string(tensor.dtype.rawValue),
        "shape": .array(tensor.shape.map { .integer($0) }),
        "data": isSmall ? .array(tensor.elements) : .null,
      ])
    }
    var members: [String: JSON] = ["target": .string(executor), "outputs": .array(rows)]
    if let reading { members.merge(reading.json) { old, _ in old } }
    if let out { members["file"] = .string(out) }
    return .object(members)
  }
}

extension Tensor {
  /// Each element as JSON has it; floats in the fewest digits that tell them from others of their type.
  fileprivate var elements: [JSON] {
    switch dtype {
    case .string: strings.map { .string($0) }
    case .bool: integers.map { .bool($0 != 0) }
    case .float64, .uint64: doubles.map { .number($0) }
    case _ where dtype.isFloat: floats.map { .number(Double($0.description) ?? .nan) }
    default: integers.map { .integer($0) }
    }
  }
}
