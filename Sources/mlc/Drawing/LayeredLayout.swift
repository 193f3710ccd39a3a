/// Positions for the nodes of an acyclic graph: rows from top to bottom, few crossings, straight edges.
///
/// The method of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures"
/// (1981): longest-path layers, bends where an edge passes a layer, order by barycentres, coordinates by least squares.
/// What is much higher than wide is set in columns.
struct LayeredLayout {
  struct Box {
    var width: Double, height: Double
    /// The centre, horizontally; the upper edge, vertically.
    var x = 0.0, y = 0.0
    var layer = 0
  }

  /// A part of an edge, from one row to the next.
  struct Step: Hashable {
    let from: Int, to: Int
  }

  /// How a step leads from the end of a column, at `bottom`, to the top of the next: up beside it, at `x`.
  struct Turn {
    let x: Double, bottom: Double
  }

  /// The nodes; bends of long edges follow.
  var boxes: [Box]
  /// For each edge the boxes that it joins, source and target included.
  private(set) var paths: [[Int]]
  /// The steps from column to column, where there are several.
  var turns: [Step: Turn] = [:]
  var width = 0.0, height = 0.0

  private static let gap = (across: 24.0, down: 34.0)
  private static let sweeps = 12
  private(set) var layers: [[Int]] = []
  private(set) var above: [[Int]], below: [[Int]]

  /// Edges lead from smaller to greater numbers. Beyond `maximumBends` bends, edges run straight through.
  init(sizes: [(width: Double, height: Double)], edges: [(from: Int, to: Int)], maximumBends: Int = 50_000) {
    boxes = sizes.map { Box(width: $0.width, height: $0.height) }
    for edge in edges { boxes[edge.to].layer = max(boxes[edge.to].layer, boxes[edge.from].layer + 1) }
    (paths, above, below) = ([], [], [])
    addBends(edges, maximum: maximumBends)
    (above, below) = (Array(repeating: [], count: boxes.count), Array(repeating: [], count: boxes.count))
    for path in paths {
      for (upper, lower) in zip(path, path.dropFirst()) {
        below[upper].append(lower)
        above[lower].append(upper)
      }
    }
    layers = Array(repeating: [], count: (boxes.map(\.layer).max() ?? -1) + 1)
    for index in boxes.indices { layers[boxes[index].layer].append(index) }
    placeRows()
    for sweep in 0..<Self.sweeps { order(downwards: sweep.isMultiple(of: 2)) }
    for sweep in 0..<Self.sweeps { align(downwards: sweep.isMultiple(of: 2)) }
    shiftToOrigin()
    wrap()
  }

  private mutating func addBends(_ edges: [(from: Int, to: Int)], maximum: Int) {
    let wanted = edges.reduce(0) { $0 + boxes[$1.to].layer - boxes[$1.from].layer - 1 }
    for edge in edges {
      var path = [edge.from]
      if wanted <= maximum {
        for layer in (boxes[edge.from].layer + 1)..<boxes[edge.to].layer {
          boxes.append(Box(width: 6, height: 0, layer: layer))
          path.append(boxes.count - 1)
        }
      }
      paths.append(path + [edge.to])
    }
  }

  private mutating func placeRows() {
    var y = 0.0
    for layer in layers {
      let tallest = layer.map { boxes[$0].height }.max() ?? 0
      var x = 0.0
      for index in layer {
        boxes[index].y = y + (tallest - boxes[index].height) / 2
        boxes[index].x = x + boxes[index].width / 2
        x += boxes[index].width + Self.gap.across
      }
      y += tallest + Self.gap.down
    }
    height = max(0, y - Self.gap.down)
  }

  /// The mean place of a box's neighbours; its own where it has none.
  private func wish(_ index: Int, _ neighbours: [[Int]]) -> Double {
    let near = neighbours[index]
    return near.isEmpty ? boxes[index].x : near.reduce(0) { $0 + boxes[$1].x } / Double(near.count)
  }

  private mutating func order(downwards: Bool) {
    for number in downwards ? Array(layers.indices) : layers.indices.reversed() {
      let wishes = layers[number].map { (index: $0, at: wish($0, downwards ? above : below)) }
      layers[number] = wishes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        .map { $0.element.index }
      var x = 0.0
      for index in layers[number] {
        boxes[index].x = x + boxes[index].width / 2
        x += boxes[index].width + Self.gap.across
      }
    }
  }

  /// Moves each layer's boxes as near to their neighbours as the order and the gaps allow: isotonic regression by
  /// pooling adjacent violators.
  private mutating func align(downwards: Bool) {
    for number in downwards ? Array(layers.indices) : layers.indices.reversed() {
      let layer = layers[number]
      var offset = 0.0
      var offsets: [Double] = []
      var pools: [(sum: Double, count: Int)] = []
      for (place, index) in layer.enumerated() {
        if place > 0 { offset += (boxes[layer[place - 1]].width + boxes[index].width) / 2 + Self.gap.across }
        offsets.append(offset)
        var pool = (sum: wish(index, downwards ? above : below) - offset, count: 1)
        while let last = pools.last, last.sum / Double(last.count) >= pool.sum / Double(pool.count) {
          pool = (pool.sum + last.sum, pool.count + last.count)
          pools.removeLast()
        }
        pools.append(pool)
      }
      let places = pools.flatMap { Array(repeating: $0.sum / Double($0.count), count: $0.count) }
      for (place, index) in layer.enumerated() { boxes[index].x = places[place] + offsets[place] }
    }
  }

  private mutating func shiftToOrigin() {
    let left = boxes.map { $0.x - $0.width / 2 }.min() ?? 0
    for index in boxes.indices { boxes[index].x -= left }
    width = boxes.map { $0.x + $0.width / 2 }.max() ?? 0
  }
}
