import MLCCore
import MLCText

extension KernelProgram {
  /// Gives texts their numbers: tensors of strings become tensors of numbers, constants among them too, and zeros that
  /// kernels make of strings are empty texts. Does nothing to a program without texts.
  mutating func numberTexts() {
    var numbers = TextNumbers()
    var isNeeded = false
    for index in tensors.indices where tensors[index].dtype == .string {
      isNeeded = true
      tensors[index].dtype = .string.stored
      if case .constant(let value) = tensors[index].kind {
        tensors[index].kind = .constant(
          Tensor(.string.stored, value.shape, value.strings.map { Int(numbers.take($0)) })
        )
      }
    }
    KernelProgram.forEachKernel(steps) { kernel in
      guard case .routine(.text(let text)) = kernel.body else { return }
      isNeeded = true
      for word in text.operation.words { _ = numbers.take(word) }
    }
    if !isNeeded { return }
    texts = numbers
    steps = KernelProgram.numbered(steps)
  }

  private static func numbered(_ steps: [Step]) -> [Step] {
    steps.map { step in
      guard case .kernel(var kernel) = step else { return step.mapBlocks(numbered) }
      kernel.rewriteScalars { scalar in
        switch scalar {
        case .constant(_, .string), .integer(_, .string): .integer(0, .string.stored)
        case .cast(let x, .string): .cast(x, .string.stored)
        default: scalar
        }
      }
      return .kernel(kernel)
    }
  }
}
