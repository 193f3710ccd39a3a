import MLCCore
import MLCGraph
import MLCOps

extension Function {
  /// The most terms that any one element of the function's values is summed from: contractions, reductions, norms.
  /// Sizes that `sizes` does not give count as 1; 1 without any sum.
  package func longestReduction(_ sizes: [String: Int] = [:]) -> Int { longest(in: body, sizes) }

  private func longest(in block: Block, _ sizes: [String: Int]) -> Int {
    block.operations.reduce(1) { most, operation in
      let nested = operation.blocks.map { longest(in: $0, sizes) }.max() ?? 1
      return max(most, max(nested, terms(operation, sizes)))
    }
  }
}
