import MLCCore
import MLCGraph

/// Seeded random inputs that a model can take.
package struct InputGenerator: Sendable {
  package let function: Function
  package let sizes: [String: Int]
  package let seed: UInt64

  package init(_ function: Function, sizes: [String: Int], seed: UInt64) {
    (self.function, self.sizes, self.seed) = (function, sizes, seed)
  }

  /// Floats are normal with deviation 1, powers of two next to the size of such, booleans either, integers inside their
  /// `IntegerDomain`, texts of their `TextDomain`.
  ///
  /// Throws `input.shape` when sizes give an extent that cannot be.
  package func inputs() throws(Diagnostic) -> [Tensor] {
    var tensors: [Tensor] = []
    for input in function.inputs { tensors.append(try tensor(input)) }
    return tensors
  }

  /// What `inputs` draws the input `index` from, in words.
  package func domain(_ index: Int) -> String {
    let input = function.inputs[index]
    let dtype = function.type(input).dtype
    if dtype.isFloat { return "normal" }
    if dtype == .string { return TextDomain(of: input, in: function).description }
    return dtype == .bool ? "false or true" : IntegerDomain(of: input, in: function).description
  }

  private func tensor(_ input: ValueID) throws(Diagnostic) -> Tensor {
    let (name, type) = (function[input].name, function.type(input))
    var shape: [Int] = []
    for dim in type.shape {
      guard let extent = dim.evaluate(sizes), extent >= 0 else {
        throw Diagnostic("input.shape", "input '\(name)' is \(type), which these sizes make impossible", kind: .usage)
      }
      shape.append(extent)
    }
    guard let count = shape.checkedProduct, let bytes = type.dtype.stored.byteCount(count), bytes <= maximumTensorBytes
    else {
      throw Diagnostic("input.shape", "input '\(name)' would have the shape \(shape)", kind: .usage)
    }
    var generator = SeededGenerator(seed: seed, name: name)
    if type.dtype.isFloat {
      let isUnsigned = type.dtype.smallFloat.map { !$0.isSigned } ?? false
      let numbers = (0..<count).map { _ in generator.normal() }
      return Tensor(type.dtype, shape, isUnsigned ? numbers.map { abs($0) } : numbers)
    }
    if type.dtype == .string {
      let domain = TextDomain(of: input, in: function)
      return Tensor(shape, strings: (0..<count).map { _ in domain.draw(&generator) })
    }
    if type.dtype == .bool { return Tensor(.bool, shape, (0..<count).map { _ in Int(generator.next() & 1) }) }
    let domain = IntegerDomain(of: input, in: function)
    let limit = UInt64(min(domain.limit, 1 << min(62, type.dtype.bitWidth - (type.dtype.isSigned ? 1 : 0))))
    let least = UInt64(min(domain.least, Int(limit) - 1))
    return Tensor(
      type.dtype,
      shape,
      (0..<count).map { _ in domain.wanted ?? Int(least + generator.next() % (limit - least)) }
    )
  }
}
