import MLCCore
import MLCGraph
import MLCOps

/// `1/N · Σ (prediction − target)²` over all elements: `prediction: T[*S]`, `target: float32[*S]`.
/// Source: Core ML `MeanSquaredErrorLossLayer`, Keras `mean_squared_error`, PyTorch `MSELoss`.
package struct MeanSquaredError: Loss {
  package init() {}

  package func target(of prediction: TensorType) throws(Diagnostic) -> TensorType {
    try requireFloats(prediction)
    return prediction.with(.float32)
  }

  package func targetElements(of prediction: TensorType) -> TargetElements { .numbers }

  package func value(_ prediction: ValueID, _ target: ValueID, _ writer: inout GraphWriter) throws(Diagnostic)
    -> ValueID
  {
    let prediction = try writer.converted(prediction, to: .float32)
    return try writer.mean(try writer.value((.value(prediction) - .value(target)).squared))
  }
}
