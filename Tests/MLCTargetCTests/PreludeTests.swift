import Foundation
import MLCTargetC
import Testing

@Suite struct PreludeTests {
  @Test func holdsTheABIHeader() throws {
    let header = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CMLCKernelABI/include/CMLCKernelABI.h")
    #expect(try String(contentsOf: header, encoding: .utf8) == Prelude.abi)
  }
}
