import MLCCore
import Testing

/// What files are taken for.
@Suite struct FileKindTests {
  private func guess(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBytes { FileKind.guess($0) } }

  @Test(arguments: [
    ("", "an empty file"), ("<!DOCTYPE html>", "HTML or XML"), ("{\"a\": 1}", "JSON"), ("PK\u{3}\u{4}xyz", "a zip"),
    ("version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"), ("Not Found\r\n", "text"), ("Schön", "text"),
    ("GIF89a", "a GIF picture"), ("RIFF    WEBPVP8 ", "a WebP picture"), ("    ftypheic", "a HEIF picture"),
    ("BM....\0\0\0\0", "a BMP picture"), ("BM is text", "text"),
    (String(repeating: "aé", count: 400), "text"),
    (String(repeating: "€", count: 400), "text"),
  ])
  func known(text: String, kind: String) { #expect(guess(Array(text.utf8))?.hasPrefix(kind) == true) }

  /// Protobuf, cut off or not, is no text.
  @Test func binaryIsNothing() {
    #expect(guess([0x08, 0x07, 0x12, 0x04, 0x74, 0x65, 0x73, 0x74]) == nil)
    #expect(guess([0x41, 0xff, 0xfe]) == nil)
    #expect(guess([0]) == nil)
  }
}
