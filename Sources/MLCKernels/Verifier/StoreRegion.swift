import MLCCore

/// The elements that a store writes over all of its loops.
struct StoreRegion: Hashable, Sendable {
  /// A kernel's store: a tensor's first writing, or an update of what is there.
  struct Write: Sendable {
    var tensor: TensorID
    var region: StoreRegion
    var isUpdate = false
  }

  /// Along each dimension where it begins and how far it goes; `nil` for the whole tensor.
  private var box: [Span]?
  /// Loops whose every step writes the same elements.
  private var repeated: [Axis] = []
  /// The store itself, where it is no box.
  private var general: General?

  struct Span: Hashable, Sendable {
    var low: Dim, extent: Dim
  }

  private struct General: Hashable, Sendable {
    var index: [Index], loops: [Axis]
  }

  /// Every element, each once.
  static let all = StoreRegion()

  private init() {}

  init(_ index: [Index], _ loops: [Axis], _ sizes: SizeFacts) {
    let extents = Dictionary(loops.map { ($0.id, sizes.resolved($0.extent)) }, uniquingKeysWith: { first, _ in first })
    var used: Set<Int> = []
    var spans: [Span] = []
    for position in index {
      guard let span = StoreRegion.span(position, extents, &used, sizes) else {
        general = General(index: index, loops: loops)
        return
      }
      spans.append(span)
    }
    box = spans
    repeated = loops.filter { !used.contains($0.id) && extents[$0.id] != 1 }
  }

  private static func span(_ index: Index, _ extents: [Int: Dim], _ used: inout Set<Int>, _ sizes: SizeFacts) -> Span? {
    guard let affine = index.affine else { return nil }
    let rest = sizes.resolved(affine.rest)
    let moving = affine.coefficients.filter { extents[$0.key] != 1 }
    guard let (id, factor) = moving.first else { return Span(low: rest, extent: 1) }
    guard moving.count == 1, let extent = extents[id], used.insert(id).inserted else { return nil }
    if factor == 1 { return Span(low: rest, extent: extent) }
    return factor == -1 ? Span(low: rest - (extent - 1), extent: extent) : nil
  }

  /// A loop of more than one step that the store's place does not depend on.
  func repeatedLoop(_ sizes: SizeFacts) -> Int? {
    repeated.first { axis in
      let extent = sizes.resolved(axis.extent)
      return sizes.samples.contains { (extent.evaluate($0) ?? 0) > 1 }
    }?.id
  }

  func isWhole(_ shape: [Dim]) -> Bool {
    guard general == nil else { return false }
    guard let box else { return true }
    return box.count == shape.count && zip(box, shape).allSatisfy { $0.low == 0 && $0.extent == $1 }
  }

  /// What would make it the whole of `shape`, where it begins at zero; `nil` otherwise.
  func differences(from shape: [Dim]) -> [SizeRequirement]? {
    guard let box, box.count == shape.count, box.allSatisfy({ $0.low == 0 }) else { return nil }
    return zip(box, shape).flatMap { span, extent in
      span.extent == extent ? [] : SizeRequirement.equality(extent, span.extent)
    }
  }

  // MARK: Covering

  /// Whether `regions` together are every element of `shape`, each once.
  static func cover(_ regions: [StoreRegion], of shape: [Dim], _ sizes: SizeFacts) -> Verdict {
    let boxes = regions.compactMap(\.box).filter { !$0.contains { $0.extent == 0 } }
    if boxes.count == regions.count || regions.allSatisfy({ $0.general == nil && $0.box != nil }) {
      let merged = Span.merging(boxes)
      if merged.count == 1, zip(merged[0], shape).allSatisfy({ $0.low == 0 && $0.extent == $1 }) { return .holds }
    }
    return counted(regions, shape, sizes)
  }

  /// Counts the writes of each element at sample sizes.
  private static func counted(_ regions: [StoreRegion], _ shape: [Dim], _ sizes: SizeFacts) -> Verdict {
    var isComplete = sizes.samples.count == 1 && sizes.samples[0].isEmpty
    for sample in sizes.samples {
      let extents = shape.compactMap { $0.evaluate(sample) }
      guard extents.count == shape.count, let total = extents.checkedProduct, total <= 1 << 18 else {
        isComplete = false
        continue
      }
      var counts = [UInt8](repeating: 0, count: total)
      for region in regions {
        guard region.count(into: &counts, extents, sample) else { return .unproven("") }
      }
      if counts.contains(0) { return .broken("of which not every element is written") }
      if counts.contains(where: { $0 > 1 }) { return .broken("of which elements are written more than once") }
    }
    return isComplete ? .holds : .unproven("")
  }

  /// Adds one for every element written; false when the store's places cannot be told or there are too many.
  private func count(into counts: inout [UInt8], _ extents: [Int], _ sample: [String: Int]) -> Bool {
    let index: [Index]
    let loops: [Axis]
    if let general {
      (index, loops) = (general.index, general.loops)
    } else if let box {
      index = box.enumerated().map { .axis($0) + .dim($1.low) }
      loops = box.enumerated().map { Axis($0, $1.extent) }
    } else {
      for place in counts.indices { counts[place] = min(counts[place], 254) + 1 }
      return true
    }
    let steps = loops.compactMap { $0.extent.evaluate(sample) }
    guard steps.count == loops.count, let total = steps.checkedProduct, total <= 1 << 18 else { return false }
    for number in 0..<total {
      var (rest, position) = (number, [Int: Int]())
      for (loop, extent) in zip(loops, steps) {
        position[loop.id] = rest % extent
        rest /= extent
      }
      var place = 0
      for (axis, extent) in zip(index, extents) {
        guard let value = axis.evaluate(position, sample), (0..<extent).contains(value) else { return false }
        place = place * extent + value
      }
      counts[place] = min(counts[place], 254) + 1
    }
    return true
  }
}

extension StoreRegion.Span {
  /// Boxes that touch along one dimension and agree in the others joined, in the order in which they are written.
  fileprivate static func merging(_ boxes: [[Self]]) -> [[Self]] {
    var result: [[Self]] = []
    for box in boxes {
      var box = box
      while let last = result.last, let joined = joined(last, box) ?? joined(box, last) {
        result.removeLast()
        box = joined
      }
      result.append(box)
    }
    return result
  }

  /// `a` and what begins where it ends.
  private static func joined(_ a: [Self], _ b: [Self]) -> [Self]? {
    let different = a.indices.filter { a[$0] != b[$0] }
    guard different.count == 1, let axis = different.first, b[axis].low == a[axis].low + a[axis].extent else {
      return nil
    }
    var joined = a
    joined[axis].extent = a[axis].extent + b[axis].extent
    return joined
  }
}
