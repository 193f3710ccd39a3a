import CoreML
import Foundation
import Testing

/// A folder that goes with the test.
final class Workspace: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "vision-test-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }
}

enum Python {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  /// Runs a script beside the tests with `MLC_PYTHON`, or the repository's `.venv`; fails the test that asks where
  /// there is none, or the script fails.
  static func run(_ script: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let given = ProcessInfo.processInfo.environment["MLC_PYTHON"]
    let python = given ?? root.appending(path: ".venv/bin/python").path()
    let advice = "no Python with Pillow: 'make corpora' installs one in .venv, or set MLC_PYTHON"
    try #require(FileManager.default.isExecutableFile(atPath: python), "\(advice)", sourceLocation: sourceLocation)
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [folder.appending(path: script).path()] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(script) fails", sourceLocation: sourceLocation)
  }
}

extension CVBuffer {
  /// Its rows without what lies between them.
  func pixels(_ bytesPerPixel: Int) throws -> [UInt8] {
    let base = try #require(CVPixelBufferGetBaseAddress(self))
    let row = CVPixelBufferGetBytesPerRow(self)
    return (0..<CVPixelBufferGetHeight(self)).flatMap { y in
      let start = base + y * row
      return Array(UnsafeRawBufferPointer(start: start, count: CVPixelBufferGetWidth(self) * bytesPerPixel))
    }
  }

  /// A buffer of these pixels.
  static func of(_ width: Int, _ height: Int, _ format: OSType, _ pixels: [UInt8]) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    try #require(CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &made) == kCVReturnSuccess)
    let buffer = try #require(made)
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    let row = pixels.count / height
    pixels.withUnsafeBytes { source in
      for y in 0..<height {
        let target = UnsafeMutableRawBufferPointer(start: base + y * CVPixelBufferGetBytesPerRow(buffer), count: row)
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[y * row..<(y + 1) * row]))
      }
    }
    return buffer
  }
}

enum Pictures {
  /// Red, green, blue of `width × height` pixels, of which no two neighbours are alike.
  static func colours(_ width: Int, _ height: Int) -> [UInt8] {
    (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 3 * 11) }
  }

  /// A picture of 24 bits a pixel, or of 32 with the alpha given.
  static func image(_ width: Int, _ height: Int, _ pixels: [UInt8], alpha: CGImageAlphaInfo = .none) throws -> CGImage {
    let provider = try #require(CGDataProvider(data: Data(pixels)))
    let bytes = alpha == .none ? 3 : 4
    return try #require(
      CGImage(
        width: width,
        height: height,
        bitsPerComponent: 8,
        bitsPerPixel: 8 * bytes,
        bytesPerRow: bytes * width,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
        provider: provider,
        decode: nil,
        shouldInterpolate: true,
        intent: .defaultIntent
      )
    )
  }
}

/// What `body` throws.
func modelCode(_ body: () throws -> Any) -> MLModelError.Code? {
  do { _ = try body() } catch { return (error as? MLModelError)?.code }
  return nil
}
