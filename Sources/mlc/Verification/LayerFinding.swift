import MLCCompiler
import MLCCore
import MLCGraph

/// What a search through the layers of one target measured, and how the model's repeated blocks divide it.
struct LayerFinding {
  /// A repeated block, for reading.
  struct Block {
    /// `5 × 33 operations`
    let title: String
    /// `/encoder/layer.1 … /encoder/layer.5`; `nil` where the names of its nodes have nothing in common.
    let name: String?
    let range: ClosedRange<Int>
  }
  enum Part {
    case layers([LayerSearch.Layer])
    case block(Block, [LayerSearch.Layer])
  }

  let target: String
  let layers: [LayerSearch.Layer]
  let culprit: LayerSearch.Layer?
  /// The places of operations that are no constants.
  private let places: [Int]
  let blocks: [Block]

  init(_ target: String, _ function: Function, layers: [LayerSearch.Layer], culprit: LayerSearch.Layer?) {
    (self.target, self.layers, self.culprit) = (target, layers, culprit)
    places = function.body.operations.indices.filter { !(function.body.operations[$0].op is Const) }
    blocks = function.repeatedBlocks.compactMap { Block($0, of: function) }
  }

  /// How much of the network, constants left out, lies before the operation at `position`: from 0 to 1.
  func share(before position: Int) -> Double {
    Double(places.count { $0 < position }) / Double(max(places.count, 1))
  }

  func isCulprit(_ layer: LayerSearch.Layer) -> Bool { layer.position == culprit?.position }

  /// The layers in their order, those of one block together.
  var parts: [Part] {
    var parts: [Part] = []
    for layer in layers {
      let block = blocks.first { $0.range.contains(layer.position) }
      switch (parts.last, block) {
      case (.layers(let others), nil): parts[parts.count - 1] = .layers(others + [layer])
      case (.block(let last, let others), .some(let block)) where last.range == block.range:
        parts[parts.count - 1] = .block(block, others + [layer])
      case (_, .some(let block)): parts.append(.block(block, [layer]))
      case (_, nil): parts.append(.layers([layer]))
      }
    }
    return parts
  }
}

extension LayerFinding.Block {
  fileprivate init?(_ block: RepeatedBlock, of function: Function) {
    guard let first = block.repetitions.first, let last = block.repetitions.last, let low = first.first,
      let high = last.last
    else { return nil }
    title = block.title
    name = block.name(in: function)
    range = low...high
  }
}

extension RepeatedBlock {
  /// `5 × 33 operations`
  var title: String { "\(repetitions.count) × \((repetitions.first?.count ?? 0).of("operation"))" }

  /// What the nodes of the first and of the last repetition are called in common.
  func name(in function: Function) -> String? {
    let names = [repetitions.first, repetitions.last].compactMap { $0.flatMap { function.commonName($0) } }
    guard names.count == 2 else { return nil }
    return names[0] == names[1] ? names[0] : names.joined(separator: " … ")
  }
}
