import Foundation
import FoundationXML
import Testing

/// Reports as a browser shows them, in a wide and in a narrow window, light and dark.
@Suite(.enabled(if: Browser.path != nil, "no chromium on PATH, and MLC_BROWSER names no browser: 'make setup-browser'"))
struct BrowserTests {
  @Test(arguments: [1200, 380], [false, true]) func reportsFitTheWindow(width: Int, isDark: Bool) throws {
    let work = try Workspace()
    let (long, sum) = (try longNames(work), MLCProcess.fixture("sum.onnx"))
    let wrong = ["--size", "n=4096", "--rtol", "0", "--atol", "0"]
    for (name, status, arguments) in [
      ("names.html", 0, ["verify", long, "--layers"]), ("failing.html", 1, ["verify", sum, "--layers"] + wrong),
      ("figures.html", 0, ["bench", long]), ("many.html", 0, ["bench", sum, "--iterations", "2000"]),
    ] as [(String, Int32, [String])] {
      let report = work.path(name)
      let run = try MLCProcess(arguments: arguments + ["--target", "x86-64-v2", "--report", report])
      #expect(run.status == status, "\(run.errors)")
      let page = try String(contentsOfFile: report, encoding: .utf8)
      #expect(XMLParser(data: Data(page.utf8)).parse() && !page.contains("<script"))
      let look = try Browser.look(at: page, width: width, isDark: isDark, in: work)
      #expect(look.width == width && look.overflow <= 0, "\(name): \(look)")
      #expect(look.figures > 4 && look.leftmost >= 0 && look.rightmost <= Double(width), "\(name): \(look)")
      #expect(look.contrast >= 4.5 && look.isDark == isDark, "\(name): \(look)")
      #expect(look.chartHeight > 100 && look.chartHeight < 400, "\(name): \(look)")
    }
  }

  /// The classifier, under a name without a place to break at.
  private func longNames(_ work: Workspace) throws -> String {
    let path = work.path(String(repeating: "classifier", count: 20) + ".onnx")
    try FileManager.default.copyItem(atPath: MLCProcess.fixture("classifier.onnx"), toPath: path)
    return path
  }
}

/// A browser without a window.
private enum Browser {
  /// What `MLC_BROWSER` names, or chromium on PATH.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["MLC_BROWSER"], !named.isEmpty { return named }
    return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromium" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What is to be seen of a page: widths and places in CSS pixels, and the least contrast of its text, as WCAG 2
  /// defines it.
  struct Look: Decodable {
    let width: Int, overflow: Double, figures: Int, leftmost: Double, rightmost: Double, contrast: Double
    let isDark: Bool, chartHeight: Double
  }

  /// In a frame, which may be narrower than a browser's window.
  static func look(at page: String, width: Int, isDark: Bool, in work: Workspace) throws -> Look {
    let folder = work.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let measured = page.replacing("</body>", with: "<script>\(script)</script></body>")
    try Data(measured.utf8).write(to: folder.appending(path: "page.html"))
    let frame = """
      <!DOCTYPE html><html><body style="margin:0">
      <script>onmessage = e => { document.body.dataset.look = e.data }</script>
      <iframe src="page.html" style="border:0;width:\(width)px;height:900px"></iframe></body></html>
      """
    try Data(frame.utf8).write(to: folder.appending(path: "frame.html"))
    let dom = try dump(folder, isDark: isDark)
    let text = try #require(dom.firstMatch(of: /data-look="([^"]*)"/), "\(dom.prefix(400))").1
    return try JSONDecoder().decode(Look.self, from: Data(text.replacing("&quot;", with: "\"").utf8))
  }

  private static func dump(_ folder: URL, isDark: Bool) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(path))
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.appending(path: "user").path())",
      "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--window-size=1400,1000",
      "--virtual-time-budget=5000", "--dump-dom", folder.appending(path: "frame.html").absoluteString,
    ]
    let output = folder.appending(path: "dom.html")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: output, encoding: .utf8)
  }

  private static let script = """
    addEventListener("load", () => {
      const root = document.documentElement;
      const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
      const light = colour => {
        const [r, g, b] = numbers(colour).map(v => v / 255)
          .map(v => v > 0.04045 ? ((v + 0.055) / 1.055) ** 2.4 : v / 12.92);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = e => {
        for (; e; e = e.parentElement) {
          const colour = getComputedStyle(e).backgroundColor, parts = numbers(colour);
          if (parts.length === 3 || parts[3] > 0) return colour;
        }
        return "rgb(255, 255, 255)";
      };
      const texts = [...document.querySelectorAll("h1, h2, p, td, th, dt, dd, small, span, b, figcaption")];
      const contrasts = texts.filter(e => e.getClientRects().length && e.textContent.trim()).map(e => {
        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      });
      const boxes = [...document.querySelectorAll(".n")].map(e => e.getBoundingClientRect()).filter(b => b.width > 0);
      parent.postMessage(JSON.stringify({
        width: innerWidth, overflow: root.scrollWidth - root.clientWidth, figures: boxes.length,
        leftmost: Math.min(...boxes.map(b => b.left)), rightmost: Math.max(...boxes.map(b => b.right)),
        contrast: Math.min(...contrasts), isDark: light(ground(document.body)) < 0.5,
        chartHeight: document.querySelector(".field svg").getBoundingClientRect().height
      }), "*");
    });
    """
}
