import MLCCore
import MLCGraph
import MLCOps

/// For `Z = A·B` `∂ℓ/∂A = G·Bᵀ` and `∂ℓ/∂B = Aᵀ·G`; where an operand is read transposed, their transposes.
extension MatMul: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    var g = try context.gradient()
    let (isRow, isColumn) = (context.rank("x") == 1, context.rank("y") == 1)
    let x = isRow ? try context.apply(ExpandDims([0]), context["x"]) : context["x"]
    let y = isColumn ? try context.apply(ExpandDims([1]), context["y"]) : context["y"]
    if isColumn { g = try context.apply(ExpandDims([-1]), g) }
    if isRow { g = try context.apply(ExpandDims([-2]), g) }
    if context.wants("x") {
      let part = try left(g, y, isRow, isColumn, &context)
      try context.give(.value(part), to: "x")
    }
    if context.wants("y") {
      let part = try right(g, x, isRow, isColumn, &context)
      try context.give(.value(isColumn ? try context.apply(Squeeze([-1]), part) : part), to: "y")
    }
  }

  private func left(_ g: ValueID, _ y: ValueID, _ isRow: Bool, _ isColumn: Bool, _ context: inout GradientContext)
    throws(Diagnostic) -> ValueID
  {
    let turned = transposeY && !isColumn
    if transposeX, !isRow { return try context.apply(MatMul(transposeX: turned, transposeY: true), y, g) }
    return try context.apply(MatMul(transposeY: !turned), g, y)
  }

  private func right(_ g: ValueID, _ x: ValueID, _ isRow: Bool, _ isColumn: Bool, _ context: inout GradientContext)
    throws(Diagnostic) -> ValueID
  {
    let turned = transposeX && !isRow
    if !turned, context.rank("y") == 2, context.fact(x).rank > 2 {
      // One matrix for every place of x: the products of all of them are summed as they are made.
      let (rows, gradients) = (try context.rows(x), try context.rows(g))
      let (a, b) = transposeY ? (gradients, rows) : (rows, gradients)
      return try context.apply(MatMul(transposeX: true), a, b)
    }
    if transposeY, !isColumn { return try context.apply(MatMul(transposeX: true, transposeY: turned), g, x) }
    return try context.apply(MatMul(transposeX: !turned), x, g)
  }
}
