import MLCCore

/// A pattern as steps of an automaton, which takes all ways through them at once (Thompson's construction).
struct PatternProgram: Sendable {
  /// Steps that a program has at most.
  static let sizeLimit = 1 << 14

  private enum Step: Sendable {
    /// Goes on behind one of these characters.
    case character(CharacterSet)
    /// Goes on where it holds.
    case condition(PatternCondition)
    /// Goes on, and at `other` as well.
    case fork(other: Int)
    case jump(Int)
    case end
  }

  private var steps: [Step] = []

  /// Throws `text.pattern-size`.
  init(_ node: PatternNode) throws(Diagnostic) {
    try append(node)
    try append(.end)
  }

  private mutating func append(_ step: Step) throws(Diagnostic) {
    guard steps.count < Self.sizeLimit else {
      throw Diagnostic("text.pattern-size", "the pattern takes more than \(Self.sizeLimit) steps", kind: .unsupported)
    }
    steps.append(step)
  }

  private mutating func append(_ node: PatternNode) throws(Diagnostic) {
    switch node {
    case .empty: break
    case .characters(let set): try append(Step.character(set))
    case .condition(let condition): try append(Step.condition(condition))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .alternatives(let nodes): try append(alternatives: nodes)
    case .repetition(let node, let least, let most):
      for _ in 0..<least {
        let start = steps.count
        try append(node)
        if steps.count == start { break }
      }
      if let most { try append(node, upTo: most - least) } else { try append(repeating: node) }
    }
  }

  private mutating func append(alternatives nodes: [PatternNode]) throws(Diagnostic) {
    var ends: [Int] = []
    for (index, node) in nodes.enumerated() {
      let isLast = index == nodes.count - 1
      let fork = steps.count
      if !isLast { try append(.fork(other: 0)) }
      try append(node)
      guard !isLast else { continue }
      ends.append(steps.count)
      try append(.jump(0))
      steps[fork] = .fork(other: steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func append(_ node: PatternNode, upTo count: Int) throws(Diagnostic) {
    var forks: [Int] = []
    for _ in 0..<count {
      forks.append(steps.count)
      try append(.fork(other: 0))
      try append(node)
    }
    for fork in forks { steps[fork] = .fork(other: steps.count) }
  }

  private mutating func append(repeating node: PatternNode) throws(Diagnostic) {
    let fork = steps.count
    try append(.fork(other: 0))
    try append(node)
    try append(.jump(fork))
    steps[fork] = .fork(other: steps.count)
  }

  /// Whether some way leads through all of `text` to the end.
  func matches(_ text: String.UnicodeScalarView) -> Bool {
    var rest = text.makeIterator()
    var before: Unicode.Scalar?
    var after = rest.next()
    var (places, next) = (Places(steps.count), Places(steps.count))
    reach(0, &places, before, after)
    while let scalar = after {
      if places.list.isEmpty { return false }
      (before, after) = (scalar, rest.next())
      next.removeAll()
      for place in places.list {
        if case .character(let set) = steps[place], set.contains(scalar) { reach(place + 1, &next, before, after) }
      }
      swap(&places, &next)
    }
    return places.list.contains { if case .end = steps[$0] { true } else { false } }
  }

  /// Adds `start`, and what can be reached from there without a character, between these two.
  private func reach(_ start: Int, _ places: inout Places, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?) {
    var open = [start]
    while let place = open.popLast() {
      guard places.insert(place) else { continue }
      switch steps[place] {
      case .character, .end: break
      case .condition(let condition): if condition.holds(between: before, and: after) { open.append(place + 1) }
      case .fork(let other): open += [other, place + 1]
      case .jump(let target): open.append(target)
      }
    }
  }
}

/// Some of the numbers below a bound.
private struct Places {
  private(set) var list: [Int] = []
  private var isThere: [Bool]

  init(_ count: Int) { isThere = [Bool](repeating: false, count: count) }

  /// Whether `place` is new.
  mutating func insert(_ place: Int) -> Bool {
    if isThere[place] { return false }
    isThere[place] = true
    list.append(place)
    return true
  }

  mutating func removeAll() {
    for place in list { isThere[place] = false }
    list.removeAll(keepingCapacity: true)
  }
}
