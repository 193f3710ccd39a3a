import MLCCore
import MLCGraph
import MLCOps

/// Which texts an input can take, as far as the graph tells: those that it holds itself, as labels are, and others; or
/// numbers, where it reads them as such.
package struct TextDomain: Sendable, CustomStringConvertible {
  /// The texts of the graph's constants, none twice.
  private let known: [String]
  private let areNumbers: Bool
  /// Of what other texts are made: digits, several bytes, several scalars.
  private static let letters = Array("aBc 1.é🙂".unicodeScalars)
  private static let mostKnown = 4096

  package var description: String {
    areNumbers ? "numbers as texts" : known.isEmpty ? "texts" : "texts of the model, others"
  }

  /// The domain of the function input `value`.
  package init(of value: ValueID, in function: Function) {
    var found: [UTF8Text] = []
    var seen: Set<UTF8Text> = []
    var areNumbers = false
    for other in function.values.indices {
      guard let constant = function.fact(ValueID(other)).value, constant.dtype == .string else { continue }
      for text in constant.strings.map(UTF8Text.init) where found.count < Self.mostKnown && seen.insert(text).inserted {
        found.append(text)
      }
    }
    func look(_ block: Block) {
      for operation in block.operations {
        if let cast = operation.op as? Cast, cast.dtype != .string, operation.inputs.joined().contains(value) {
          areNumbers = true
        }
        for nested in operation.blocks { look(nested) }
      }
    }
    look(function.body)
    (known, self.areNumbers) = (found.map { $0.text }, areNumbers)
  }

  /// One of them.
  package func draw(_ generator: inout SeededGenerator) -> String {
    if areNumbers { return "\(Double(Int(generator.next() % 2001) - 1000) / 8)" }
    if !known.isEmpty, generator.next() % 4 != 0 { return known[Int(generator.next() % UInt64(known.count))] }
    var text = String.UnicodeScalarView()
    for _ in 0..<generator.next() % 9 { text.append(Self.letters[Int(generator.next() % UInt64(Self.letters.count))]) }
    return String(text)
  }
}
