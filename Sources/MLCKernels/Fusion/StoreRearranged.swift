import MLCCore

/// A matmul or an attention whose result is only copied, whole, to another order of its axes stores it in that order
/// itself, when the last axis, along which code is vectorised, stays the last.
struct StoreRearranged {
  var program: KernelProgram
  private let target: any Target
  private let readers: [TensorID: Int], writers: [TensorID: Int]

  init(_ program: KernelProgram, for target: any Target) {
    (self.program, self.target) = (program, target)
    (readers, writers) = (program.readers, program.writers)
  }

  mutating func run() -> KernelProgram {
    program.steps = rewritten(program.steps)
    return program
  }

  private func rewritten(_ steps: [KernelProgram.Step]) -> [KernelProgram.Step] {
    var result: [KernelProgram.Step] = []
    var producers: [TensorID: Int] = [:]
    for step in steps {
      switch step {
      case .kernel(let kernel):
        if let (place, joined) = join(kernel, result, producers) {
          result[place] = .kernel(joined)
          continue
        }
        for param in kernel.params where param.access == .write { producers[param.tensor] = result.count }
        result.append(step)
      case .branch, .loop, .bindSize, .setSize, .checkSizes: result.append(step.mapBlocks(rewritten))
      }
    }
    return result
  }

  /// The producer of what `copy` copies, storing for it.
  private func join(_ copy: Kernel, _ steps: [KernelProgram.Step], _ producers: [TensorID: Int]) -> (Int, Kernel)? {
    guard let map = ElementMap(copy, in: program), case .load(let p, let index) = map.value,
      let place = producers[copy.params[p].tensor], case .kernel(var kernel) = steps[place]
    else { return nil }
    let source = copy.params[p].tensor
    guard case .temporary = program[source].kind, readers[source] == 1, writers[source] == 1,
      writers[program.root(map.output)] == 1, program[source].dtype == program[map.output].dtype,
      let written = kernel.params.firstIndex(where: { $0.tensor == source && $0.access == .write }),
      !isLate(map.output)
    else { return nil }
    func moved(_ access: Matmul.Access) -> Matmul.Access? {
      guard access.param == written, let place = order(map, index, access.index, program[source].shape)
      else { return nil }
      return Matmul.Access(written, place)
    }
    switch kernel.body {
    case .matmul(var matmul):
      guard let output = moved(matmul.output) else { return nil }
      matmul.output = output
      kernel.body = .matmul(matmul)
    case .attention(var attention):
      guard let output = moved(attention.output) else { return nil }
      attention.output = output
      kernel.body = .attention(attention)
    case .loopNest, .convolution, .routine: return nil
    }
    kernel.params[written] = Kernel.Param(map.output, .write)
    guard target.takesFused(kernel, in: program) else { return nil }
    kernel.origins += copy.origins.filter { !kernel.origins.contains($0) }
    return (place, kernel)
  }

  /// Whether the tensor's memory is known only after a step in between.
  private func isLate(_ tensor: TensorID) -> Bool {
    let late = Set(program.lateSymbols.map { $0.name })
    return program[program.root(tensor)].shape.contains { !$0.symbols.isDisjoint(with: late) }
  }

  /// Where the element at `place` of the source, of extents `shape`, goes, when `index` names every axis of the copy
  /// once and so copies the whole of the source.
  private func order(_ map: ElementMap, _ index: [Index], _ place: [Index], _ shape: [Dim]) -> [Index]? {
    guard let last = map.axes.last, index.last == .axis(last.id) else { return nil }
    let extents = Dictionary(uniqueKeysWithValues: map.axes.map { ($0.id, $0.extent) })
    var positions: [Int: Index] = [:]
    for (dimension, from) in index.enumerated() {
      switch from {
      case .axis(let id):
        guard extents[id] == shape[dimension], positions.updateValue(place[dimension], forKey: id) == nil else {
          return nil
        }
      case .dim(0): if shape[dimension] != 1 { return nil }
      default: return nil
      }
    }
    let added = map.axes.filter { positions[$0.id] == nil }
    guard added.allSatisfy({ $0.extent == 1 }) else { return nil }
    return map.axes.map { positions[$0.id] ?? .constant(0) }
  }
}
