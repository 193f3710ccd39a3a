import MLCCore
import MLCGraph

/// Looks for sizes that a model takes: symbol by symbol, going back when no number is left for one.
struct SizeSearch {
  /// Sizes that are chosen together, and what they can be, best first.
  struct Variable {
    var names: [String]
    var choices: [[Int]]
    /// Whether a number that another size has may be taken too.
    var bounds: ClosedRange<Int>?
  }

  let function: Function
  let variables: [Variable]
  /// What all tensors at once may take.
  let memory: Int
  /// Whether operations in nested blocks may be refused.
  private let forgivesBlocks: Bool
  private(set) var refusal: Diagnostic?
  private(set) var trials = 0
  private let limit: Int

  init(_ function: Function, _ variables: [Variable], memory: Int, forgivesBlocks: Bool) {
    (self.function, self.variables, self.memory) = (function, variables, memory)
    self.forgivesBlocks = forgivesBlocks
    limit = max(64, min(4096, 4_000_000 / max(1, function.values.count)))
  }

  /// Sizes by name with those of `fixed`, `nil` when none were found.
  mutating func run(fixed: [String: Int]) -> [String: Int]? { search(0, fixed) }

  private mutating func search(_ number: Int, _ sizes: [String: Int]) -> [String: Int]? {
    guard number < variables.count else { return sizes }
    let variable = variables[number]
    var seen: Set<[Int]> = []
    var choices = variable.choices
    if let bounds = variable.bounds {
      choices.insert(contentsOf: sizes.values.sorted().filter(bounds.contains).map { [$0] }, at: min(1, choices.count))
    }
    for choice in choices where seen.insert(choice).inserted {
      guard trials < limit else { return nil }
      let tried = sizes.merging(zip(variable.names, choice)) { _, new in new }
      if accepts(tried), let found = search(number + 1, tried) { return found }
    }
    return nil
  }

  /// Whether nothing in the model speaks against these sizes, whatever the others are.
  mutating func accepts(_ sizes: [String: Int]) -> Bool {
    trials += 1
    do throws(Diagnostic) {
      let bytes = try ShapeTrial(function, sizes: sizes, forgivesBlocks: forgivesBlocks).bytes
      if bytes <= memory { return true }
      refusal = Diagnostic("budget.memory", "the tensors at these sizes would take \(bytes) bytes")
    } catch { refusal = error }
    return false
  }

  /// Numbers for a size that is first thought of as `guess`: itself, larger ones, smaller ones, all small ones, and
  /// numbers with many divisors.
  static func numbers(around guess: Int, in bounds: ClosedRange<Int>) -> [[Int]] {
    let low = bounds.lowerBound
    var numbers = [min(max(guess, low), bounds.upperBound)]
    numbers += (1...8).map { guess.saturatingProduct(1 << (2 * $0)) }.filter { $0 <= 1 << 20 }
    numbers += (1...20).map { guess >> $0 }.filter { $0 > 0 }
    numbers += Array(1...64)
    numbers += [72, 84, 96, 105, 120, 128, 144, 168, 180, 210, 240, 252, 256, 336, 360, 420, 480, 512, 720, 840]
    numbers += [1260, 1680, 2520]
    // Multiples of any small number are among neighbours of the bounds.
    numbers += (0..<64).map { low.addingReportingOverflow($0).partialValue }
    if bounds.upperBound < .max { numbers += (0..<64).map { bounds.upperBound - $0 } }
    return numbers.filter(bounds.contains).map { [$0] }
  }
}
