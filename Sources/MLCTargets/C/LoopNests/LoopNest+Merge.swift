import MLCCore
import MLCKernels

extension LoopNest {
  /// Drops loops of one turn, orders loops so that memory is walked forward, and joins loops that walk it as one.
  func normalised(_ params: [KernelTensor]) -> LoopNest {
    var nest = self
    nest.dropSingle()
    nest.axes = nest.walking(nest.axes, nest.stages, params)
    nest.mergeOuter(params)
    for k in nest.stages.indices {
      if !nest.stages[k].isArgument {
        nest.stages[k].axes = nest.walking(nest.stages[k].axes, [nest.stages[k]], params)
      }
      nest.mergeInner(k, params)
    }
    return nest
  }

  private mutating func dropSingle() {
    let zero = { (axes: [Axis]) in
      Dictionary(axes.filter { $0.extent == 1 }.map { ($0.id, Index.constant(0)) }, uniquingKeysWith: { a, _ in a })
    }
    let outer = zero(axes)
    axes.removeAll { $0.extent == 1 }
    stages = stages.map { stage in
      var stage = stage.substituting(outer).substituting(zero(stage.axes))
      stage.axes.removeAll { $0.extent == 1 }
      return stage
    }
  }

  /// `axes` by falling stride in the first store or, without one, the first load; equal strides keep their order.
  private func walking(_ axes: [Axis], _ stages: [Stage], _ params: [KernelTensor]) -> [Axis] {
    guard axes.count > 1 else { return axes }
    let accesses = stages.flatMap { stage in
      stage.accesses.enumerated().map { (isStore: $0.offset == 0 && !stage.isReduction, access: $0.element) }
    }
    guard let lead = accesses.first(where: { $0.isStore })?.access ?? accesses.first?.access else { return axes }
    let address = space.address(lead.index, in: params[lead.param])
    let strides = axes.map { address.coefficient(of: $0.id)?.constant }
    guard strides.allSatisfy({ $0 != nil }) else { return axes }
    let order = axes.indices.sorted { (strides[$0]!, $1) > (strides[$1]!, $0) }
    // An axis that the access does not use keeps away from the innermost place.
    let used = order.filter { strides[$0] != 0 }
    return (order.filter { strides[$0] == 0 } + used).map { axes[$0] }
  }

  private mutating func mergeOuter(_ params: [KernelTensor]) {
    var k = axes.count - 2
    while k >= 0 {
      if canMerge(axes[k], axes[k + 1], stages, params) {
        let (joined, map) = join(axes[k], axes[k + 1])
        axes.replaceSubrange(k...k + 1, with: [joined])
        stages = stages.map { $0.substituting(map) }
      }
      k = Swift.min(k - 1, axes.count - 2)
    }
  }

  private mutating func mergeInner(_ stage: Int, _ params: [KernelTensor]) {
    var k = stages[stage].axes.count - 2
    while k >= 0 {
      let axes = stages[stage].axes
      if canMerge(axes[k], axes[k + 1], [stages[stage]], params) {
        let (joined, map) = join(axes[k], axes[k + 1])
        stages[stage] = stages[stage].substituting(map)
        stages[stage].axes.replaceSubrange(k...k + 1, with: [joined])
      }
      k = Swift.min(k - 1, stages[stage].axes.count - 2)
    }
  }

  private func join(_ a: Axis, _ b: Axis) -> (Axis, [Int: Index]) {
    let joined = Axis(freshAxis, a.extent * b.extent)
    let index = Index.axis(joined.id)
    return (joined, [a.id: index.dividedFloor(by: b.extent), b.id: index.modulo(b.extent)])
  }

  /// Whether every access walks `a` and `b` as one loop.
  private func canMerge(_ a: Axis, _ b: Axis, _ stages: [Stage], _ params: [KernelTensor]) -> Bool {
    let space = self.space
    for stage in stages {
      for (number, access) in stage.accesses.enumerated() {
        let x = space.address(access.index, in: params[access.param])
        if number == 0, case .store = stage, x.hasValue { return false }
        if !x.walks(a, b) { return false }
      }
      for position in stage.positions {
        let x = space.linear(position)
        if x.mentions(a.id) || x.mentions(b.id) { return false }
      }
    }
    return true
  }
}

extension LinearIndex {
  /// Whether it counts `a` and `b` as one loop. What data decides counts as what is read for it, which is an access of
  /// its own.
  fileprivate func walks(_ a: Axis, _ b: Axis) -> Bool {
    let own = { (axis: Axis) in self.terms[.axis(axis.id)] ?? 0 }
    guard own(a) == own(b) * b.extent else { return false }
    return terms.keys.allSatisfy { atom in
      switch atom {
      case .axis, .value: true
      case .clamped(let index, _): index.walks(a, b)
      case .floorDiv, .mod: !atom.mentions(a.id) && !atom.mentions(b.id)
      }
    }
  }
}
