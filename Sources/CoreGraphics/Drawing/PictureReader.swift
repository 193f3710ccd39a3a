import CMLCPixels
import Foundation

/// A picture in a file: its header is read, its pixels are decoded when they are asked for.
package protocol PictureFile: Sendable {
  /// As stored.
  var width: Int { get }
  var height: Int { get }
  var orientation: CGImagePropertyOrientation { get }
  /// The stored pixels, or where the format makes that cheap about each `reduction`-th, 1, 2, 4 or 8, along rows and
  /// columns. Throws what is wrong with the file, in words.
  func bitmap(reducedBy reduction: Int) throws(PictureError) -> Bitmap
}

/// What is wrong with a picture's file, in words.
package struct PictureError: Error {
  package let message: String
  package init(_ message: String) { self.message = message }
}

/// What reads files of pictures.
package protocol PictureReader: Sendable {
  /// Throws what is wrong with the file, in words.
  func picture(at url: URL) throws(PictureError) -> any PictureFile
  func picture(in data: Data) throws(PictureError) -> any PictureFile
}

/// A reader as an object that C can hand on.
package final class LinkedPictureReader: Sendable {
  package let reader: any PictureReader
  package init(_ reader: any PictureReader) { self.reader = reader }

  /// What the module `ImageIO` brings; throws which product to add where it is not linked.
  package static func find() throws(PictureError) -> any PictureReader {
    guard let object = mlc_linked_picture_reader() else {
      throw PictureError(
        "nothing in this program reads picture files: add the product 'ImageIO' (or 'Vision') of the package 'mlc' to "
          + "the target's dependencies"
      )
    }
    return Unmanaged<LinkedPictureReader>.fromOpaque(object).takeRetainedValue().reader
  }
}
