import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph

/// Inputs on which two forms of a model are compared.
struct ComparisonInputs: ParsableArguments {
  @Option(
    help: ArgumentHelp("Compare outputs on these inputs instead of seeded random ones.", valueName: "FILE.npz"),
    completion: .file()
  )
  var inputs: String?
  @Option(help: "Seed of generated inputs.") var seed: UInt64 = 0
  @OptionGroup var sizes: SizeOptions

  /// Refuses what is wrong whatever the model is. Throws `size.syntax` and what the archive's reader throws.
  func check() throws(Diagnostic) {
    _ = try sizes.byName()
    if let inputs { try InputFiles.check(inputs) }
  }

  func tensors(for function: Function, memory: Int) throws(Diagnostic) -> [Tensor] {
    if let inputs {
      var files = InputFiles()
      files.archive = inputs
      return try files.tensors(for: function.interface.withStatesAsPorts)
    }
    let choice = try SizeChoice(function, wanted: try sizes.byName(), memory: memory)
    return try InputGenerator(function, sizes: choice.byName, seed: seed).inputs()
  }
}

/// How far a compressed model's outputs are from the original's, both by the reference interpreter.
struct OutputFidelity {
  /// Decibels; infinite where nothing moved.
  private(set) var outputs: [(name: String, signalToNoise: Double)] = []
  let source: String

  init(original: Function, compressed: Function, inputs: ComparisonInputs, budget: Budget) throws(Diagnostic) {
    source = inputs.inputs ?? "seed \(inputs.seed)"
    let tensors = try inputs.tensors(for: original, memory: budget.memory)
    let expected = try Interpreter(original, budget: budget).run(tensors)
    let actual = try Interpreter(compressed, budget: budget).run(tensors)
    for (index, name) in original.outputNames.enumerated() {
      let comparison = try Comparison(expected: expected[index], actual: actual[index], tolerance: .exact)
      outputs.append((name, comparison.signalToNoise))
    }
  }
}
