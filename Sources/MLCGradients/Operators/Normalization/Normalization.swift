import MLCCore
import MLCGraph
import MLCOps

extension LayerNorm: Composite {
  package func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let x = inputs["x"]
    let axes = try resolvedAxes(rank: writer.fact(x).rank)
    let others = (0..<writer.fact(x).rank).filter { !axes.contains($0) }
    return [try writer.standardized(x, axes, epsilon, inputs[optional: "gamma"], inputs[optional: "beta"], others)]
  }
}

extension InstanceNorm: Composite {
  package func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let (x, rank) = (inputs["x"], writer.fact(inputs["x"]).rank)
    let axes = Array(2..<rank)
    let others = Array(1..<rank - 1)
    return [try writer.standardized(x, axes, epsilon, inputs[optional: "gamma"], inputs[optional: "beta"], others)]
  }
}

/// The mean of squares of neighbouring channels is that of a pool over one axis.
extension LocalResponseNorm: Composite {
  package func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let x = inputs["x"]
    let wide = try writer.widened(x)
    let shape = writer.fact(x).shape
    let square = try writer.value(Formula.value(wide).squared)
    let planes = [shape[0], 1, shape[1], shape[2...].reduce(1, *)]
    var pool = AvgPool()
    (pool.kernelSizes, pool.pad) = ([size, 1], [(size - 1) / 2, size / 2, 0, 0])
    let means = try writer.apply(pool, try writer.reshape(square, planes))
    let back = Formula.value(try writer.underShape(of: x, means))
    let y = try writer.value(.value(wide) / (back * .number(alpha) + .number(k)).power(.number(beta)))
    return [try writer.converted(y, to: writer.fact(x).dtype)]
  }
}

extension GraphWriter {
  /// `(x − mean) / √(variance + epsilon) · gamma + beta`, mean and variance over `axes`; the vectors have new axes at
  /// `places` to broadcast to `x`.
  fileprivate mutating func standardized(
    _ x: ValueID,
    _ axes: [Int],
    _ epsilon: Double,
    _ gamma: ValueID?,
    _ beta: ValueID?,
    _ places: [Int]
  ) throws(Diagnostic) -> ValueID {
    let data = Formula.value(try widened(x))
    let centred = Formula.value(try value(data - data.mean(axes)))
    var y = centred * centred.squared.mean(axes).applying(Rsqrt(epsilon: epsilon))
    if let gamma { y = y * (try beside(data, gamma, places)) }
    if let beta { y = y + (try beside(data, beta, places)) }
    return try converted(try value(y), to: fact(x).dtype)
  }

  /// `vector` with new axes at `places`, in the element type of `data`.
  fileprivate mutating func beside(_ data: Formula, _ vector: ValueID, _ places: [Int]) throws(Diagnostic) -> Formula {
    let typed = try converted(vector, to: fact(try value(data)).dtype)
    return .value(places.isEmpty ? typed : try apply(ExpandDims(places), typed))
  }
}
