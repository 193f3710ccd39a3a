import CoreML
import CoreVideo
import Foundation
import ImageIO

// `pictures-bench FILE SIDE` makes a feature of SIDE × SIDE pixels from a picture for each line on standard input, and
// prints what it took, in seconds: for `pictures.py`.

let arguments = CommandLine.arguments
guard arguments.count == 3, let side = Int(arguments[2]) else {
  print("pictures-bench FILE SIDE")
  exit(2)
}
let url = URL(filePath: arguments[1])
while readLine() != nil {
  let start = ContinuousClock.now
  let value = try MLFeatureValue(
    imageAt: url,
    pixelsWide: side,
    pixelsHigh: side,
    pixelFormatType: kCVPixelFormatType_32BGRA
  )
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  withExtendedLifetime(value) { print(seconds) }
  fflush(nil)
}
