import MLCCore

/// Which elements of which tensors are written at a step.
struct Coverage: Sendable {
  private let program: KernelProgram
  /// What has been written of each tensor that is not whole yet, by the tensor whose memory it is.
  private var parts: [TensorID: [StoreRegion]] = [:]
  private var whole: Set<TensorID> = []

  init(_ program: KernelProgram) {
    self.program = program
    for (number, tensor) in program.tensors.enumerated() {
      switch tensor.kind {
      case .input, .constant, .compressed: whole.insert(TensorID(number))
      case .output, .temporary, .alias: break
      }
    }
  }

  /// A tensor is read: everything of it must have been written. `nil` when that is known already.
  mutating func read(_ tensor: TensorID, _ checker: AccessChecker) -> Verdict? {
    let sizes = checker.sizes
    let root = program.root(tensor)
    if whole.contains(root) { return nil }
    whole.insert(root)
    let name = program[root].name
    let regions = parts.removeValue(forKey: root) ?? []
    if regions.isEmpty {
      return isEmpty(root, sizes) ? nil : .broken("reads '\(name)' before anything is written to it")
    }
    switch StoreRegion.cover(regions, of: program[root].shape.map(sizes.resolved), sizes) {
    case .holds, .requires: return nil
    case .unproven: return .unproven("'\(name)' \(program[root].type) is written piece by piece")
    case .broken(let what):
      let wanted = regions.count == 1 ? regions[0].differences(from: program[root].shape.map(sizes.resolved)) : nil
      if let verdict = checker.requirement(wanted) { return verdict }
      return .broken("reads '\(name)' \(program[root].type), \(what)")
    }
  }

  private func isEmpty(_ root: TensorID, _ sizes: SizeFacts) -> Bool {
    program[root].shape.contains { sizes.resolved($0) == 0 }
  }

  /// A kernel writes; `nil` when that is as it should be.
  mutating func write(_ write: StoreRegion.Write, _ checker: AccessChecker) -> Verdict? {
    let sizes = checker.sizes
    let root = program.root(write.tensor)
    if write.isUpdate { return read(root, checker) }
    let name = program[root].name
    if whole.contains(root) { return .broken("writes '\(name)', which is written already") }
    var verdict: Verdict?
    if let repeated = write.region.repeatedLoop(sizes) {
      verdict = .broken("writes elements of '\(name)' once for each step of loop \(repeated)")
    }
    // Another shape of the same memory has another order of indices: only the whole of it is the same region.
    var region = write.region
    if program[write.tensor].shape != program[root].shape {
      guard region.isWhole(program[write.tensor].shape.map(sizes.resolved)) else {
        whole.insert(root)
        return .unproven("writes a part of '\(name)' under another shape")
      }
      region = .all
    }
    if region.isWhole(program[root].shape.map(sizes.resolved)), parts[root] == nil {
      whole.insert(root)
    } else {
      parts[root, default: []].append(region)
    }
    return verdict
  }

  /// Behind a branch only what both sides wrote is there.
  mutating func join(_ other: Coverage) {
    whole.formIntersection(other.whole)
    parts = parts.filter { other.parts[$0.key] == $0.value }
  }
}
