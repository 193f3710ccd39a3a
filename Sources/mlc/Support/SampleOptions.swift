import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph

/// What models are tried on.
struct SampleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inputs: an archive, or a folder with input_0.pb … (or with test_data_set_… folders).",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var inputs: String?

  @Option(
    help: ArgumentHelp(
      "What the outputs shall be: an archive, or a folder with output_0.pb ….",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var expected: String?

  @Option(help: "Seed of generated inputs.") var seed: UInt64 = 0
  @OptionGroup var sizes: SizeOptions

  /// The cases to play, and what was chosen for them.
  func samples(for function: Function) throws(Diagnostic) -> Samples {
    guard let inputs else {
      if expected != nil {
        throw Diagnostic(
          "verify.inputs",
          "--expected needs --inputs: outputs of random inputs are not known",
          kind: .usage
        )
      }
      let choice = try SizeChoice(function, wanted: try sizes.byName())
      let generator = InputGenerator(function, sizes: choice.byName, seed: seed)
      let tensors = try generator.inputs()
      let drawn = tensors.indices.map { index in
        (function[function.inputs[index]].name, "\(tensors[index].type)", generator.domain(index))
      }
      return Samples(cases: [.init("seed \(seed)", inputs: tensors)], sizes: choice.byName, drawn: drawn)
    }
    if !sizes.sizes.isEmpty {
      throw Diagnostic("size.unused", "--size is for generated inputs; --inputs has its sizes", kind: .usage)
    }
    let cases = try SampleFiles(inputs).cases(for: function, expected: expected)
    return Samples(cases: cases, sizes: sizesBound(function, cases.first?.inputs ?? []), drawn: [])
  }

  /// The numbers that the inputs give to bare names.
  private func sizesBound(_ function: Function, _ inputs: [Tensor]) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for (value, tensor) in zip(function.inputs, inputs) {
      for (dim, extent) in zip(function.type(value).shape, tensor.shape) {
        if let name = dim.symbol { sizes[name] = extent }
      }
    }
    return sizes
  }
}

/// Cases, and in words what was drawn for them.
struct Samples {
  var cases: [VerificationCase]
  var sizes: [String: Int]
  /// Input, type, domain.
  var drawn: [(String, String, String)]
}
