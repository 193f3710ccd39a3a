import MLCCore
import MLCKernels

extension LoopNest {
  /// A nest that is one store has only outer loops.
  func hoisted() -> LoopNest {
    guard stages.count == 1, case .store(let p, let index, let inner, let value) = stages[0] else { return self }
    return LoopNest(axes + inner, [.store(param: p, index: index, axes: [], value: value)])
  }

  /// Counts channels of blocked tensors as block and lane. An outer channel axis that is no multiple of the block gives
  /// two nests, one of whole blocks and one of the last. An axis within one block stays as it is.
  func splitBlocks(_ params: [KernelTensor]) -> [LoopNest] {
    for (axis, block) in channelAxes(params) {
      guard let extent = axis.extent.constant, extent > block else { continue }
      if let position = axes.firstIndex(of: axis) { return splitOuter(position, block, extent, params) }
      guard extent.isMultiple(of: block) else { continue }
      return splitInner(axis, block).splitBlocks(params)
    }
    return [self]
  }

  /// Axes that alone index the channels of a blocked tensor, up to whole blocks.
  private func channelAxes(_ params: [KernelTensor]) -> [(Axis, Int)] {
    var found: [(Axis, Int)] = []
    for access in stages.flatMap(\.accesses) {
      guard case .blocked(let b) = params[access.param].layout else { continue }
      let x = space.linear(access.index[1])
      guard x.terms.count == 1, case (.axis(let id), 1)? = x.terms.first,
        x.rest.constant?.isMultiple(of: b.block) ?? false, let axis = allAxes.first(where: { $0.id == id })
      else { continue }
      found.append((axis, b.block))
    }
    return found
  }

  private func splitOuter(_ position: Int, _ block: Int, _ extent: Int, _ params: [KernelTensor]) -> [LoopNest] {
    let axis = axes[position]
    let (outer, lane) = (freshAxis, freshAxis + 1)
    func part(_ blocks: [Axis], _ lanes: Int, _ index: Index) -> LoopNest {
      var nest = self
      nest.axes.replaceSubrange(position...position, with: blocks + [Axis(lane, Dim(lanes))])
      nest.stages = stages.map { $0.substituting([axis.id: index]) }
      return nest
    }
    var parts: [LoopNest] = []
    if extent >= block {
      let index = Index.axis(outer) * Dim(block) + .axis(lane)
      parts += part([Axis(outer, Dim(extent / block))], block, index).splitBlocks(params)
    }
    if extent % block != 0 {
      let index = Index.axis(lane) + .constant(extent / block * block)
      parts += part([], extent % block, index).splitBlocks(params)
    }
    return parts
  }

  private func splitInner(_ axis: Axis, _ block: Int) -> LoopNest {
    let (outer, lane) = (freshAxis, freshAxis + 1)
    var nest = self
    nest.stages = stages.map { stage in
      guard let position = stage.axes.firstIndex(of: axis) else { return stage }
      var changed = stage.substituting([axis.id: Index.axis(outer) * Dim(block) + .axis(lane)])
      let both = [Axis(outer, axis.extent.floorDiv(Dim(block))), Axis(lane, Dim(block))]
      changed.axes.replaceSubrange(position...position, with: both)
      return changed
    }
    return nest
  }
}
