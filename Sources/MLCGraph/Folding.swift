/// The runs of repetitions in a sequence: `a b c b c b c d` is `a`, three times `b c`, and `d`.
///
/// A run takes in all repetitions that follow each other from where it begins. Among the ways to choose such runs, none
/// upon another, this is one that shows the fewest elements: an element outside of runs counts as one, a run as one
/// repetition and `cost` more, and is there only where it spares more than that. Of equal ways, the one whose first two
/// repetitions are joined by weaker bonds, then the one whose runs begin earlier. Time is proportional to the length
/// times `maximumPeriod`, memory to their sum.
package struct Folding: Hashable, Sendable {
  /// `count` times `period` elements, from `start` on.
  package struct Run: Hashable, Sendable {
    package let start: Int, period: Int, count: Int
    package var range: Range<Int> { start..<start + period * count }
    /// The places of the repetition `index`.
    package func repetition(_ index: Int) -> Range<Int> { start + period * index..<start + period * (index + 1) }
  }

  package enum Part: Hashable, Sendable {
    case element(Int)
    case run(Run)
  }

  /// From the first to the last.
  package let runs: [Run]
  /// Elements of the sequence.
  package let count: Int

  /// Elements are equal where their labels are. `bonds` says how closely each belongs to the one before it; without
  /// them all are alike.
  package init(_ labels: [some Hashable], bonds: [Int]? = nil, cost: Int = 4, maximumPeriod: Int = 512) {
    precondition(bonds == nil || bonds?.count == labels.count)
    count = labels.count
    let numbers = Folding.numbered(labels)
    // For each place: what is shown from there on and the bonds in its runs, and the run that begins there.
    var shown = [(elements: Int, bonds: Int)](repeating: (0, 0), count: count + 1)
    var choices = [Run?](repeating: nil, count: count)
    // For each period: how many elements, from the present place on, equal those a period later.
    var matches = [Int](repeating: 0, count: max(0, min(maximumPeriod, count / 2)) + 1)
    for start in numbers.indices.reversed() {
      shown[start] = (shown[start + 1].elements + 1, shown[start + 1].bonds)
      for period in matches.indices.dropFirst() where start + period < count {
        matches[period] = numbers[start] == numbers[start + period] ? matches[period] + 1 : 0
        let run = Run(start: start, period: period, count: matches[period] / period + 1)
        guard period * (run.count - 1) > cost else { continue }
        let rest = shown[run.range.upperBound]
        let total = (elements: rest.elements + period + cost, bonds: rest.bonds + (bonds?[start + period] ?? 0))
        if total < shown[start] || total == shown[start] && choices[start] == nil {
          (shown[start], choices[start]) = (total, run)
        }
      }
    }
    runs = Folding.chosen(choices)
  }

  /// Equal numbers for equal labels: they are compared faster.
  private static func numbered<Label: Hashable>(_ labels: [Label]) -> [Int] {
    var numbers: [Label: Int] = [:]
    return labels.map { label in
      let number = numbers[label] ?? numbers.count
      numbers[label] = number
      return number
    }
  }

  private static func chosen(_ choices: [Run?]) -> [Run] {
    var (runs, place) = ([Run](), 0)
    while place < choices.count {
      if let run = choices[place] { runs.append(run) }
      place = choices[place]?.range.upperBound ?? place + 1
    }
    return runs
  }

  /// The elements outside of runs, and the runs, in the sequence's order.
  package var parts: [Part] {
    var (parts, place) = ([Part](), 0)
    for run in runs {
      parts += (place..<run.start).map { .element($0) } + [.run(run)]
      place = run.range.upperBound
    }
    return parts + (place..<count).map { .element($0) }
  }

  /// How many elements are shown where each run stands once.
  package var shownCount: Int { count - runs.reduce(0) { $0 + $1.period * ($1.count - 1) } }
}
