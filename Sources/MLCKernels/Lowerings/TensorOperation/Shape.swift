import MLCCore
import MLCGraph
import MLCOps

extension Shape: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let rank = context.fact("x").rank
    func clamped(_ axis: Int) -> Int { Swift.max(0, Swift.min(rank, axis < 0 ? axis + rank : axis)) }
    let first = clamped(start)
    let last = Swift.max(first, clamped(end ?? rank))
    context.lowerSizes(Array(context.fact("x").shape[first..<last]))
  }
}

extension LoweringContext {
  /// Appends a kernel that stores `sizes`, row-major, in output 0.
  mutating func lowerSizes(_ sizes: [Dim]) {
    let output = output()
    let (shape, dtype) = (program[output].shape.map { $0.constant ?? 1 }, program[output].dtype)
    var params = KernelParams()
    let param = params.write(output)
    let stages = sizes.enumerated().map { number, size in
      var rest = number
      var index: [Index] = []
      for extent in shape.reversed() {
        index.insert(.constant(rest % extent), at: 0)
        rest /= extent
      }
      return LoopNest.Stage.store(param: param, index: index, axes: [], value: .index(.dim(size), dtype))
    }
    if !stages.isEmpty { append("shape", params, .loopNest(LoopNest([], stages))) }
  }
}
