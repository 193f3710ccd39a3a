import CoreML
import Foundation

/// Finds objects in a picture, and draws their boxes and masks.
@main struct Segmentation {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let measures = arguments.first == "--time"
    if measures { arguments.removeFirst() }
    guard (1...2).contains(arguments.count) else {
      complain("Segmentation [--time] PICTURE [RESULT.png]")
      exit(2)
    }
    do {
      let segmenter = try Segmenter(model: try await Shapes.load().model)
      let image = try Picture.image(at: arguments[0])
      let output = try segmenter.output(for: image)
      let objects = try segmenter.decoded(output)
      let picture = try Picture(image)
      let (network, cells) = ((segmenter.width, segmenter.height), (output.maskWidth, output.maskHeight))
      for object in objects {
        print(line(object, segmenter, picture))
        picture.draw(object, network: network, cells: cells)
      }
      if arguments.count == 2 { try picture.write(to: arguments[1]) }
      if measures { try await measure(segmenter, output) }
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Class, score and box in pixels of the picture.
  private static func line(_ object: Detection, _ segmenter: Segmenter, _ picture: Picture) -> String {
    let scale = (Float(picture.width) / Float(segmenter.width), Float(picture.height) / Float(segmenter.height))
    let box = object.box.scaled(x: scale.0, y: scale.1)
    let sides = [box.left, box.top, box.right, box.bottom].map { String(format: "%.0f", $0) }
    return "\(segmenter.name(object.kind)) \(String(format: "%.2f", object.score)) \(sides.joined(separator: " "))"
  }

  /// Prints the median of a hundred times, of either way from the network's outputs to objects.
  private static func measure(_ segmenter: Segmenter, _ output: NetworkOutput) async throws {
    let clock = ContinuousClock()
    var (byArrays, byTensors) = ([Duration](), [Duration]())
    for _ in 0..<100 {
      byArrays.append(try clock.measure { _ = try segmenter.decoded(output) })
      byTensors.append(await clock.measure { _ = await segmenter.decodedByTensors(output) })
    }
    for (name, times) in [("arrays", byArrays), ("tensors", byTensors)] {
      let median = times.sorted()[times.count / 2] / .milliseconds(1)
      print("\(name): \(String(format: "%.2f", median)) ms")
    }
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
