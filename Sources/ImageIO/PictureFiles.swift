import CoreGraphics
import Foundation
import MLCCore

/// Reads pictures for modules that do not link what decodes them.
struct PictureFiles: PictureReader {
  func picture(at url: URL) throws(PictureError) -> any PictureFile {
    guard url.isFileURL else { throw PictureError("'\(url.absoluteString)' is no file") }
    let path = url.path(percentEncoded: false)
    return try wording { () throws(Diagnostic) in
      let file = try MappedFile(path: path)
      return try locating(Location(file: path)) { () throws(Diagnostic) in try StoredPicture(file.storage) }
    }
  }

  func picture(in data: Data) throws(PictureError) -> any PictureFile {
    let storage = Storage(byteCount: data.count) { target in data.withUnsafeBytes { target.copyBytes(from: $0) } }
    return try wording { () throws(Diagnostic) in try StoredPicture(storage) }
  }
}

/// What `CoreML` looks for: there where this module is linked.
@_cdecl("mlc_picture_reader")
package func linkedPictureReader() -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(LinkedPictureReader(PictureFiles())).toOpaque()
}
