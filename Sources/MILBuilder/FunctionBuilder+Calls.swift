import MLCCore
import MLCFormatCoreML
import MLCGraph

extension FunctionBuilder {
  /// The operands that MIL gives one type: of arithmetic, comparisons and `select`.
  private static let likeTensors: Set<String> = ["x", "y", "a", "b"]

  /// The results of an operator. Scalars take the element type of the tensors beside them.
  func results(
    _ type: String,
    _ arguments: KeyValuePairs<String, (any Argument)?>,
    _ name: String?,
    _ file: String,
    _ line: Int
  ) throws(BuildError) -> [Value] {
    let call = CallSite(file: file, line: line)
    let given = arguments.compactMap { name, argument in argument.map { (name: name, form: $0.form) } }
    let dtype = given.lazy.compactMap { $0.form.firstDType }.first ?? .float32
    var held: [(name: String, value: MILFunctionBuilder.Argument)] = []
    for (port, form) in given { held.append((port, try self.held(form, port, dtype, call))) }
    do {
      let ids = try builder.call(type, held, name: label(name, type), at: location(type, name))
      return ids.map(value)
    } catch { throw BuildError(error, call) }
  }

  /// The one result.
  func result(
    _ type: String,
    _ arguments: KeyValuePairs<String, (any Argument)?>,
    _ name: String?,
    _ file: String,
    _ line: Int
  ) throws(BuildError) -> Value {
    try results(type, arguments, name, file, line)[0]
  }

  private func held(_ form: ArgumentForm, _ port: String, _ dtype: DType, _ call: CallSite) throws(BuildError)
    -> MILFunctionBuilder.Argument
  {
    switch form {
    case .value(let value): return .values([try id(value, call)])
    case .state(let state):
      guard state.function === identity else {
        throw call.problem("coreml.state", "'\(state.name)' is a state of another function")
      }
      return .state(state.name)
    case .constant(let constant): return .constant(constant.tensor)
    case .integers(let list, let isList):
      let isOperand = !isList && dtype.isFloat && Self.likeTensors.contains(port)
      return .constant(Tensor(isOperand ? dtype : .int32, isList ? [list.count] : [], list))
    case .numbers(let list, let isList):
      return .constant(Tensor(dtype.isFloat ? dtype : .float32, isList ? [list.count] : [], list))
    case .texts(let list, let isList): return .constant(Tensor(isList ? [list.count] : [], strings: list))
    case .flags(let list, let isList):
      return .constant(Tensor(.bool, isList ? [list.count] : [], list.map { $0 ? 1 : 0 } as [Int]))
    case .list(let forms):
      var ids: [ValueID] = []
      for form in forms {
        guard case .value(let value) = form else {
          throw call.problem("coreml.parameter", "'\(port)' is a list of other things than values")
        }
        ids.append(try id(value, call))
      }
      return .values(ids)
    }
  }
}

extension ArgumentForm {
  /// The element type of the first tensor in it.
  fileprivate var firstDType: DType? {
    switch self {
    case .value(let value): value.dataType == .string ? nil : value.dataType.dtype
    case .constant(let constant): constant.tensor.dtype
    case .list(let forms): forms.lazy.compactMap(\.firstDType).first
    default: nil
    }
  }
}
