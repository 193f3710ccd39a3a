import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// A C statement that stores `value` at `indices` of parameter `param`: one element, or the lanes of `mode`.
  package func store(_ param: Int, _ indices: [Index], _ value: Scalar, _ mode: Mode = .scalar) -> String {
    let (element, place) = (StoredElement(params[param].dtype), spell(address(param, indices)))
    switch mode {
    case .scalar: return element.write("p\(param)[\(place)]", spell(value), of: dtype(value))
    case .vector(_, let part): return element.store("p\(param) + \(place)", spell(value, mode), part: part)
    }
  }

  /// Why storing `value` along `axis` cannot be done with vectors.
  package func obstacle(store param: Int, _ indices: [Index], _ value: Scalar, axis: Int) -> String? {
    let t = params[param].dtype
    guard StoredElement(t).canStore else { return "vectors of \(t.rawValue)" }
    guard isContiguous(address(param, indices), axis) else { return "a store with a stride" }
    guard dtype(value) == t.widened else { return "a converting store" }
    return obstacle(value, axis: axis)
  }
}
