import MLCCore
import TestSupport

extension CompiledRunner {
  /// Why the cases among `items` fail that do: `label: reason`. Many cases become one function, so that the C compiler
  /// starts seldom.
  func failures(_ items: [PlayedCase]) -> [String] {
    var failures: [String] = []
    let sound = items.filter { item in
      do throws(Diagnostic) {
        try check(try item.function())
        return true
      } catch {
        failures.append("\(item.label): \(error)")
        return false
      }
    }
    return failures
      + inParts(sound, of: 100, name: \.label) { (part) throws(Diagnostic) in
        let batch = try CaseBatch(part)
        let results = try run(batch.function, batch.runs)
        return results.enumerated().flatMap { batch.problems(part, run: $0.offset, $0.element) }
      }
  }
}
