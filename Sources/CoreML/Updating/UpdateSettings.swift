import Foundation
import MLCCore

/// The numbers that an update is made with, each within what the model allows.
struct UpdateSettings: Sendable {
  private let learning: Learning
  private var values: [Learning.Setting.Key: Double]

  /// The model's own.
  init(_ learning: Learning) {
    self.learning = learning
    values = Dictionary(learning.settings.map { ($0.key, $0.value) }) { first, _ in first }
  }

  subscript(_ key: Learning.Setting.Key) -> Double { values[key] ?? 0 }

  func integer(_ key: Learning.Setting.Key) -> Int { Int(self[key].whole) }
  /// 1 and more.
  func count(_ key: Learning.Setting.Key) -> Int { max(1, integer(key)) }

  /// Throws `MLModelError.parameters` for what the model has no setting for, or does not allow; then nothing changes.
  mutating func set(_ parameters: [MLParameterKey: Any]) throws {
    var values = values
    for (key, value) in parameters {
      guard key.scope == nil, let name = Learning.Setting.Key(rawValue: key.name),
        let setting = learning.setting(name)
      else {
        let known = learning.settings.map { "'\($0.key.rawValue)'" }.joined(separator: ", ")
        throw MLModelError(.parameters, "the model has no parameter '\(key)' to set; it has \(known)")
      }
      guard let number = UpdateSettings.number(value) else {
        throw MLModelError(.parameters, "the parameter '\(key)' is a number, and no \(type(of: value))")
      }
      guard !name.isInteger || number == number.rounded() else {
        throw MLModelError(.parameters, "the parameter '\(key)' is a whole number, and not \(number)")
      }
      guard setting.allowed.contains(number) else {
        let spelled = Learning.Setting.spelled(number)
        throw MLModelError(.parameters, "the parameter '\(key)' of \(spelled) is none of \(setting.allowed)")
      }
      values[name] = number
    }
    self.values = values
  }

  /// What a package says of a setting that it holds as a parameter.
  mutating func note(_ key: Learning.Setting.Key, _ value: Double) { values[key] = value }

  private static func number(_ value: Any) -> Double? {
    switch value {
    case let number as NSNumber: number.doubleValue
    case let flag as Bool: flag ? 1 : 0
    case let number as any BinaryInteger: Double(number)
    case let number as any BinaryFloatingPoint: Double(number)
    default: nil
    }
  }

  /// As Core ML gives them.
  var parameters: [MLParameterKey: Any] {
    Dictionary(values.map { (MLParameterKey(name: $0.rawValue, scope: nil), $0.number($1) as Any) }) { first, _ in
      first
    }
  }
}

extension Learning.Setting.Key {
  /// A truth value, an integer or a double, as the setting is.
  func number(_ value: Double) -> NSNumber {
    if self == .shuffle { return NSNumber(value: value != 0) }
    return isInteger ? NSNumber(value: value.whole) : NSNumber(value: value)
  }

  fileprivate var isInteger: Bool {
    switch self {
    case .shuffle, .miniBatchSize, .epochs, .seed, .numberOfNeighbors: true
    case .learningRate, .momentum, .beta1, .beta2, .eps: false
    }
  }
}

extension Double {
  /// The nearest integer there is.
  fileprivate var whole: Int64 { Int64(exactly: rounded()) ?? (self > 0 ? .max : self < 0 ? .min : 0) }
}

extension MLParameterDescription {
  convenience init(_ setting: Learning.Setting) {
    let constraint: MLNumericConstraint
    switch setting.allowed {
    case .range(let range):
      constraint = MLNumericConstraint(
        minNumber: setting.key.number(range.lowerBound),
        maxNumber: setting.key.number(range.upperBound)
      )
    case .values(let values):
      constraint = MLNumericConstraint(
        minNumber: setting.key.number(values[0]),
        maxNumber: setting.key.number(values[values.count - 1]),
        enumeratedNumbers: Set(values.map { setting.key.number($0) })
      )
    }
    self.init(
      key: MLParameterKey(name: setting.key.rawValue, scope: nil),
      defaultValue: setting.key.number(setting.value),
      numericConstraint: constraint
    )
  }
}
