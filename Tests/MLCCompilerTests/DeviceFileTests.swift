import MLCCompiler
import MLCCore
import MLCKernels
import Testing

@Suite struct DeviceFileTests {
  private let file = DeviceFile(
    tool: "mlc 0.1.0",
    device: "x86-64-v4",
    cpu: "a processor",
    threads: 2,
    measured: [
      "matmul fp32[2, 3] 12": [.init("PackedGemm", "8x3"): 12.5, .init("Gemv"): 7],
      "convolution fp32[1] 34": [.init("WinogradConv", "f4"): 1e6],
    ]
  )

  @Test func isReadAsWritten() throws {
    let again = try DeviceFile(try JSON(parsing: file.json.text))
    #expect(again == file && again.json.text == file.json.text)
  }

  /// Whatever one byte becomes, the file is read or refused with an id of its own or the reader's.
  @Test func damagedFilesAreRefused() throws {
    let bytes = Array(file.json.text.utf8)
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
      do throws(Diagnostic) {
        _ = try DeviceFile(try JSON(parsing: String(decoding: changed, as: UTF8.self)))
      } catch {
        refused += 1
        #expect(error.id == "device-file.format" || error.id.rawValue.hasPrefix("json."), "\(error)")
      }
    }
    #expect(refused > 500)
  }
}
