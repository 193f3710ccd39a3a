import MLCCore
import MLCPackage

/// Derives a function's sizes from the shapes of its inputs.
package struct ShapeBinder: Sendable {
  private let interface: FunctionInterface
  private let rules: [Rule]
  /// Numbers of the symbols of each enumeration.
  private let enumerated: [[Int]]

  /// What dimension `axis` of input `input` does.
  private struct Rule: Sendable {
    enum Action: Sendable {
      case expect(Int)
      /// Extent = symbol · factor + offset.
      case bind(symbol: Int, factor: Int, offset: Int)
      case check(Dim)
    }
    let input: Int, axis: Int, action: Action
  }

  /// Throws `package.unbound-size` when the shapes of the inputs do not determine every size.
  package init(_ interface: FunctionInterface) throws(Diagnostic) {
    let names = interface.symbols.map { $0.name }
    var binding: [Rule] = []
    var checking: [Rule] = []
    for (input, port) in interface.inputs.enumerated() {
      for (axis, dim) in port.type.shape.enumerated() {
        if let extent = dim.constant {
          binding.append(Rule(input: input, axis: axis, action: .expect(extent)))
        } else if let (name, factor, offset) = ShapeBinder.affine(dim), let symbol = names.firstIndex(of: name) {
          binding.append(Rule(input: input, axis: axis, action: .bind(symbol: symbol, factor: factor, offset: offset)))
        } else {
          checking.append(Rule(input: input, axis: axis, action: .check(dim)))
        }
      }
    }
    let bound = binding.reduce(into: Set<Int>()) { bound, rule in
      if case .bind(let symbol, _, _) = rule.action { bound.insert(symbol) }
    }
    if let free = names.indices.first(where: { !bound.contains($0) }) {
      throw Diagnostic("package.unbound-size", "the shapes of the inputs do not determine the size '\(names[free])'")
    }
    self.interface = interface
    rules = binding + checking
    enumerated = interface.enumerations.map { $0.symbols.compactMap { names.firstIndex(of: $0) } }
  }

  /// `factor · name + offset`
  private static func affine(_ dim: Dim) -> (name: String, factor: Int, offset: Int)? {
    guard let name = dim.symbols.first, dim.symbols.count == 1, let offset = dim.terms.last, dim.terms.count <= 2,
      dim.terms.count == 1 || offset.atoms.isEmpty, case .symbol(name)? = dim.terms[0].atoms.first,
      dim.terms[0].atoms.count == 1
    else { return nil }
    return (name, dim.terms[0].coefficient, dim.terms.count == 2 ? offset.coefficient : 0)
  }

  /// The sizes by number. Throws `runtime.input-count`, `-type`, `-rank`, `-shape` or `-range`.
  package func bind(_ inputs: [Tensor]) throws(Diagnostic) -> [Int] {
    try checkTypes(inputs)
    var sizes = [Int](repeating: -1, count: interface.symbols.count)
    var binders = [Int](repeating: 0, count: sizes.count)
    for rule in rules {
      let extent = inputs[rule.input].shape[rule.axis]
      switch rule.action {
      case .expect(let expected):
        guard extent == expected else { throw mismatch(rule, extent, "is \(extent), expected \(expected)") }
      case .bind(let symbol, let factor, let offset):
        try bind(symbol, factor, offset, extent, rule, &sizes, &binders)
      case .check(let dim):
        let names = interface.symbols.map { $0.name }
        let expected = dim.evaluate(Dictionary(zip(names, sizes)) { a, _ in a })
        guard extent == expected else {
          throw mismatch(rule, extent, "is \(extent), expected \(dim)" + (expected.map { " = \($0)" } ?? ""))
        }
      }
    }
    try checkEnumerations(sizes)
    return sizes
  }

  private func checkEnumerations(_ sizes: [Int]) throws(Diagnostic) {
    for (enumeration, symbols) in zip(interface.enumerations, enumerated) {
      let given = symbols.map { sizes[$0] }
      guard !enumeration.choices.contains(given) else { continue }
      throw Diagnostic(
        "runtime.input-range",
        "the inputs have \(enumeration.symbols.joined(separator: " × ")) = "
          + "\(given.map(String.init).joined(separator: " × ")), the model allows \(enumeration.spelledChoices)"
      )
    }
  }

  private func checkTypes(_ inputs: [Tensor]) throws(Diagnostic) {
    let ports = interface.inputs
    guard inputs.count == ports.count else {
      let names = ports.map { $0.name }.joined(separator: ", ")
      throw Diagnostic(
        "runtime.input-count",
        "'\(interface.name)' takes \(ports.count) input\(ports.count == 1 ? "" : "s") (\(names)), \(inputs.count) given"
      )
    }
    for (port, tensor) in zip(ports, inputs) {
      guard tensor.dtype == port.type.dtype else {
        throw Diagnostic(
          "runtime.input-type",
          "input '\(port.name)' is \(port.type), the tensor given is \(tensor.type)"
        )
      }
      guard tensor.rank == port.type.rank else {
        throw Diagnostic(
          "runtime.input-rank",
          "input '\(port.name)' is \(port.type), the tensor given is \(tensor.type): its rank is \(tensor.rank)"
        )
      }
    }
  }

  private func bind(
    _ symbol: Int,
    _ factor: Int,
    _ offset: Int,
    _ extent: Int,
    _ rule: Rule,
    _ sizes: inout [Int],
    _ binders: inout [Int]
  ) throws(Diagnostic) {
    let declared = interface.symbols[symbol]
    let (scaled, overflow) = extent.subtractingReportingOverflow(offset)
    guard !overflow, scaled.isMultiple(of: factor), scaled / factor >= 0 else {
      throw mismatch(rule, extent, "is \(extent), which is not \(dim(rule)) for any '\(declared.name)'")
    }
    let size = scaled / factor
    if sizes[symbol] >= 0 {
      guard sizes[symbol] == size else {
        let binder = interface.inputs[binders[symbol]].name
        let earlier = "'\(declared.name)' was bound to \(sizes[symbol]) by input '\(binder)'"
        let expression = dim(rule).symbol == nil ? " and this dimension is \(dim(rule))" : ""
        throw mismatch(rule, extent, "is \(extent) but \(earlier)\(expression)")
      }
      return
    }
    if let range = declared.range, !range.contains(size) {
      let input = interface.inputs[rule.input].name
      throw Diagnostic(
        "runtime.input-range",
        "input '\(input)': dimension \(rule.axis) makes '\(declared.name)' \(size), the model allows "
          + "\(range.lowerBound) to \(range.upperBound)"
      )
    }
    (sizes[symbol], binders[symbol]) = (size, rule.input)
  }

  private func dim(_ rule: Rule) -> Dim { interface.inputs[rule.input].type.shape[rule.axis] }

  private func mismatch(_ rule: Rule, _ extent: Int, _ problem: String) -> Diagnostic {
    Diagnostic("runtime.input-shape", "input '\(interface.inputs[rule.input].name)': dimension \(rule.axis) \(problem)")
  }
}
