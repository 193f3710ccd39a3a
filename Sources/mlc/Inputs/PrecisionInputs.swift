import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph

/// What `--precision fp16` is decided on.
struct PrecisionInputs: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --precision fp16: decide on these inputs what stays fp32. An archive, or a folder with input_0.pb, ... (or "
        + "with test_data_set_N folders).",
      valueName: "FILE.npz|DIR"
    ),
    completion: .file()
  )
  var inputs: String?

  /// Refuses what is wrong whatever the model is. Throws `precision.inputs` when nothing is to be decided, and what the
  /// files' readers throw.
  func check(_ precision: Precision) throws(Diagnostic) {
    guard let inputs else { return }
    guard precision == .fp16 else {
      throw Diagnostic("precision.inputs", "--inputs is what --precision fp16 is decided on", kind: .usage)
    }
    try SampleFiles(inputs).check()
  }

  /// The given inputs of `function`; seeded ones without the option.
  func samples(for function: Function) throws(Diagnostic) -> HalfPrecision.Samples? {
    guard let inputs else { return nil }
    return .given(try SampleFiles(inputs).cases(for: function).map { $0.inputs })
  }
}
