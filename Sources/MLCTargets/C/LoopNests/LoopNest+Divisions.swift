import MLCCore
import MLCKernels

extension LoopNest {
  /// Counts a loop whose position is divided by a number in two, the inner one up to that number: both walk memory
  /// then, where a quotient would not.
  ///
  /// An inner loop has `own` turns or more where it is a stage's own, and `outer` where it is one around the stages.
  func splitDivisions(_ params: [KernelTensor], own: Int, outer: Int) -> LoopNest {
    var nest = self
    for k in stages.indices {
      while let (axis, divisor) = nest.division(of: nest.stages[k].axes, in: [nest.stages[k]], params, own) {
        let (parts, index) = nest.parts(of: axis, divisor)
        let place = nest.stages[k].axes.firstIndex(of: axis)!
        nest.stages[k] = nest.stages[k].substituting([axis.id: index])
        nest.stages[k].axes.replaceSubrange(place...place, with: parts)
      }
    }
    while let (axis, divisor) = nest.division(of: nest.axes, in: nest.stages, params, outer) {
      let (parts, index) = nest.parts(of: axis, divisor)
      let place = nest.axes.firstIndex(of: axis)!
      nest.stages = nest.stages.map { $0.substituting([axis.id: index]) }
      nest.axes.replaceSubrange(place...place, with: parts)
    }
    return nest
  }

  private func parts(of axis: Axis, _ divisor: Int) -> ([Axis], Index) {
    let (outer, inner) = (freshAxis, freshAxis + 1)
    let parts = [Axis(outer, axis.extent.floorDiv(Dim(divisor))), Axis(inner, Dim(divisor))]
    return (parts, Index.axis(outer) * Dim(divisor) + .axis(inner))
  }

  /// The first of `axes` that is divided, and the greatest number that divides both it and its extent.
  private func division(of axes: [Axis], in stages: [Stage], _ params: [KernelTensor], _ least: Int) -> (Axis, Int)? {
    let space = self.space
    let indices = stages.flatMap { stage in
      stage.accesses.map { space.address($0.index, in: params[$0.param]) } + stage.positions.map { space.linear($0) }
    }
    for axis in axes {
      guard let extent = axis.extent.constant else { continue }
      let divisors = indices.reduce(into: Set<Int>()) { $0.formUnion($1.divisors(of: axis.id)) }
      let fitting = divisors.filter { $0 >= least && $0 < extent && extent.isMultiple(of: $0) }
      if let divisor = fitting.max() { return (axis, divisor) }
    }
    return nil
  }
}

extension LinearIndex {
  /// The numbers by which the bare position of `axis` is divided.
  fileprivate func divisors(of axis: Int) -> Set<Int> {
    terms.keys.reduce(into: []) { found, atom in
      switch atom {
      case .floorDiv(let x, let d), .mod(let x, let d):
        if x == LinearIndex([.axis(axis): 1]), let d = d.constant { found.insert(d) }
        found.formUnion(x.divisors(of: axis))
      case .clamped(let x, _): found.formUnion(x.divisors(of: axis))
      case .axis, .value: break
      }
    }
  }
}
