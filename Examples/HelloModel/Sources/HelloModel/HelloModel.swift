import CoreML
import Foundation

/// Prints what the model Sine answers for some angles, beside the sine itself.
@main struct HelloModel {
  static func main() async throws {
    let angles = stride(from: Float(0), through: 6, by: 0.5).map { $0 }
    let answers = try await sines(of: angles)
    print("angle   model    sin")
    for (angle, answer) in zip(angles, answers) {
      print(String(format: "%5.2f %7.3f %7.3f", angle, answer, sin(angle)))
    }
  }

  /// What the model takes the sines of `angles` for, in one prediction.
  static func sines(of angles: [Float]) async throws -> [Float] {
    let model = try await Sine.load()
    let input = SineInput(angle: MLShapedArray(scalars: angles, shape: [angles.count, 1]))
    return try await model.prediction(input: input).sineShapedArray.scalars
  }
}
