import MLCCore

/// A feature of a function as its caller knows it, with the ports that it stands for.
package struct CallerFeature: Hashable, Sendable {
  package let feature: Feature
  /// One, or those of a dictionary's keys and of its values.
  package let ports: [FunctionInterface.Port]

  package init(feature: Feature, ports: [FunctionInterface.Port]) { (self.feature, self.ports) = (feature, ports) }

  package var name: String { feature.name }
  /// The last one: what holds the numbers.
  package var port: FunctionInterface.Port { ports[ports.count - 1] }
}

extension FunctionInterface {
  /// What a caller gives, in the order of the ports.
  package var inputFeatures: [CallerFeature] { FunctionInterface.features(features.inputs, callerInputs) }
  /// What a caller gets, in the order of the ports.
  package var outputFeatures: [CallerFeature] { FunctionInterface.features(features.outputs, callerOutputs) }

  private static func features(_ described: [Feature], _ ports: [Port]) -> [CallerFeature] {
    if described.isEmpty { return ports.map { CallerFeature(feature: Feature($0.name), ports: [$0]) } }
    var result: [CallerFeature] = []
    var place = 0
    while place < ports.count {
      let feature = described.first { $0.ports[0] == ports[place].name } ?? Feature(ports[place].name)
      result.append(CallerFeature(feature: feature, ports: Array(ports[place..<place + feature.ports.count])))
      place += feature.ports.count
    }
    return result
  }
}

extension CallerFeature {
  /// What stands for an optional input that is left out: its default, or 0, and for numbers NaN; no text, an empty
  /// list or dictionary. Open extents are the least that the model allows. `nil` where it must be given.
  package func absent(_ symbols: [FunctionInterface.Symbol]) -> [Tensor]? {
    guard feature.isOptional else { return nil }
    return ports.map { port in
      let shape = port.type.shape.map { extent -> Int in
        if let size = extent.constant { return size }
        if case .dictionary = feature.form { return 0 }
        return extent.symbol.flatMap { name in symbols.first { $0.name == name }?.range?.lowerBound } ?? 0
      }
      let count = shape.reduce(1, *)
      if port.type.dtype == .string { return Tensor(shape, strings: [String](repeating: "", count: count)) }
      let number = feature.defaultValue ?? (feature.form == .number && port.type.dtype.isFloat ? .nan : 0)
      return Tensor(port.type.dtype, shape, [Double](repeating: number, count: count))
    }
  }
}
