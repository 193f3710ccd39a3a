import CoreML
import Foundation

/// How many tokens a model takes at once.
enum WindowLengths: Equatable, Sendable {
  /// One of these, from the shortest to the longest: windows are padded.
  case some([Int])
  case range(ClosedRange<Int>)

  /// What a model says of the last axis of its tokens, whose others must take 1.
  init(_ shapes: MLMultiArrayShapeConstraint) throws {
    if shapes.type == .enumerated {
      let all = shapes.enumeratedShapes.map { $0.map { $0.intValue } }
      self = .some(all.filter { $0.dropLast().allSatisfy { $0 == 1 } }.compactMap(\.last).sorted())
    } else {
      let ranges = shapes.sizeRangeForDimension.map { $0.rangeValue }
      guard let length = ranges.last, ranges.dropLast().allSatisfy({ $0.contains(1) }) else {
        throw QuestionError.modelTakes("several texts at once")
      }
      let shortest = max(length.location, 1)
      let longest = length.length == NSNotFound ? Int.max : length.location + length.length - 1
      self = length.length == 1 ? .some([shortest]) : .range(shortest...max(longest, shortest))
    }
    if self == .some([]) { throw QuestionError.modelTakes("several texts at once") }
  }

  /// `Int.max` where the model sets no limit.
  var longest: Int {
    switch self {
    case .some(let lengths): lengths.last ?? 0
    case .range(let range): range.upperBound
    }
  }

  /// The shortest of the lengths that `count` tokens fit in; they must fit in the longest.
  func fitting(_ count: Int) -> Int {
    switch self {
    case .some(let lengths): lengths.first { $0 >= count } ?? count
    case .range(let range): max(range.lowerBound, count)
    }
  }
}
