import MLCCore
import MLCGraph
import Synchronization

/// Weights become compressed constants, as a plan says.
///
/// ```
/// %w = const {…} : fp32[768, 768]
/// →
/// %i = const {…} : uint4[768, 768]; %t = const {…} : fp32[1, 1, 16, 1]
/// %w = constexpr_lut_to_dense(indices = %i, lut = %t)
/// ```
/// A weight that the plan does not reach, or that cannot have the form, stays. How far results move depends on the
/// plan.
package struct CompressWeights: Pass {
  package static let phase = Phase.compress
  package static let tolerance = Double.infinity

  package var plan: CompressionPlan
  /// Told how many of all elements are done; from any thread.
  package var progress: @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }

  package init(_ plan: CompressionPlan) { self.plan = plan }

  package func run(_ function: inout Function, under _: Budget) throws(Diagnostic) -> PassChange {
    let report = try compress(&function)
    return PassChange(removed: report.compressed.count, added: report.compressed.count)
  }

  /// Rewrites the function and says what became of each weight. Throws what expanding a compressed weight throws.
  package func compress(_ function: inout Function) throws(Diagnostic) -> CompressionReport {
    let weights = CompressibleWeight.all(in: function)
    let outcomes = outcomes(weights)
    var report = CompressionReport()
    var fragments: [ValueID: ConstantFragment] = [:]
    for (weight, outcome) in zip(weights, outcomes) {
      var row = CompressionReport.Weight(weight, function)
      switch outcome {
      case .untouched(let untouched): row.reason = untouched.reason
      case .failed(let problem): throw problem
      case .compressed(let fragment, let form, let error):
        fragments[weight.value] = fragment
        (row.form, row.error, row.bytesAfter) = (form, error, fragment.byteCount)
      }
      report.weights.append(row)
    }
    var insertion = FragmentInsertion(function, fragments)
    try insertion.run()
    function = insertion.function
    return report
  }

  private enum Outcome: Sendable {
    case untouched(Untouched)
    case failed(Diagnostic)
    case compressed(ConstantFragment, form: String, WeightError)
  }

  /// One for each weight; the largest are begun first, as many at a time as there are cores.
  private func outcomes(_ weights: [CompressibleWeight]) -> [Outcome] {
    let order = weights.indices.sorted { weights[$0].count > weights[$1].count }
    let total = weights.reduce(0) { $0 + $1.count }
    let state = Mutex((done: 0, outcomes: [Outcome?](repeating: nil, count: weights.count)))
    parallelFor(order.count) { place in
      let outcome = outcome(weights[order[place]])
      let done = state.withLock { state in
        state.outcomes[order[place]] = outcome
        state.done += weights[order[place]].count
        return state.done
      }
      progress(done, total)
    }
    return state.withLock { $0.outcomes.map { $0! } }
  }

  private func outcome(_ weight: CompressibleWeight) -> Outcome {
    switch plan.choice(for: weight) {
    case .failure(let untouched): return .untouched(untouched)
    case .success(let steps):
      let fragment: ConstantFragment
      do throws(Untouched) { fragment = try WeightCompressor(weight: weight, steps: steps).run() } catch {
        return .untouched(error)
      }
      do throws(Diagnostic) {
        let error = WeightError(weight.tensor, try fragment.expanded(), axis: weight.outputAxis)
        return .compressed(fragment, form: steps.description, error)
      } catch { return .failed(error) }
    }
  }
}

extension CompressionReport.Weight {
  fileprivate init(_ weight: CompressibleWeight, _ function: Function) {
    self.init(
      name: weight.name,
      node: weight.names.count > 1 ? weight.names[1] : nil,
      operators: weight.operators,
      type: weight.tensor.type,
      bytesBefore: weight.tensor.byteCount,
      bytesAfter: weight.tensor.byteCount
    )
  }
}

/// Puts fragments in the place of constants; the constants' values keep their numbers and names.
private struct FragmentInsertion {
  private(set) var function: Function
  private let fragments: [ValueID: ConstantFragment]
  private var taken: Set<String>

  init(_ function: Function, _ fragments: [ValueID: ConstantFragment]) {
    (self.function, self.fragments) = (function, fragments)
    taken = Set(function.values.map { $0.name })
  }

  mutating func run() throws(Diagnostic) {
    if !fragments.isEmpty { function.body = try block(function.body) }
  }

  private mutating func block(_ source: Block) throws(Diagnostic) -> Block {
    var result = source
    result.operations.removeAll(keepingCapacity: true)
    for var operation in source.operations {
      for index in operation.blocks.indices { operation.blocks[index] = try block(operation.blocks[index]) }
      if operation.op is Const, let fragment = fragments[operation.outputs[0]] {
        result.operations += try operations(fragment, operation)
      } else {
        result.operations.append(operation)
      }
    }
    return result
  }

  private mutating func operations(_ fragment: ConstantFragment, _ constant: Operation) throws(Diagnostic)
    -> [Operation]
  {
    let (weight, name) = (constant.outputs[0], function[constant.outputs[0]].name)
    var (operations, results) = ([Operation](), [[ValueID]]())
    for (number, step) in fragment.steps.enumerated() {
      var inputs: [[ValueID]] = []
      for port in step.arguments {
        inputs.append(
          port.map { argument in
            switch argument {
            case .result(let step, let output): return results[step][output]
            case .tensor(let tensor, let suffix):
              let value = function.addValue(unique("\(name)_\(suffix)"), Fact(tensor))
              operations.append(Operation(Const(tensor), [], outputs: [value], origin: constant.origin))
              return value
            }
          }
        )
      }
      let current = function
      let facts = try infer(step.op, inputs, blocks: [], label: name, in: current)
      let outputs: [ValueID]
      if number == fragment.steps.count - 1 {
        outputs = [weight]
        function[weight].fact = facts[0]
      } else {
        outputs = facts.map { function.addValue(unique("\(name)_expanded"), $0) }
      }
      operations.append(Operation(step.op, inputs, outputs: outputs, origin: constant.origin))
      results.append(outputs)
    }
    return operations
  }

  private mutating func unique(_ hint: String) -> String {
    var (name, number) = (hint, 1)
    while !taken.insert(name).inserted { (name, number) = ("\(hint)_\(number)", number + 1) }
    return name
  }
}
