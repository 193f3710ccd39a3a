/// What a subscript of a tensor says of one axis: an index, a range, or one of `newAxis`, `squeezeAxis`, `fillAll`.
/// Other types that conform to it are refused where they are used.
public protocol MLTensorRangeExpression: Sendable {
  /// An implementation detail.
  var _tensorRange: _MLTensorRange { get }
}

/// An implementation detail that is public only because a public protocol's requirement needs it.
public struct _MLTensorRange: MLTensorRangeExpression {
  enum Form: Sendable {
    case index(Int)
    /// Bounds, open where there are none; the upper one is no part of it.
    case range(lower: Int?, upper: Int?, stride: Int)
    case newAxis, squeezeAxis, fillAll
  }

  let form: Form
  init(_ form: Form) { self.form = form }
  public var _tensorRange: _MLTensorRange { self }
}

extension Int: MLTensorRangeExpression {
  public var _tensorRange: _MLTensorRange { _MLTensorRange(.index(self)) }
}

extension Range: MLTensorRangeExpression where Bound == Int {
  public var _tensorRange: _MLTensorRange {
    _MLTensorRange(.range(lower: lowerBound, upper: upperBound, stride: 1))
  }
}

extension ClosedRange: MLTensorRangeExpression where Bound == Int {
  public var _tensorRange: _MLTensorRange {
    _MLTensorRange(.range(lower: lowerBound, upper: upperBound + 1, stride: 1))
  }
}

extension PartialRangeFrom: MLTensorRangeExpression where Bound == Int {
  public var _tensorRange: _MLTensorRange { _MLTensorRange(.range(lower: lowerBound, upper: nil, stride: 1)) }
}

extension PartialRangeUpTo: MLTensorRangeExpression where Bound == Int {
  public var _tensorRange: _MLTensorRange { _MLTensorRange(.range(lower: nil, upper: upperBound, stride: 1)) }
}

extension PartialRangeThrough: MLTensorRangeExpression where Bound == Int {
  public var _tensorRange: _MLTensorRange { _MLTensorRange(.range(lower: nil, upper: upperBound + 1, stride: 1)) }
}

extension MLTensorRangeExpression where Self == _MLTensorRange {
  /// A new axis of one element.
  public static var newAxis: any MLTensorRangeExpression { _MLTensorRange(.newAxis) }

  /// The axis, which is one element long, goes.
  public static var squeezeAxis: any MLTensorRangeExpression { _MLTensorRange(.squeezeAxis) }

  /// All axes that nothing else in the subscript says anything of, as `...`; once in a subscript.
  public static var fillAll: any MLTensorRangeExpression { _MLTensorRange(.fillAll) }

  /// The slice at an index, without the axis; counted from the end when negative.
  public static func index(_ index: Int) -> any MLTensorRangeExpression { _MLTensorRange(.index(index)) }

  /// The elements of a range, `stride` apart, which is positive.
  public static func range(_ range: Range<Int>, stride: Int = 1) -> any MLTensorRangeExpression {
    _MLTensorRange(.range(lower: range.lowerBound, upper: range.upperBound, stride: stride))
  }

  /// The elements of a range, `stride` apart, which is positive.
  public static func closedRange(_ range: ClosedRange<Int>, stride: Int = 1) -> any MLTensorRangeExpression {
    _MLTensorRange(.range(lower: range.lowerBound, upper: range.upperBound + 1, stride: stride))
  }

  /// The elements from a place on, `stride` apart, which is positive.
  public static func partialRangeFrom(_ range: PartialRangeFrom<Int>, stride: Int = 1) -> any MLTensorRangeExpression {
    _MLTensorRange(.range(lower: range.lowerBound, upper: nil, stride: stride))
  }

  /// The elements before a place, `stride` apart, which is positive.
  public static func partialRangeUpTo(_ range: PartialRangeUpTo<Int>, stride: Int = 1) -> any MLTensorRangeExpression {
    _MLTensorRange(.range(lower: nil, upper: range.upperBound, stride: stride))
  }

  /// The elements up to a place and there, `stride` apart, which is positive.
  public static func partialRangeUpTo(
    _ range: PartialRangeThrough<Int>,
    stride: Int = 1
  ) -> any MLTensorRangeExpression {
    _MLTensorRange(.range(lower: nil, upper: range.upperBound + 1, stride: stride))
  }
}
