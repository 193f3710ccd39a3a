import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph

/// What models are tried on.
struct SampleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inputs: an archive, or a folder with input_0.pb, ... (or with test_data_set_N folders).",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var inputs: String?

  @Option(
    help: ArgumentHelp(
      "What the outputs shall be: an archive, or a folder with output_0.pb, ...",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var expected: String?

  @Option(help: "Seed of generated inputs.") var seed: UInt64 = 0
  @OptionGroup var sizes: SizeOptions

  /// Refuses what is wrong whatever the model is. Throws `verify.inputs`, `size.unused`, `size.syntax`, and what the
  /// files' readers throw.
  func check() throws(Diagnostic) {
    if inputs == nil, expected != nil {
      throw Diagnostic(
        "verify.inputs",
        "--expected needs --inputs: outputs of random inputs are not known",
        kind: .usage
      )
    }
    if inputs != nil, !sizes.sizes.isEmpty {
      throw Diagnostic("size.unused", "--size is for generated inputs; --inputs has its sizes", kind: .usage)
    }
    _ = try sizes.byName()
    for files in [inputs, expected] { if let files { try SampleFiles(files).check() } }
  }

  /// The cases to play, and what was chosen for them.
  func samples(for function: Function, memory: Int) throws(Diagnostic) -> Samples {
    guard let inputs else {
      let choices = try SizeChoice.every(function, wanted: try sizes.byName(), memory: memory)
      return Samples(drawing: choices, for: function, seed: seed)
    }
    let cases = try SampleFiles(inputs).cases(for: function, expected: expected)
    return Samples(cases, from: .files(inputs: inputs, expected: expected), of: function)
  }
}
