/// An operator whose result is a constant kept in a smaller form: quantised, looked up in a palette, sparse.
///
/// Its arguments are constants or results of such operators (`Fact.isConstant`), and so is its result, of which `infer`
/// gives the type and not the value. It is pure and takes no part in control flow. Passes leave its uses as they are:
/// folding them would undo what compression did. The interpreter runs each at most once a run, when its result is first
/// read.
package protocol ConstantExpression: Operator {}

extension Operation {
  package var isConstantExpression: Bool { op is any ConstantExpression }
}
