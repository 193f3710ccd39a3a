import CMLCKernelABI
import MLCCore
import MLCText

/// The texts of one run by number: those that the code names, and behind them those that come up.
///
/// `@unchecked Sendable`: a run has it alone, and one task at a time of it asks for work on texts.
package final class TextMemory: @unchecked Sendable {  // one user at a time
  private let constants: TextNumbers
  private var others = TextNumbers()
  private var byteCount = 0
  private var operations: [[UInt32]: TextOperation] = [:]
  /// What texts that come up in a run may take, in bytes.
  private static let mostBytes = 1 << 30

  init(_ constants: TextNumbers) { self.constants = constants }

  /// Forgets what came up in the last run.
  func begin() { (others, byteCount) = (TextNumbers(), 0) }

  /// The text of `number`, which the run has given.
  subscript(number: UInt32) -> String {
    let place = Int(number)
    if place < constants.texts.count { return constants.texts[place] }
    // The empty text is one of the constants.
    let other = place - constants.texts.count + 1
    precondition(other < others.texts.count, "no text has the number \(number)")
    return others.texts[other]
  }

  /// The number of `text`; `nil` where texts take too much.
  func number(of text: String) -> UInt32? {
    if let number = constants.number(of: text) { return number }
    let count = others.texts.count
    let other = others.take(text)
    if others.texts.count > count { byteCount += text.utf8.count + 64 }
    if byteCount > Self.mostBytes { return nil }
    return UInt32(constants.texts.count - 1) + other
  }

  /// The numbers of the elements of a tensor of strings. Throws `runtime.too-large`.
  func numbers(of tensor: Tensor, _ name: String) throws(Diagnostic) -> Tensor {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(tensor.count)
    for text in tensor.strings {
      guard let number = number(of: text) else {
        throw Diagnostic("runtime.too-large", "the texts of input '\(name)' take more than \(Self.mostBytes) bytes")
      }
      numbers.append(number)
    }
    return Tensor(.string.stored, tensor.shape) { _ = $0.update(fromContentsOf: numbers) }
  }

  /// The tensor of strings whose elements have these numbers.
  func texts(of numbers: Tensor) -> Tensor {
    Tensor(numbers.shape, strings: numbers.withElements(of: UInt32.self) { $0.map { self[$0] } })
  }
}

// MARK: What code asks for

extension TextMemory {
  /// `mlc_frame.text` of this memory.
  package func perform(
    _ words: UnsafeBufferPointer<UInt32>,
    _ buffers: UnsafePointer<UnsafeMutableRawPointer?>,
    _ extents: UnsafePointer<Int64>
  ) -> mlc_fault {
    let call = TextCall(memory: self, buffers: buffers, count: Int(extents[0]))
    switch operation(Array(words)) {
    case .concat: return call.concat()
    case .countPieces(let split): return call.countPieces(split)
    case .split(let split): return call.split(split, width: Int(extents[1]))
    case .normalize(let normalizer): return call.normalize(normalizer)
    case .match(let pattern): return call.match(pattern)
    case .rank: return call.rank()
    case .parse(let dtype): return call.parse(dtype)
    case .format(let dtype): return call.format(dtype)
    }
  }

  /// The numbers of constants mean the same in every run.
  private func operation(_ words: [UInt32]) -> TextOperation {
    if let known = operations[words] { return known }
    guard let operation = TextOperation(words: words.map { self[$0] }) else {
      preconditionFailure("the code asks for what no runtime of its version does")
    }
    operations[words] = operation
    return operation
  }
}
