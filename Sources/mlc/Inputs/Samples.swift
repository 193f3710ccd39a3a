import MLCCompiler
import MLCCore
import MLCGraph

/// Cases that a model is tried on, each made when it is asked for, and in words what is drawn for them.
struct Samples {
  let source: Provenance.Data
  /// The sizes that each case has.
  let sizes: [[String: Int]]
  /// Input, type, domain.
  let drawn: [(String, String, String)]
  private let make: (Int) throws(Diagnostic) -> VerificationCase

  /// One case for each of `choices`.
  init(drawing choices: [SizeChoice], for function: Function, seed: UInt64) {
    let generators = choices.map { InputGenerator(function, sizes: $0.byName, seed: seed) }
    source = .seed(seed)
    sizes = choices.map { $0.byName }
    let bindings = choices.count == 1 ? sizes[0].mapValues { Dim($0) } : [:]
    drawn = function.inputs.indices.map { index in
      let value = function.inputs[index]
      return (function[value].name, "\(function.type(value).substituting(bindings))", generators[0].domain(index))
    }
    let names = choices.map { choice in
      (["seed \(seed)"] + (choices.count == 1 ? [] : choice.sizes.map { "\($0.name)=\($0.value)" })).joined(
        separator: " "
      )
    }
    make = { (index) throws(Diagnostic) in VerificationCase(names[index], inputs: try generators[index].inputs()) }
  }

  init(_ cases: [VerificationCase], from source: Provenance.Data, of function: Function) {
    self.source = source
    sizes = cases.map { sample in
      var sizes: [String: Int] = [:]
      for (value, tensor) in zip(function.inputs, sample.inputs) {
        for (dim, extent) in zip(function.type(value).shape, tensor.shape) {
          if let name = dim.symbol { sizes[name] = extent }
        }
      }
      return sizes
    }
    drawn = []
    make = { (index) throws(Diagnostic) in cases[index] }
  }

  var indices: Range<Int> { sizes.indices }
  func sample(_ index: Int) throws(Diagnostic) -> VerificationCase { try make(index) }
}
