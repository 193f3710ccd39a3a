import Foundation

extension Double {
  /// In `digits` decimals, point and no grouping.
  func fixed(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
  /// In five significant digits, `0.69315`, `1.2346e-06`.
  var shortened: String { String(format: "%.5g", self) }
  /// In three significant digits, `1.23e-06`; `0` for zero.
  var scientific: String { self == 0 ? "0" : String(format: "%.2e", self) }
}

extension Int {
  var kilobytes: String { (Double(self) / 1000).fixed(1) }
  var megabytes: String { (Double(self) / 1e6).fixed(1) }
  /// `1,234,567`
  var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
  /// `1 input`, `2 inputs`
  func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
  var milliseconds: Double { self / .milliseconds(1) }
}

/// The first `count` of `names`, and whether there are more: `a, b, …`.
func abridged(_ names: [String], _ count: Int) -> String {
  (names.prefix(count) + (names.count > count ? ["…"] : [])).joined(separator: ", ")
}

/// `'a', 'b', 'c'`
func quotedList(_ names: some Sequence<String>) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
