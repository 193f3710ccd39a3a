import MLCCore
import MLCGraph
import MLCOps

/// A compressed constant as systems before iOS 18 hold it: every part an attribute.
struct EarlierForm {
  /// A part; `source` is the value of the graph that it is, `nil` for what the graph leaves out.
  struct Part {
    var name: String, tensor: Tensor, source: ValueID?
  }
  var type: String
  var parts: [Part]
}

/// A compressed constant that has a form before iOS 18, under conditions.
protocol MILConstant: ConstantExpression {
  /// The form, or why iOS 18 is needed.
  func earlierForm(_ use: ConstantUse) -> Result<EarlierForm, ConstantUse.Obstacle>
}

/// One use of a compressed constant's operator.
struct ConstantUse {
  struct Obstacle: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  let function: Function
  let operation: Operation

  /// The argument; throws when it is itself the result of a compressed constant.
  func part(_ port: String, as name: String? = nil, viewed: (Tensor) -> Tensor? = { $0 }) throws(Obstacle)
    -> EarlierForm.Part
  {
    guard let id = operation.argument(port), let tensor = function.fact(id).value.flatMap(viewed) else {
      throw Obstacle("its '\(port)' is compressed too")
    }
    return .init(name: name ?? port, tensor: tensor, source: id)
  }

  func shape(_ port: String) -> [Int] { operation.argument(port).flatMap { function.type($0).staticShape } ?? [] }
  func dtype(_ port: String) -> DType? { operation.argument(port).map { function.type($0).dtype } }
  var resultShape: Tensor {
    let shape = function.type(operation.outputs[0]).staticShape ?? []
    return Tensor(.uint32, [shape.count], shape)
  }

  /// The form of `operation` before iOS 18; `nil` for operators that have none at all.
  func earlierForm() -> Result<EarlierForm, Obstacle> {
    guard let op = operation.op as? any MILConstant else { return .failure(Obstacle("it came with iOS18")) }
    return op.earlierForm(self)
  }
}

extension ConstexprBlockwiseShiftScale: MILConstant {
  func earlierForm(_ use: ConstantUse) -> Result<EarlierForm, ConstantUse.Obstacle> {
    Result { () throws(ConstantUse.Obstacle) in
      guard let dtype = use.dtype("data"), dtype == .int8 || dtype == .uint8 else {
        throw .init("its elements are not 8-bit integers")
      }
      let (shape, grid) = (use.shape("data"), use.shape("scale"))
      let axes = grid.indices.filter { grid[$0] > 1 }
      guard !shape.isEmpty, axes.count <= 1, axes.allSatisfy({ grid[$0] == shape[$0] }) else {
        throw .init("its scales are for blocks, not for the tensor or the channels of one axis")
      }
      let offset = use.dtype("offset")
      guard offset == nil || offset == dtype || offset == .float32 else {
        throw .init("its offset is \(offset?.rawValue ?? "")")
      }
      let vector = axes.isEmpty ? [] : [shape[axes[0]]]
      var parts = [
        try use.part("data", as: "quantized_data"), try use.part("scale", viewed: { $0.reshaped(vector) }),
        EarlierForm.Part(name: "axis", tensor: .scalar(.int32, axes.first ?? 0), source: nil),
      ]
      if offset == nil {
        let zeros = Tensor(dtype, vector, [Int](repeating: 0, count: vector.first ?? 1))
        parts.append(.init(name: "zero_point", tensor: zeros, source: nil))
      } else {
        parts.append(try use.part("offset", as: "zero_point") { $0.reshaped(vector) })
      }
      return EarlierForm(type: "constexpr_affine_dequantize", parts: parts)
    }
  }
}

extension ConstexprLutToDense: MILConstant {
  func earlierForm(_ use: ConstantUse) -> Result<EarlierForm, ConstantUse.Obstacle> {
    Result { () throws(ConstantUse.Obstacle) in
      let lut = use.shape("lut")
      guard lut.count >= 2, lut.dropLast(2).allSatisfy({ $0 == 1 }) else {
        throw .init("it has a palette for each group of channels")
      }
      guard lut.last == 1 else { throw .init("its palette has vectors") }
      guard use.dtype("indices") != .uint3 else { throw .init("its palette has 3 bits") }
      return EarlierForm(
        type: ConstexprLutToDense.name,
        parts: [
          try use.part("indices") { $0.viewed(as: .uint8, [$0.byteCount]) },
          try use.part("lut") { $0.reshaped([$0.count]) },
          .init(name: "shape", tensor: use.resultShape, source: nil),
        ]
      )
    }
  }
}

extension ConstexprSparseToDense: MILConstant {
  func earlierForm(_ use: ConstantUse) -> Result<EarlierForm, ConstantUse.Obstacle> {
    Result { () throws(ConstantUse.Obstacle) in
      if let dtype = use.dtype("nonzero_data"), dtype.isPacked {
        throw .init("its elements have \(dtype.bitWidth) bits")
      }
      return EarlierForm(
        type: ConstexprSparseToDense.name,
        parts: [
          try use.part("nonzero_data"), try use.part("mask") { $0.viewed(as: .uint8, [$0.byteCount]) },
          .init(name: "shape", tensor: use.resultShape, source: nil),
        ]
      )
    }
  }
}

extension ConstexprCast: MILConstant {
  func earlierForm(_ use: ConstantUse) -> Result<EarlierForm, ConstantUse.Obstacle> {
    Result { () throws(ConstantUse.Obstacle) in
      let name = Tensor([], strings: [outputDType.rawValue])
      return EarlierForm(
        type: ConstexprCast.name,
        parts: [try use.part("source_val"), .init(name: "output_dtype", tensor: name, source: nil)]
      )
    }
  }
}
