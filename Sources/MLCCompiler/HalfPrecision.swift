import MLCCore
import MLCGraph
import MLCPasses

/// Float16 storage for a whole function.
package enum HalfPrecision {
  /// Optimises `function` and stores its weights and intermediate tensors as float16, except where seeded inputs show values
  /// that float16 cannot hold; gives those operations. Inputs and outputs keep their types.
  ///
  /// Throws what the passes, the choice of inputs and the interpreter throw.
  package static func apply(to function: inout Function, seeds: [UInt64] = [0, 1]) throws(Diagnostic) -> [HalfHazard] {
    try PassPipeline.standard.run(&function)
    let sizes = try SizeChoice(function).byName
    var samples: [[Tensor]] = []
    for seed in seeds { samples.append(try InputGenerator(function, sizes: sizes, seed: seed).inputs()) }
    let hazards = try function.halfHazards(samples: samples)
    try PassPipeline([CastToFp16(keeping: Set(hazards.map { $0.value }))]).run(&function)
    return hazards
  }
}
