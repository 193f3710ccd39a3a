import MLCCore
import MLCOps

/// Trees as their routine reads them, leaves among the nodes.
struct TreeLayout {
  private(set) var links: Routine.Trees.Links
  private(set) var splits: [Double] = []
  /// What `links` says of each node, in a row.
  private(set) var table: [Int] = []
  private(set) var trees: [(root: Int, depth: Int)] = []
  /// The weights of each node; none for those that are no leaves.
  private(set) var leaves: [Range<Int>] = []

  /// Comparisons of order become `≤` in trees that stand apart, each node's children side by side; any others keep a
  /// mask. `columnsAreKnown` says whether rows can be copied.
  init(_ source: TreeTable, _ dtype: DType, columnsAreKnown: Bool) {
    let isLowest = source.feature.indices.contains { source.goesLeftWhenMissing($0) }
    if source.isOrdered, columnsAreKnown || !isLowest {
      links = .ordered(lowest: isLowest)
      for root in source.roots { appendTree(source, root, dtype, isLowest) }
    } else {
      links = .masked
      appendMasked(source)
    }
  }

  /// Level by level.
  private mutating func appendTree(_ source: TreeTable, _ root: Int, _ dtype: DType, _ isLowest: Bool) {
    let first = splits.count
    var level = [root]
    var (depth, next) = (0, first + 1)
    while !level.isEmpty {
      var below: [Int] = []
      for place in level {
        guard place >= 0 else {
          append(leaf: source.weights(of: -1 - place))
          continue
        }
        let (feature, comparison) = (source.feature[place], source.comparison[place])
        let code = isLowest ? 2 * feature + (source.goesLeftWhenMissing(place) ? 1 : 0) : feature
        table += [code, next]
        let isStrict = comparison == .less || comparison == .greaterEqual
        splits.append(isStrict ? Self.below(source.split[place], dtype) : source.split[place])
        leaves.append(0..<0)
        next += 2
        let children = [source.onTrue[place], source.onFalse[place]]
        below += comparison.holdsBelow ? children : children.reversed()
      }
      if !below.isEmpty { depth += 1 }
      level = below
    }
    trees.append((first, depth))
  }

  /// No number is ≤ NaN: the next node is the one behind that before it.
  private mutating func append(leaf weights: Range<Int>) {
    table += [0, splits.count - 1]
    splits.append(.nan)
    leaves.append(weights)
  }

  /// The greatest number of `dtype` below `split`, which is above −∞.
  private static func below(_ split: Double, _ dtype: DType) -> Double {
    dtype == .float64 ? split.nextDown : Double(Float(split).nextDown)
  }

  /// Nodes under their own numbers, then leaves.
  private mutating func appendMasked(_ source: TreeTable) {
    let nodes = source.feature.count
    func place(_ child: Int) -> Int { child >= 0 ? child : nodes - 1 - child }
    for node in 0..<nodes {
      let mask = source.comparison[node].mask | (source.missing[node] ? 8 : 0)
      table += [source.feature[node], mask, place(source.onTrue[node]), place(source.onFalse[node])]
      leaves.append(0..<0)
    }
    splits = source.split
    for leaf in 0..<source.leafBegin.count - 1 {
      table += [0, 0, splits.count, splits.count]
      splits.append(0)
      leaves.append(source.weights(of: leaf))
    }
    var depths = [Int](repeating: 0, count: splits.count)
    for node in (0..<nodes).reversed() {
      depths[node] = 1 + max(depths[place(source.onTrue[node])], depths[place(source.onFalse[node])])
    }
    trees = source.roots.map { (place($0), depths[place($0)]) }
  }
}

extension TreeTable.Comparison {
  /// Whether it holds for numbers below the split.
  fileprivate var holdsBelow: Bool { self == .lessEqual || self == .less }

  /// Bit 0 for less, 1 for equal, 2 for greater, 3 for NaN.
  fileprivate var mask: Int {
    switch self {
    case .lessEqual: 3
    case .less: 1
    case .greaterEqual: 6
    case .greater: 4
    case .equal: 2
    case .notEqual: 13
    }
  }
}

extension TreeTable {
  /// Whether NaN goes where numbers below the split do.
  fileprivate func goesLeftWhenMissing(_ node: Int) -> Bool { missing[node] == comparison[node].holdsBelow }

  /// Whether no node has two parents, and all compare by order with a split that has numbers below.
  fileprivate var isOrdered: Bool {
    var isChild = [Bool](repeating: false, count: feature.count)
    for place in roots + onTrue + onFalse where place >= 0 {
      if isChild[place] { return false }
      isChild[place] = true
    }
    return feature.indices.allSatisfy { node in
      switch comparison[node] {
      case .lessEqual, .greater: true
      case .less, .greaterEqual: split[node] > -.infinity
      case .equal, .notEqual: false
      }
    }
  }
}
