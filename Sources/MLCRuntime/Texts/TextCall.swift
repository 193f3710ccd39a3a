import CMLCKernelABI
import MLCCore
import MLCText

/// One call of `mlc_frame.text`: `TextOperation` says which buffers each has. Answers a fault where texts take too much
/// memory, or one is no number.
struct TextCall {
  let memory: TextMemory
  let buffers: UnsafePointer<UnsafeMutableRawPointer?>
  /// The first extent.
  let count: Int

  func concat() -> mlc_fault {
    let (x, y, z) = (numbers(0), numbers(1), numbers(2))
    for index in 0..<count {
      guard let number = memory.number(of: memory[x[index]] + memory[y[index]]) else { return MLC_FAULT_SIZE }
      z[index] = number
    }
    return MLC_FAULT_NONE
  }

  func countPieces(_ split: TextSplit) -> mlc_fault {
    let x = numbers(0)
    let (counts, most) = (elements(1, Int64.self), elements(2, Int64.self))
    most[0] = 0
    for index in 0..<count {
      counts[index] = Int64(split.pieces(of: memory[x[index]]).count)
      most[0] = max(most[0], counts[index])
    }
    return MLC_FAULT_NONE
  }

  func split(_ split: TextSplit, width: Int) -> mlc_fault {
    let (x, y) = (numbers(0), numbers(1))
    for index in 0..<count {
      let pieces = split.pieces(of: memory[x[index]])
      let row = y + index * width
      row.update(repeating: 0, count: width)
      for (place, piece) in pieces.prefix(width).enumerated() {
        guard let number = memory.number(of: piece) else { return MLC_FAULT_SIZE }
        row[place] = number
      }
    }
    return MLC_FAULT_NONE
  }

  func normalize(_ normalizer: TextNormalizer) -> mlc_fault {
    let (x, y, kept) = (numbers(0), numbers(1), elements(2, Int64.self))
    let texts = normalizer.normalized((0..<count).map { memory[x[$0]] })
    for (index, text) in texts.enumerated() {
      guard let number = memory.number(of: text) else { return MLC_FAULT_SIZE }
      y[index] = number
    }
    kept[0] = Int64(texts.count)
    return MLC_FAULT_NONE
  }

  func match(_ pattern: TextPattern) -> mlc_fault {
    let (x, y) = (numbers(0), elements(1, Bool.self))
    for index in 0..<count { y[index] = pattern.matches(memory[x[index]]) }
    return MLC_FAULT_NONE
  }

  func rank() -> mlc_fault {
    let (x, y) = (numbers(0), elements(1, Int64.self))
    for (index, rank) in TextOrder.ranks((0..<count).map { memory[x[$0]] }).enumerated() { y[index] = Int64(rank) }
    return MLC_FAULT_NONE
  }

  func parse(_ dtype: DType) -> mlc_fault {
    let x = numbers(0)
    for index in 0..<count {
      switch NumberText.number(memory[x[index]], as: dtype) {
      case .float(let value): elements(1, Double.self)[index] = value
      case .signed(let value): elements(1, Int64.self)[index] = value
      case .unsigned(let value): elements(1, UInt64.self)[index] = value
      case nil: return MLC_FAULT_TEXT
      }
    }
    return MLC_FAULT_NONE
  }

  func format(_ dtype: DType) -> mlc_fault {
    let y = numbers(1)
    for index in 0..<count {
      let text =
        switch TextOperation.wide(dtype) {
        case .float64: NumberText.text(elements(0, Double.self)[index], as: dtype)
        case .int64: NumberText.text(elements(0, Int64.self)[index])
        default: NumberText.text(elements(0, UInt64.self)[index])
        }
      guard let number = memory.number(of: text) else { return MLC_FAULT_SIZE }
      y[index] = number
    }
    return MLC_FAULT_NONE
  }

  private func numbers(_ buffer: Int) -> UnsafeMutablePointer<UInt32> { elements(buffer, UInt32.self) }

  private func elements<T>(_ buffer: Int, _ type: T.Type) -> UnsafeMutablePointer<T> {
    buffers[buffer]!.assumingMemoryBound(to: type)
  }
}
