import Foundation

/// An answer in a window: its tokens, by their place in the paragraph.
struct Span: Equatable, Sendable {
  let tokens: ClosedRange<Int>
  /// How sure the model is of it, 0 … 1.
  let probability: Float

  /// The most probable answer in a window, `nil` where none is more probable: the model then points to `[CLS]`.
  ///
  /// Of the tokens that may be chosen, `[CLS]` and the part, each begins and ends an answer with the probabilities that
  /// softmax makes of `starts` and `ends`; those of an answer's two ends are multiplied. It has at most `longest`
  /// tokens.
  static func best(in window: Window, starts: [Float], ends: [Float], longest: Int = 30) -> Span? {
    let places = window.offset..<window.offset + window.part.count
    let total = logOfSum(starts, places) + logOfSum(ends, places)
    var (best, found): (Float, ClosedRange<Int>?) = (starts[0] + ends[0], nil)
    let shift = window.offset - window.part.lowerBound
    for first in window.own.lowerBound + shift..<window.own.upperBound + shift {
      for last in first..<min(first + longest, places.upperBound) where starts[first] + ends[last] > best {
        (best, found) = (starts[first] + ends[last], first - shift...last - shift)
      }
    }
    return found.map { Span(tokens: $0, probability: exp(best - total)) }
  }

  /// log Σ exp over `[CLS]` and `places`.
  private static func logOfSum(_ logits: [Float], _ places: Range<Int>) -> Float {
    let chosen = [logits[0]] + logits[places]
    let greatest = chosen.reduce(-Float.infinity) { max($0, $1) }
    return greatest + log(chosen.reduce(0) { $0 + exp($1 - greatest) })
  }
}
