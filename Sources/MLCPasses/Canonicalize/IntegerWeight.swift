import MLCCore
import MLCGraph
import MLCOps

/// A constant weight as int8 with a scale for each output channel.
struct IntegerWeight {
  var numbers: Tensor
  /// One for all, or one for each output channel.
  var scales: [Double]

  /// `value` as such, when it is known to be: whole numbers, or `constexpr_blockwise_shift_scale` of bytes.
  /// `channelAxis` is that of the output channels.
  init?(_ value: ValueID, channelAxis axis: Int = 0, _ graph: GraphEditor) {
    if let tensor = graph.constant(value) {
      let doubles = tensor.doubles
      guard tensor.rank > 1, !doubles.isEmpty,
        doubles.allSatisfy({ $0 == $0.rounded() && $0 >= -128 && $0 <= 127 })
      else { return nil }
      (numbers, scales) = (Tensor(.int8, tensor.shape, doubles), [1])
      return
    }
    guard let (operation, _) = graph.producer(value, as: ConstexprBlockwiseShiftScale.self),
      let codes = operation.argument("data").flatMap(graph.constant),
      let scale = operation.argument("scale").flatMap(graph.constant), [.int8, .uint8].contains(codes.dtype),
      codes.count > 0, scale.rank == codes.rank,
      scale.shape.indices.allSatisfy({ scale.shape[$0] == 1 || $0 == axis && scale.shape[$0] == codes.shape[$0] })
    else { return nil }
    scales = scale.doubles
    let offsets = operation.argument("offset").flatMap(graph.constant)?.integers ?? scales.map { _ in 0 }
    let (size, channels) = (codes.shape[(axis + 1)...].reduce(1, *), codes.shape[axis])
    let centred = codes.integers.enumerated().map { index, code in
      code - offsets[offsets.count == 1 ? 0 : index / size % channels]
    }
    guard scales.allSatisfy(\.isFinite), centred.allSatisfy({ $0 >= -128 && $0 <= 127 }) else { return nil }
    numbers = Tensor(.int8, codes.shape, centred)
  }
}
