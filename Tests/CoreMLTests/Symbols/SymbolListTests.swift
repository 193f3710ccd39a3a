import Foundation
import Testing

/// The page of Core ML's symbols says what the built modules declare.
@Suite struct SymbolListTests {
  /// The modules of which the page has symbols; some may not be in this package.
  private static let modules = ["CoreML", "CoreVideo", "CoreGraphics", "ImageIO", "Vision"].filter { module in
    FileManager.default.fileExists(atPath: Sources.root.appending(path: "Sources/\(module)").path())
  }

  /// With `MLC_WRITE_PAGES` in the environment, rows of what is there now are marked, and what has no row gets one.
  @Test func pageIsCurrent() throws {
    let file = Sources.root.appending(path: "Specs/coreml/Symbols.md")
    let declared = try SymbolGraph(modules: Self.modules).names
    var list = SymbolList(try String(contentsOf: file, encoding: .utf8))
    if ProcessInfo.processInfo.environment["MLC_WRITE_PAGES"] != nil {
      list = list.updated(declared)
      try list.page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(list.rows.count > 800 && declared.count > 300)
    let problems = list.problems(declared)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    for row in list.rows where row.status == .no || row.status == .differs {
      #expect(!row.remark.isEmpty, "\(row.declaration) says not why")
    }
  }

  private let page = """
    | Apple's declaration | here | symbols | how, why |
    |---|---|---|---|
    | `class A` | yes | `A` | |
    | `func f(Int)` | yes | `A.f(_:)` | |
    | `func f(String)` | planned | `A.f(_:)` | |
    | `static func .\\| (A, A)` | no | `A..\\|(_:_:)` | no operators |

    """

  @Test func differencesAreFound() {
    let list = SymbolList(page)
    #expect(list.page == page && list.rows.count == 4)
    #expect(list.problems(["A": 1, "A.f(_:)": 1]).isEmpty)
    #expect(list.problems(["A": 1]) == ["A.f(_:): the list has it, the module has not"])
    #expect(list.problems(["A": 1, "A.f(_:)": 2]) == ["A.f(_:): a row says that it is not here"])
    #expect(list.problems(["A": 1, "A.f(_:)": 1, "B": 1]) == ["B: no row has it"])
    #expect(list.problems(["A": 1, "A.f(_:)": 1, "A.init(coder:)": 1]).isEmpty)
  }

  @Test func pagesAreWrittenAnew() {
    let list = SymbolList(page).updated(["A": 1, "A.f(_:)": 2, "B": 1])
    #expect(list.rows.map { $0.status } == [.yes, .yes, .yes, .no, .yes] && list.rows[4].symbols == ["B"])
    #expect(list.problems(["A": 1, "A.f(_:)": 2, "B": 1]).isEmpty)
    #expect(list.page == SymbolList(list.page).page)
  }
}
