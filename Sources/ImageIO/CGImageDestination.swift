// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Image I/O's.
import CoreGraphics
import Foundation
import MLCCore
import MLCImage

/// Where a picture is written to, as PNG.
public final class CGImageDestination {
  private enum Place {
    case file(URL)
    case data(NSMutableData)
  }

  private let place: Place
  private var image: CGImage?

  private init(_ place: Place) { self.place = place }

  fileprivate convenience init?(_ url: URL, _ type: CFString) {
    guard type == "public.png", url.isFileURL else { return nil }
    self.init(.file(url))
  }

  fileprivate convenience init?(_ data: NSMutableData, _ type: CFString) {
    if type != "public.png" { return nil }
    self.init(.data(data))
  }

  fileprivate func add(_ image: CGImage) { self.image = self.image ?? image }

  fileprivate func finalize() -> Bool {
    guard let image, let tensor = image.tensor else { return false }
    do throws(Diagnostic) {
      switch place {
      case .file(let url): try ImageFile.writePNG(tensor, to: url.path(percentEncoded: false))
      case .data(let data): data.append(Data(try ImageFile.encodedPNG(tensor)))
      }
      return true
    } catch { return false }
  }
}

/// A PNG file at `url`, of one picture; `nil` for other types than `public.png`.
public func CGImageDestinationCreateWithURL(
  _ url: CFURL,
  _ type: CFString,
  _ count: Int,
  _ options: CFDictionary?
) -> CGImageDestination? { count == 1 ? CGImageDestination(url, type) : nil }

/// The bytes of a PNG file of one picture, which are put behind those that `data` has; `nil` for other types than
/// `public.png`.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData,
  _ type: CFString,
  _ count: Int,
  _ options: CFDictionary?
) -> CGImageDestination? { count == 1 ? CGImageDestination(data, type) : nil }

/// Gives the picture that is written. Properties are not.
public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {
  idst.add(image)
}

/// Writes the picture: the file appears whole or not at all. False where there is none, or it cannot be written.
@discardableResult
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.finalize() }

extension CGImage {
  /// `uint8[height, width, 1 or 3]`, with alpha 2 or 4: colours that alpha multiplies are divided by it.
  fileprivate var tensor: Tensor? {
    let layout = bitmap.layout
    let colours = layout.isGrey ? [layout.red] : [layout.red, layout.green, layout.blue]
    let count = colours.count + (layout.alpha == nil ? 0 : 1)
    guard let size = [height, width, count].checkedProduct, size <= ImageFile.maximumBytes else { return nil }
    return withExtendedLifetime(self) {
      Tensor(.uint8, [height, width, count]) { (out: UnsafeMutableBufferPointer<UInt8>) in
        var place = 0
        for y in 0..<height {
          for x in 0..<width {
            let start = y * bytesPerRow + x * layout.bytes
            func byte(_ index: Int) -> Int { Int(bitmap.base.load(fromByteOffset: start + index, as: UInt8.self)) }
            let alpha = layout.alpha.map { byte($0) }
            for colour in colours {
              let isMultiplied = layout.isPremultiplied && alpha != nil
              let (value, whole) = (byte(colour), alpha ?? 255)
              out[place] = UInt8(!isMultiplied ? value : whole == 0 ? 0 : min(255, (value * 255 + whole / 2) / whole))
              place += 1
            }
            if let alpha {
              out[place] = UInt8(alpha)
              place += 1
            }
          }
        }
      }
    }
  }
}
