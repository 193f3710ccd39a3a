import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

/// A loss of variables, and its gradients by them.
struct GradientCheck {
  /// From the variables to the loss.
  private let loss: Function
  private let variables: [Tensor]
  private var lossValue: ValueID { loss.outputs[0] }

  /// `loss` is a scalar, the one output.
  init(_ loss: Function, _ variables: [Tensor]) { (self.loss, self.variables) = (loss, variables) }

  /// The loss `Σ weights · results` of a drawn operation.
  ///
  /// With `open` the extents of the variables are open sizes, one for all that are equal.
  init(_ drawn: DrawnOperation, _ draw: inout Draw, open: Bool = false) throws {
    var builder = Builder()
    func declared(_ tensor: Tensor) -> TensorType {
      open ? TensorType(tensor.dtype, tensor.shape.map { $0 > 1 ? .symbol("n\($0)") : Dim($0) }) : tensor.type
    }
    let inputs = drawn.mapped { isVariable, tensor in
      isVariable ? builder.input("v", declared(tensor)) : builder.constant(tensor)
    }
    let dtype = drawn.variables[0].dtype
    let results = try builder.append(drawn.op, inputs)
    let shapes = try drawn.op.evaluate(Operands(type(of: drawn.op).portNames, drawn.operands)).map { $0.shape }
    var terms: [ValueID] = []
    for (result, shape) in zip(results, shapes) where builder.fact(result).dtype.isFloat {
      let weights = builder.constant(draw.reals(shape).converted(to: dtype))
      let floats = try builder(Cast(dtype), result)
      terms.append(try builder(ReduceSum(), try builder(Mul(), floats, weights)))
    }
    let sum = try terms.dropFirst().reduce(terms[0]) { try builder(Add(), $0, $1) }
    self.init(builder.finish([("loss", sum)]), drawn.variables)
  }

  /// The function from the variables to the loss and its gradients by those at `places`, all unless given.
  func gradient(_ places: [Int]? = nil) throws(Diagnostic) -> Function {
    let parameters = (places ?? Array(variables.indices)).map { loss.inputs[$0] }
    var differentiation = try Differentiation(loss, parameters: parameters, result: lossValue)
    let gradients = try differentiation.gradients(of: differentiation.value(lossValue))
    let results = [differentiation.value(lossValue)] + gradients
    let function = differentiation.writer.finished(results.enumerated().map { ("r\($0)", $1) })
    try function.verify()
    return function
  }

  func value(_ variables: [Tensor]) throws -> Double { try Interpreter(loss).run(variables)[0].doubles[0] }

  /// The first element whose gradient is not the slope of the loss; `nil` when there is none.
  ///
  /// Of slopes over ±h and ±h/2 the error of the second is a third of their difference, and what rounding adds is
  /// within some units in the last place of the values over h.
  func disagreement(_ draw: inout Draw) throws -> String? {
    let results = try Interpreter(gradient()).run(variables)
    let (loss, expected) = (results[0].doubles[0], try value(variables))
    guard abs(loss - expected) <= 1e-12 * max(1, abs(expected)) else { return "the loss is \(loss), not \(expected)" }
    let gradients = Array(results.dropFirst())
    for (place, variable) in variables.enumerated() {
      guard gradients[place].type == variable.type else { return "gradient \(place) is \(gradients[place].type)" }
      let computed = gradients[place].doubles
      for index in draw.shuffled(Array(computed.indices)).prefix(12) {
        let wide = try slope(place, index, 1e-3)
        let narrow = try slope(place, index, 5e-4)
        let magnitude = max(1, abs(expected))
        let bound = abs(wide - narrow) + 1e4 * Double.ulpOfOne * magnitude / 5e-4
        guard bound < 1e-4 * max(1, abs(narrow)) else { return "the slope by \(place)[\(index)] is unclear: ±\(bound)" }
        let isClose = abs(computed[index] - narrow) <= bound
        if !isClose { return "by \(place)[\(index)] it is \(computed[index]), the slope \(narrow) ± \(bound)" }
      }
    }
    return nil
  }

  private func slope(_ place: Int, _ index: Int, _ step: Double) throws -> Double {
    func moved(_ by: Double) -> [Tensor] {
      var variables = variables
      var elements = variables[place].doubles
      elements[index] += by
      variables[place] = Tensor(.float64, variables[place].shape, elements)
      return variables
    }
    return (try value(moved(step)) - value(moved(-step))) / (2 * step)
  }
}
