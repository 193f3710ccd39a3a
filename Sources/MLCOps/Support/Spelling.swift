import MLCCore
import MLCText

extension Tensor {
  /// The texts that `NumberText` spells the elements as.
  package var spelled: Tensor {
    switch dtype {
    case .uint64: Tensor(shape, strings: integers.map { NumberText.text(UInt(bitPattern: $0)) })
    case _ where dtype.isFloat: Tensor(shape, strings: doubles.map { NumberText.text($0, as: dtype) })
    default: Tensor(shape, strings: integers.map { NumberText.text($0) })
    }
  }

  /// The numbers that `NumberText` reads in the texts. Throws `cast.text` for a text that is none.
  package func numbers(as dtype: DType) throws(Diagnostic) -> Tensor {
    var (floats, integers): ([Double], [Int]) = ([], [])
    for text in strings {
      switch NumberText.number(text, as: dtype) {
      case .float(let value): floats.append(value)
      case .signed(let value): integers.append(Int(value))
      case .unsigned(let value): integers.append(Int(truncatingIfNeeded: value))
      case nil: throw Diagnostic("cast.text", "'\(text)' is no number of type \(dtype.rawValue)")
      }
    }
    return dtype.isFloat ? Tensor(dtype, shape, floats) : Tensor(dtype, shape, integers)
  }
}
