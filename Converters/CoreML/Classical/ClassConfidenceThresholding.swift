import CoreMLProto
import MLCCore

/// Core ML `ClassConfidenceThresholding`: curves of precision and recall by class, which applications look up. Its
/// outputs are its inputs. Throws `coreml.parameter` where a curve's lists have different lengths.
enum ClassConfidenceThresholding {
  static func convert(_ model: CoreML_Specification_ClassConfidenceThresholding, _ context: inout PartContext)
    throws(Diagnostic)
  {
    for curve in model.precisionRecallCurves {
      let precision = (curve.precisionValues.vector.count, curve.precisionConfidenceThresholds.vector.count)
      let recall = (curve.recallValues.vector.count, curve.recallConfidenceThresholds.vector.count)
      guard precision.0 == precision.1, recall.0 == recall.1 else {
        throw context.damaged("coreml.parameter", "a curve's values and thresholds are not as many")
      }
    }
    context.notes.append("the curves of precision and recall of the model's classes are left out")
    try IdentityModel.convert(&context)
  }
}
