extension MLTensor: CustomStringConvertible, CustomReflectable {
  /// Shape and type. Elements are not computed to be described.
  public var description: String { "MLTensor(shape: \(shape), scalarType: \(scalarType))" }

  /// Shape and type.
  public var customMirror: Mirror {
    Mirror(self, children: ["shape": shape, "scalarType": scalarType], displayStyle: .struct)
  }
}
