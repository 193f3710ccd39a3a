import MLCCore
import MLCGraph

/// What an operator takes: values, and numbers, texts, truth values, lists and tensors as constants.
public protocol Argument {
  var form: ArgumentForm { get }
}

/// How an argument is held.
public enum ArgumentForm {
  case value(Value)
  case state(StateValue)
  case constant(Constant)
  case integers([Int], isList: Bool)
  case numbers([Double], isList: Bool)
  case texts([String], isList: Bool)
  case flags([Bool], isList: Bool)
  case list([ArgumentForm])
}

extension Value: Argument { public var form: ArgumentForm { .value(self) } }
extension StateValue: Argument { public var form: ArgumentForm { .state(self) } }
extension Constant: Argument { public var form: ArgumentForm { .constant(self) } }
extension Int: Argument { public var form: ArgumentForm { .integers([self], isList: false) } }
extension Double: Argument { public var form: ArgumentForm { .numbers([self], isList: false) } }
extension Float: Argument { public var form: ArgumentForm { .numbers([Double(self)], isList: false) } }
extension String: Argument { public var form: ArgumentForm { .texts([self], isList: false) } }
extension Bool: Argument { public var form: ArgumentForm { .flags([self], isList: false) } }

extension Array: Argument where Element: Argument {
  public var form: ArgumentForm {
    switch self {
    case let list as [Int]: .integers(list, isList: true)
    case let list as [Double]: .numbers(list, isList: true)
    case let list as [Float]: .numbers(list.map { Double($0) }, isList: true)
    case let list as [String]: .texts(list, isList: true)
    case let list as [Bool]: .flags(list, isList: true)
    default: .list(map(\.form))
    }
  }
}

/// A tensor that is the same in every call: a weight.
public struct Constant: Sendable {
  let tensor: Tensor

  /// Row-major elements, as many as the shape says.
  public init(shape: [Int], _ elements: [Float]) {
    precondition(shape.reduce(1, *) == elements.count, "\(elements.count) elements for the shape \(shape)")
    tensor = Tensor(shape, floats: elements)
  }

  /// The same of another type, rounded to nearest.
  public init(shape: [Int], _ elements: [Double], dataType: DataType) {
    precondition(shape.reduce(1, *) == elements.count, "\(elements.count) elements for the shape \(shape)")
    tensor = Tensor(dataType.dtype, shape, elements)
  }

  /// Row-major integers of 32 bits.
  public init(shape: [Int], _ elements: [Int32]) {
    precondition(shape.reduce(1, *) == elements.count, "\(elements.count) elements for the shape \(shape)")
    tensor = Tensor(.int32, shape, elements.map { Int($0) })
  }

  package init(_ tensor: Tensor) { self.tensor = tensor }

  public var shape: [Int] { tensor.shape }
}
