import MLCCore
import MLCKernels

extension GemmEmitter {
  /// `rows` rows of one panel: sums in registers over `depth` steps of k, then the epilogue, or the sums to scratch.
  func microKernel(rows: Int, _ symbol: String) -> String {
    let weights = plan.constantType ?? .float32
    let step = plan.constantType == nil ? "step" : "\(plan.width)"
    return """
      static __attribute__((noinline, unused)) void \(symbol)_\(rows)(
        const struct \(symbol)_at *restrict at, const float *restrict a, const \(weights.cStorageType) *restrict b,
        int64_t depth\(plan.constantType == nil ? ", int64_t step" : "")) {
        \(symbolicStrides)float *sums = at->sums;
        int64_t k = 0;
      \(start(rows))
      \(loops(rows, weights, step))
      \(finish(rows, symbol))
      }
      """
  }

  /// Independent sums per element, so that one or two rows do not wait for the product before.
  private func chains(_ rows: Int) -> Int {
    let products = rows * plan.tile.vectors
    return products >= 8 ? 1 : products >= 4 ? 2 : 4
  }

  var symbolicStrides: String {
    let (row, k) = leftStrides
    return row.contains("s[") || k.contains("s[") ? "const int64_t *s = at->frame->symbols;\n  " : ""
  }

  private func each(_ rows: Int, _ body: (Int, Int) -> String) -> String {
    (0..<rows).map { row in "  " + (0..<plan.tile.vectors).map { body(row, $0) }.joined(separator: " ") }
      .joined(separator: "\n")
  }

  private func start(_ rows: Int) -> String {
    let zero = each(rows) { row, j in
      "V " + (0..<chains(rows)).map { "c\(row)_\(j)_\($0) = {}" }.joined(separator: ", ") + ";"
    }
    if !plan.chunked { return zero }
    let load = each(rows) { row, j in "c\(row)_\(j)_0 = LD(sums + \(row * plan.width) + \(j) * VL);" }
    return zero + "\n  if (!at->first) {\n" + load + "\n  }"
  }

  private func loops(_ rows: Int, _ weights: DType, _ step: String) -> String {
    let count = chains(rows)
    let rest = """
        for (; k < depth; k++) {
      \(stepOfK(rows, weights, step, chain: 0))
        }
      """
    if count == 1 { return "  _Pragma(\"clang loop unroll_count(2)\")\n" + rest }
    let body = (0..<count).map { "  {\n\(stepOfK(rows, weights, step, chain: $0))\n  }" }.joined(separator: "\n")
    let sum = each(rows) { row, j in
      "c\(row)_\(j)_0 += " + (1..<count).map { "c\(row)_\(j)_\($0)" }.joined(separator: " + ") + ";"
    }
    return "  for (; k + \(count) <= depth; k += \(count)) {\n" + body + "\n  }\n" + rest + "\n" + sum
  }

  /// One step of k: `k + chain`, whose products go to that chain.
  private func stepOfK(_ rows: Int, _ weights: DType, _ step: String, chain: Int) -> String {
    let (rowStride, kStride) = leftStrides
    let loads = (0..<plan.tile.vectors).map { "V w\($0) = \(vectorLoad("b + \($0) * VL", weights));" }
    let products = (0..<rows).map { row in
      let x = "a[\(row) * \(rowStride) + (k + \(chain)) * \(kStride)]"
      return "    { float x = \(x); "
        + (0..<plan.tile.vectors).map { "c\(row)_\($0)_\(chain) += w\($0) * x;" }.joined(separator: " ") + " }"
    }
    return "    " + loads.joined(separator: " ") + "\n" + products.joined(separator: "\n")
      + "\n    b += \(step);"
  }

  func finish(_ rows: Int, _ symbol: String) -> String {
    let spill = each(rows) { row, j in "ST(sums + \(row * plan.width) + \(j) * VL, c\(row)_\(j)_0);" }
    let last = "\(symbol)_finish(at, \(rows));"
    let careful = plan.chunked ? spill + "\n  if (at->last) \(last)" : spill + "\n  " + last
    guard epilogue.isInline else { return careful }
    let store = each(rows) { row, j in
      "\(symbol)_vector(at, c\(row)_\(j)_0, at->m + \(row), at->n + \(j) * VL);"
    }
    let whole = plan.chunked ? "at->last && at->columns == \(plan.width)" : "at->columns == \(plan.width)"
    return "  if (\(whole)) {\n\(store)\n    return;\n  }\n" + careful
  }
}
