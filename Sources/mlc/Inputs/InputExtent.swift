import MLCCore

/// One extent that the user gives for an input: `224`, `width`, `?`, `32..1280` or `{320,640}`.
enum InputExtent: Equatable {
  /// A number, a name, or an expression of names.
  case size(Dim)
  /// Any number.
  case open
  case range(ClosedRange<Int>)
  /// Some numbers, the default first.
  case choice([Int])

  /// `nil` for what is none of these, and for numbers that are negative or no size.
  init?(parsing text: some StringProtocol) {
    let text = String(text.trimmingSpaces)
    if text == "?" {
      self = .open
    } else if text.hasPrefix("{"), text.hasSuffix("}") {
      let items = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
      let numbers = items.compactMap { InputExtent.number($0.trimmingSpaces) }
      guard numbers.count == items.count else { return nil }
      self.init(choice: numbers)
    } else if let dots = text.firstRange(of: "..") {
      guard let low = InputExtent.number(text[..<dots.lowerBound].trimmingSpaces),
        let high = InputExtent.number(text[dots.upperBound...].trimmingSpaces), low <= high
      else { return nil }
      self = low == high ? .size(Dim(low)) : .range(low...high)
    } else {
      guard let dim = try? Dim(parsing: text), dim.constant.map({ (0...InputExtent.most).contains($0) }) ?? true else {
        return nil
      }
      self = .size(dim)
    }
  }

  /// `nil` without numbers, with one twice, and for what is no size.
  init?(choice numbers: [Int]) {
    guard let first = numbers.first, Set(numbers).count == numbers.count,
      numbers.allSatisfy({ (0...InputExtent.most).contains($0) })
    else { return nil }
    self = numbers.count == 1 ? .size(Dim(first)) : .choice(numbers)
  }

  /// Whether a size of the model may be `number`.
  func allows(_ number: Int) -> Bool {
    switch self {
    case .size, .open: true
    case .range(let range): range.contains(number)
    case .choice(let numbers): numbers.contains(number)
    }
  }

  /// Whether it says which numbers a size that stays open may be.
  var isRestricted: Bool {
    switch self {
    case .size, .open: false
    case .range, .choice: true
    }
  }

  private static let most = 1 << 40
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let number = Int(text), (0...most).contains(number) else { return nil }
    return number
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: SubSequence {
    let start = drop { $0 == " " }
    guard let end = start.lastIndex(where: { $0 != " " }) else { return start }
    return start[...end]
  }
}
