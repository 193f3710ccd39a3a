import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCTargetC
import TestSupport
import Testing

/// Every case with a size of its own for each extent, whether these have to agree or not: no model with open sizes
/// makes kernels that its sizes can lead astray, and sizes are refused where the reference refuses them.
@Suite struct OwnSizesTests {
  @Test func kernelsRequireOfSizesWhatTheOperatorDoes() {
    var (generator, played, problems) = (SeededNumbers(seed: 10), 0, [String]())
    for item in OperatorCase.all where CompiledExceptions.reason(item) == nil {
      for draw in 0..<6 {
        let drawn = OwnSizes(item, chance: draw < 2 ? 1 : 0.5, weights: draw % 2 == 1, &generator)
        do throws(Diagnostic) {
          problems += try drawn.problems(&generator).map { "\(item.label): \($0)" }
          played += 1
        } catch {
          if error.kind == .bug { problems.append("\(item.label): \(drawn.types): \(error)") }
        }
      }
    }
    #expect(problems.isEmpty, "\(problems.count) of \(played):\n\(problems.joined(separator: "\n"))")
    #expect(played > 1500)
  }
}

/// A case, some of whose extents are symbols of their own.
private struct OwnSizes {
  let item: OperatorCase
  /// A name for each open extent of each input, by port.
  private(set) var types: [[TensorType]] = []
  private var constants: [[Bool]] = []
  private var own: [String: Int] = [:]

  /// Each extent is open by `chance`; what is a constant in the case is one here unless `weights` are open too.
  init(_ item: OperatorCase, chance: Double, weights: Bool, _ generator: inout SeededNumbers) {
    self.item = item
    for (port, tensors) in zip(type(of: item.op).ports, item.inputs) {
      let isConstant = item.constants.contains(port.name) && !weights
      constants.append(tensors.map { _ in isConstant })
      types.append([])
      for tensor in tensors {
        var shape = tensor.shape.map { Dim($0) }
        if !isConstant {
          for axis in shape.indices where Double.random(in: 0..<1, using: &generator) < chance {
            let name = "n\(own.count)"
            (own[name], shape[axis]) = (tensor.shape[axis], .symbol(name))
          }
        }
        types[types.count - 1].append(TensorType(tensor.dtype, shape))
      }
    }
  }

  /// Sizes that kernels take and the reference refuses, or the other way around.
  ///
  /// Throws what compilation does.
  func problems(_ generator: inout SeededNumbers) throws(Diagnostic) -> [String] {
    var builder = Builder()
    var arguments: [[ValueID]] = []
    for (place, port) in type(of: item.op).ports.enumerated() where item.inputs.indices.contains(place) {
      arguments.append(
        item.inputs[place].indices.map { index in
          constants[place][index]
            ? builder.constant(item.inputs[place][index], name: port.name)
            : builder.input(port.name, types[place][index])
        }
      )
    }
    let outputs = try builder.append(item.op, arguments, names: ["out"])
    let function = builder.finish(outputs.enumerated().map { ("out\($0.offset)", $0.element) })
    let program = try KernelProgram.optimized(function, for: CTarget.v3, verifyingEach: true)
    var found: [String] = []
    for _ in 0..<8 {
      let sizes = drawSizes(&generator)
      let isTaken = program.requirements.allSatisfy { $0.holds(sizes) }
      var refusal: Diagnostic?
      do { _ = try Interpreter(function).run(tensors(sizes)) } catch { refusal = error }
      if isTaken == (refusal == nil) || isForgiven(refusal, sizes, program) { continue }
      found.append("\(types) for \(sizes): " + (refusal.map { "taken, but \($0)" } ?? "refused, but it has a meaning"))
    }
    return found
  }

  /// Where both need not agree.
  private func isForgiven(_ refusal: Diagnostic?, _ sizes: [String: Int], _ program: KernelProgram) -> Bool {
    // An axis of 0 beside one of 1 broadcasts to 0; the compiler takes the larger of two open extents.
    guard let refusal else { return sizes.values.contains(0) }
    // What data decides, the run reports.
    if refusal.id.rawValue.hasSuffix(".index") || refusal.id == "cast.text" || !program.lateSymbols.isEmpty {
      return true
    }
    // Of `[0, -1]` on an open extent the rest follows, though not on an extent of 0 that is known.
    return refusal.id == "reshape.shape" && sizes.values.contains(0)
  }

  /// The case's own sizes, of which one is another, or all that are equal are.
  private func drawSizes(_ generator: inout SeededNumbers) -> [String: Int] {
    var sizes = own
    guard let (name, extent) = own.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) else {
      return sizes
    }
    let other = [extent, 0, 1, extent + 1, 2 * extent, 3 * extent, max(extent - 1, 0)].randomElement(using: &generator)!
    let isOne = Bool.random(using: &generator)
    for (key, value) in own where isOne ? key == name : value == extent { sizes[key] = other }
    return sizes
  }

  /// The case's run-time inputs at `sizes`, their elements repeated.
  private func tensors(_ sizes: [String: Int]) -> [Tensor] {
    item.inputs.indices.flatMap { place in
      item.inputs[place].indices.compactMap { index in
        if constants[place][index] { return nil }
        return item.inputs[place][index].repeated(types[place][index].shape.map { $0.evaluate(sizes)! })
      }
    }
  }
}
