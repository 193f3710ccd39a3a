import MLCCore
import MLCKernels
import Testing

@Suite struct ReshapeMapTests {
  /// Where `position` of `source` lies in `target`, by counting elements.
  private func expected(_ position: [Int], _ source: [Int], _ target: [Int]) -> [Int] {
    var linear = zip(position, source.rowMajorStrides).map { $0 * $1 }.reduce(0, +)
    return target.rowMajorStrides.map { stride in
      defer { linear %= stride }
      return linear / stride
    }
  }

  private func value(_ index: Index, _ axes: [Int: Int]) -> Int {
    switch index {
    case .dim(let d): d.constant!
    case .axis(let id): axes[id]!
    case .sum(let a, let b): value(a, axes) + value(b, axes)
    case .product(let a, let d): value(a, axes) * d.constant!
    case .floorDiv(let a, let d): value(a, axes) / d.constant!
    case .mod(let a, let d): value(a, axes) % d.constant!
    case .value: -1
    }
  }

  @Test func agreesWithCounting() {
    let pairs: [([Int], [Int])] = [
      ([2, 3, 4], [6, 4]), ([6, 4], [2, 3, 4]), ([1, 5, 1], [5]), ([5], [1, 5, 1]), ([4, 6], [6, 4]),
      ([2, 3, 5], [5, 3, 2]), ([1], []), ([], [1, 1]), ([2, 12, 5], [2, 3, 4, 5]), ([24], [2, 3, 4]),
    ]
    for (source, target) in pairs {
      let axes = source.indices.map { Index.axis($0) }
      let indices = ReshapeMap.indices(of: target.map { Dim($0) }, from: axes, over: source.map { Dim($0) })
      for linear in 0..<source.reduce(1, *) {
        let position = expected([linear], [source.reduce(1, *)], source)
        let bound = Dictionary(uniqueKeysWithValues: position.enumerated().map { ($0, $1) })
        let found = indices?.map { value($0, bound) }
        #expect(found == expected(position, source, target), "\(source) → \(target) at \(position)")
      }
    }
  }

  @Test func symbolicGroupsStayAffine() {
    let (b, s): (Dim, Dim) = ("b", "s")
    let indices = ReshapeMap.indices(of: [b * s, 768], from: [.axis(0), .axis(1), .axis(2)], over: [b, s, 768])
    #expect(indices?.allSatisfy { $0.affine != nil } == true)
    #expect(indices?[0].affine?.coefficients == [0: s, 1: 1])
  }

  @Test func otherSizesDoNotMap() {
    #expect(ReshapeMap.indices(of: [6], from: [.axis(0)], over: [5]) == nil)
    #expect(ReshapeMap.indices(of: ["a"], from: [.axis(0)], over: ["b"]) == nil)
  }
}
