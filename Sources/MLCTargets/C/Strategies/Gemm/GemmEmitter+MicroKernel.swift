import MLCCore
import MLCKernels

extension GemmEmitter {
  /// `rows` rows of one panel: sums in registers over `depth` steps of k, then the epilogue, or the sums to scratch.
  func microKernel(rows: Int, _ symbol: String) -> CCode {
    let weights = plan.constantType ?? problem.sumElement
    let step = plan.constantType == nil ? "step" : nil
    return """
      static __attribute__((noinline, unused)) void \(symbol)_\(rows)(
        const struct \(symbol)_at *restrict at, const \(leftType) *restrict a,
        \(reader.parameters(weights.cStorageType)),
        int64_t depth\(plan.constantType == nil ? ", int64_t step" : "")\(prefetchParameter)) {
        \(symbolicStrides)
        \(element) *sums = at->sums;
        int64_t k = 0;
        \(start(rows))
        \(loops(rows, weights, step, symbol))
        \(finish(rows, symbol))
      }
      """
  }

  /// Independent sums per element, so that one or two rows do not wait for the product before.
  private func chains(_ rows: Int) -> Int {
    let products = rows * plan.tile.vectors
    return products >= 8 ? 1 : products >= 4 ? 2 : 4
  }

  /// Declares the sizes where strides need them.
  var symbolicStrides: CCode {
    let (row, k) = leftStrides
    return row.contains("s[") || k.contains("s[") ? "const int64_t *s = at->frame->symbols;" : []
  }

  /// A line for each row of a statement for each of its vectors.
  func each(_ rows: Int, _ statement: (_ row: Int, _ vector: Int) -> String) -> CCode {
    .grid(rows, plan.tile.vectors * (problem.areHalves ? 2 : 1), statement)
  }

  private func start(_ rows: Int) -> CCode {
    let count = problem.areHalves ? 1 : chains(rows)
    let zero = each(rows) { row, j in
      "\(problem.sumType.name) " + (0..<count).map { "c\(row)_\(j)_\($0) = {}" }.joined(separator: ", ") + ";"
    }
    if !plan.chunked { return zero }
    let partial = StoredElement(problem.sumElement)
    return zero
      + .block(
        "if (!at->first)",
        each(rows) { "c\($0)_\($1)_0 = \(partial.load("sums + \($0 * plan.width) + \($1) * VL"));" }
      )
  }

  private func loops(_ rows: Int, _ weights: DType, _ step: String?, _ symbol: String) -> CCode {
    let count = chains(rows)
    if problem.areHalves { return runs(rows, chains: count) }
    let rest = CCode.block("for (; k < depth; k++)", stepOfK(rows, weights, step, chain: 0))
    if count == 1 {
      return prefetching(stepOfK(rows, weights, step, chain: 0), rows: rows, symbol)
        + "_Pragma(\"clang loop unroll_count(2)\")" + rest
    }
    let steps = (0..<count).map { CCode.block(stepOfK(rows, weights, step, chain: $0)) }
    let sum = each(rows) { row, j in
      "c\(row)_\(j)_0 += " + (1..<count).map { "c\(row)_\(j)_\($0)" }.joined(separator: " + ") + ";"
    }
    return .block("for (; k + \(count) <= depth; k += \(count))", steps.joined()) + rest + sum
  }

  /// One step of k: `k + chain`, whose products go to that chain.
  private func stepOfK(_ rows: Int, _ weights: DType, _ step: String?, chain: Int) -> CCode {
    let (rowStride, kStride) = leftStrides
    let stored = StoredElement(weights)
    let type = problem.arePairs ? "VI" : problem.sumType.name
    let ahead = plan.readsAhead && chain == 0 ? reader.prefetches(elementBytes: weights.bitWidth / 8) : []
    let loads = ahead + (0..<plan.tile.vectors).map { "\(type) w\($0) = \(stored.load(reader.address($0)));" }
    let products = (0..<rows).map { row in
      let address = "a + \(row) * \(rowStride) + (k + \(chain)) * \(kStride)"
      if problem.areBytes || problem.arePairs { return dots(row, chain, address) }
      let sums = (0..<plan.tile.vectors).map { "c\(row)_\($0)_\(chain) += w\($0) * x;" }.joined(separator: " ")
      return "{ \(element) x = a[\(row) * \(rowStride) + (k + \(chain)) * \(kStride)]; \(sums) }"
    }
    return """
      \(loads.joined(separator: " "))
      \(CCode(lines: products))
      \(reader.advance(by: step))
      """
  }

  /// The dot products of the word at `address` and each vector's.
  private func dots(_ row: Int, _ chain: Int, _ address: String) -> String {
    let sums = (0..<plan.tile.vectors).map { vector in
      let sum = "c\(row)_\(vector)_\(chain)"
      return "\(sum) = \(problem.areBytes ? "mlc_dot4" : "mlc_dot2")(\(sum), x, w\(vector));"
    }
    return "{ const VI x = mlc_word(\(address)); \(sums.joined(separator: " ")) }"
  }

  func finish(_ rows: Int, _ symbol: String) -> CCode {
    let stored = StoredElement(problem.sumElement)
    let careful: CCode = """
      \(each(rows) { stored.store("sums + \($0 * plan.width) + \($1) * VL", "c\($0)_\($1)_0") })
      \(plan.chunked ? "if (at->last) " : "")\(symbol)_finish(at, \(rows));
      """
    guard epilogue.isInline else { return careful }
    return """
      if (\(plan.chunked ? "at->last && " : "")at->columns == \(plan.width)) {
        \(each(rows) { "\(symbol)_vector(at, c\($0)_\($1)_0, at->m + \($0), at->n + \($1) * VL);" })
        return;
      }
      \(careful)
      """
  }
}
