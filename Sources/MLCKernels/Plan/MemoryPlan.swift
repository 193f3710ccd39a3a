import MLCCore

/// Where each temporary of a program lies in the arena. Tensors that are never alive together share memory.
package struct MemoryPlan: Sendable {
  /// A temporary: its size in bytes and the first and last step that touch it.
  package struct Buffer: Sendable {
    package var tensor: TensorID
    package var bytes: Dim
    package var first, last: Int
  }
  package private(set) var buffers: [Buffer] = []
  /// Offsets by buffer and the arena's size, when every size is a number.
  package private(set) var offsets: [Int]?
  package private(set) var arenaBytes = 0

  /// Bytes that every offset is a multiple of.
  package static let alignment = 64

  /// Unless `isPlaced`, every offset is left to `bind`, for a caller who puts each buffer where it likes.
  package init(_ program: KernelProgram, isPlaced: Bool = true) {
    for (tensor, life) in Lifetimes(program).spans.sorted(by: { $0.key.index < $1.key.index }) {
      let bytes = program.plannedBytes(program[tensor])
      buffers.append(Buffer(tensor: tensor, bytes: bytes, first: life.first, last: life.last))
    }
    let sizes = buffers.compactMap(\.bytes.constant)
    if sizes.count == buffers.count, isPlaced || buffers.isEmpty { place(sizes) }
  }

  /// First fit by decreasing size, the rule that generated code applies to symbolic sizes.
  private mutating func place(_ sizes: [Int]) {
    var offsets = [Int](repeating: 0, count: sizes.count)
    /// By offset.
    var placed: [(offset: Int, end: Int, first: Int, last: Int)] = []
    placed.reserveCapacity(sizes.count)
    let order = sizes.indices.sorted { (sizes[$0], -$0) > (sizes[$1], -$1) }
    for i in order {
      let (size, first, last) = (MemoryPlan.padded(sizes[i]), buffers[i].first, buffers[i].last)
      var offset = 0
      for other in placed where other.first <= last && first <= other.last {
        if offset + size <= other.offset { break }
        offset = max(offset, other.end)
      }
      offsets[i] = offset
      var (low, high) = (0, placed.count)
      while low < high {
        let middle = (low + high) / 2
        if placed[middle].offset <= offset { low = middle + 1 } else { high = middle }
      }
      placed.insert((offset, offset + size, first, last), at: low)
      arenaBytes = max(arenaBytes, offset + size)
    }
    self.offsets = offsets
  }

  /// Rounded up to the alignment; vectors may read up to one vector past a buffer's end, so one more is left free.
  package static func padded(_ bytes: Int) -> Int { (bytes + 2 * alignment - 1) / alignment * alignment }
}

/// From which to which step each temporary's memory is in use. Steps are numbered in the order of the text, those of
/// branches included.
private struct Lifetimes {
  private(set) var spans: [TensorID: (first: Int, last: Int)] = [:]
  private var step = 0
  private let program: KernelProgram

  init(_ program: KernelProgram) {
    self.program = program
    walk(program.steps)
  }

  private mutating func walk(_ steps: [KernelProgram.Step]) {
    for item in steps {
      let begin = step
      if case .loop = item {} else { touch(item) }
      for block in item.blocks { walk(block) }
      if case .kernel = item { step += 1 }
      guard case .loop = item else { continue }
      touch(item)
      // A later round reads what stood there before the loop.
      for (tensor, span) in spans where span.first < begin && span.last >= begin { spans[tensor]?.last = step }
      for tensor in item.writes { spans[program.root(tensor)]?.last = step }
      step += 1
    }
  }

  private mutating func touch(_ item: KernelProgram.Step) { for tensor in item.reads + item.writes { touch(tensor) } }

  private mutating func touch(_ id: TensorID) {
    let id = program.root(id)
    guard case .temporary = program[id].kind else { return }
    let span = spans[id] ?? (step, step)
    spans[id] = (span.first, max(span.last, step))
  }
}
