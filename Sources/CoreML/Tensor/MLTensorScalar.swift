/// A type that elements of tensors can have: `Float`, `Float16`, `Int32`, `Int16`, `Int8`, `UInt32`, `UInt16`,
/// `UInt8` or `Bool`. Other types that conform to it are refused where they are used.
public protocol MLTensorScalar: Sendable {}

extension Float: MLTensorScalar {}
extension Float16: MLTensorScalar {}
extension Int32: MLTensorScalar {}
extension Int16: MLTensorScalar {}
extension Int8: MLTensorScalar {}
extension UInt32: MLTensorScalar {}
extension UInt16: MLTensorScalar {}
extension UInt8: MLTensorScalar {}
extension Bool: MLTensorScalar {}
