// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Image I/O's.
import CoreGraphics
import Foundation
import MLCImage

/// A file of one picture: PNG, JPEG, BMP or PNM.
public final class CGImageSource: Sendable {
  let picture: StoredPicture
  fileprivate init(_ picture: StoredPicture) { self.picture = picture }
}

/// The picture in the file at `url`; `nil` where there is none that is read.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  ((try? PictureFiles().picture(at: url)) as? StoredPicture).map { CGImageSource($0) }
}

/// The picture that a file of these bytes would hold; `nil` where there is none that is read.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  ((try? PictureFiles().picture(in: data)) as? StoredPicture).map { CGImageSource($0) }
}

/// Always one.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { 1 }
/// Always the first.
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { 0 }

/// The file's format: `public.png`, `public.jpeg`, `com.microsoft.bmp` or `public.pbm`.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
  switch isrc.picture.format {
  case .png: "public.png"
  case .jpeg: "public.jpeg"
  case .bmp: "com.microsoft.bmp"
  case .pnm: "public.pbm"
  }
}

/// The picture as it is stored, neither turned nor mirrored. `nil` for another index than 0, and a damaged file.
public func CGImageSourceCreateImageAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
  index == 0 ? (try? isrc.picture.bitmap(reducedBy: 1)).flatMap { CGImage($0) } : nil
}

/// What the file says of the picture: `kCGImagePropertyPixelWidth` and its like. `nil` for another index than 0.
public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource,
  _ index: Int,
  _ options: CFDictionary?
) -> CFDictionary? {
  guard index == 0 else { return nil }
  let picture = isrc.picture
  return [
    kCGImagePropertyPixelWidth: picture.width,
    kCGImagePropertyPixelHeight: picture.height,
    kCGImagePropertyOrientation: picture.orientation.rawValue,
    kCGImagePropertyDepth: 8,
    kCGImagePropertyHasAlpha: picture.channels.isMultiple(of: 2),
    kCGImagePropertyColorModel: picture.channels > 2 ? kCGImagePropertyColorModelRGB : kCGImagePropertyColorModelGray,
  ]
}

/// A picture whose longer side is at most what `kCGImageSourceThumbnailMaxPixelSize` says, 160 pixels unless said
/// otherwise, turned as the file says where `kCGImageSourceCreateThumbnailWithTransform` is true. Pictures do not grow.
///
/// `nil` for another index than 0, sizes that are none and a damaged file.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource,
  _ index: Int,
  _ options: CFDictionary?
) -> CGImage? {
  let given = options?[kCGImageSourceThumbnailMaxPixelSize]
  let most = given.map { ($0 as? Int) ?? ($0 as? NSNumber)?.intValue ?? Int(($0 as? CGFloat) ?? 0) } ?? 160
  let isTurned = options?[kCGImageSourceCreateThumbnailWithTransform] as? Bool ?? false
  guard index == 0, most > 0 else { return nil }
  return isrc.picture.thumbnail(most, isTurned ? isrc.picture.orientation : .up)
}

extension StoredPicture {
  fileprivate func thumbnail(_ most: Int, _ shown: CGImagePropertyOrientation) -> CGImage? {
    let orientation = Orientation(shown)
    let (columns, rows) = orientation.isTransposed ? (height, width) : (width, height)
    let ratio = min(1, Double(most) / Double(max(columns, rows)))
    let size = (
      width: max(1, Int((Double(columns) * ratio).rounded())), height: max(1, Int((Double(rows) * ratio).rounded()))
    )
    let layout: PixelLayout = channels < 3 ? .grey : .rgb
    guard let placement = Placement(of: (width, height), orientation, .fill, into: size),
      let bitmap = try? bitmap(reducedBy: placement.reduction),
      let memory = PixelMemory(size.width * size.height * layout.bytes)
    else { return nil }
    let fitted = placement.scaled(from: (width, height), to: (bitmap.width, bitmap.height))
    let row = size.width * layout.bytes
    guard bitmap.draw(fitted, into: memory.base, bytesPerRow: row, layout) else { return nil }
    return Bitmap(memory.base, memory.count, size.width, size.height, row, layout, owner: memory)
      .flatMap { CGImage($0) }
  }
}
