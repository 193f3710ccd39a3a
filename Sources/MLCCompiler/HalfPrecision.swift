import MLCCore
import MLCGraph
import MLCPasses

/// Float16 storage for a whole function.
package enum HalfPrecision {
  /// Optimises `function` and stores its weights and intermediate tensors as float16, except where seeded inputs show values
  /// that float16 cannot hold; gives those operations. Inputs and outputs keep their types, and operations without weights
  /// that make an output keep float32, so that results are not rounded last.
  ///
  /// Throws what the passes, the choice of inputs and the interpreter throw.
  package static func apply(to function: inout Function, seeds: [UInt64] = [0, 1]) throws(Diagnostic) -> [HalfHazard] {
    try PassPipeline.standard.run(&function)
    let sizes = try SizeChoice(function).byName
    var samples: [[Tensor]] = []
    for seed in seeds { samples.append(try InputGenerator(function, sizes: sizes, seed: seed).inputs()) }
    let hazards = try function.halfHazards(samples: samples)
    let kept = Set(hazards.map { $0.value }).union(finalNames(function))
    try PassPipeline([CastToFp16(keeping: kept)]).run(&function)
    return hazards
  }

  /// The first results of operations that make outputs from no constant of more than 4096 elements.
  private static func finalNames(_ function: Function) -> [String] {
    let outputs = Set(function.outputs)
    return function.body.operations.compactMap { operation in
      guard let first = operation.outputs.first, operation.outputs.contains(where: outputs.contains) else { return nil }
      let constants = operation.inputs.joined().map(function.fact).filter(\.isConstant)
      let weights = constants.compactMap { $0.type.staticShape?.checkedProduct }
      return weights.allSatisfy { $0 <= 4096 } ? function[first].name : nil
    }
  }
}
