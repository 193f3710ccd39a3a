import Foundation
import Testing

/// What `bench` measures beside predictions one after another.
@Suite struct BenchFigureTests {
  private let model: BenchedClassifier

  init() throws { model = try BenchedClassifier() }

  @Test func throughputIsOfSeveralAtATime() throws {
    let report = try model.bench(model.package, "--iterations", "3", "--concurrency", "5")
    let concurrent = try #require(report["concurrent"] as? [String: Any])
    #expect(concurrent["at_a_time"] as? Int == 5 && (concurrent["predictions"] as? Int ?? 0) >= 5)
    for key in ["per_second", "median_ms", "p95_ms"] { #expect((concurrent[key] as? Double ?? 0) > 0, "\(key)") }
    let text = try MLCProcess("bench", model.package, "--iterations", "3", "--concurrency", "5").output
    #expect(text.contains("throughput ") && text.contains("/s (5 at a time; one after another "), "\(text)")
    #expect(try model.bench(model.package, "--iterations", "3")["concurrent"] is NSNull)
  }

  @Test func memoryGrowsFromBeforeLoading() throws {
    let report = try model.bench(model.package, "--iterations", "3")
    let memory = ["rss_start_mb", "rss_loaded_mb", "rss_peak_mb"].compactMap { report[$0] as? Double }
    // Counters of the system's that are brought together now and then.
    #expect(memory.count == 3 && memory[0] > 0 && memory[0] <= memory[1] && memory[1] <= memory[2] + 1, "\(memory)")
  }

  /// A file system in memory has no files elsewhere, which is said, not measured.
  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "there is no /dev/shm"))
  func filesInMemoryAreNeverUncached() throws {
    let folder = URL(filePath: "/dev/shm/mlc-test-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: URL(filePath: model.package), to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try model.bench(folder.path(), "--iterations", "1")
    #expect(report["uncached"] is NSNull)
    #expect(((report["cached"] as? [String: Any])?["load_ms"] as? Double ?? 0) > 0)
    let text = try MLCProcess("bench", folder.path(), "--iterations", "1").output
    #expect(text.contains("uncached   – (the system keeps the files in memory)"), "\(text)")
  }

  /// What was compiled for this machine is found the second time, and made anew with `--no-cache`.
  @Test func preparationIsMeasuredAnew() throws {
    let portable = model.work.path("p.mlmodelc")
    let source = BenchedClassifier.source
    let made = try MLCProcess("compile", source, "-o", portable, "--portable", "--target", "x86-64-v2")
    try #require(made.status == 0, "\(made.errors)")
    guard try MLCProcess("devices", "--json").json()["host"] as? String != "x86-64-v2" else { return }
    let cache = ["MLC_CACHE": model.work.path("cache"), "MLC": MLCProcess.executable.path()]
    for (arguments, word) in [([], "prepare and cache"), ([], "cached"), (["--no-cache"], "prepare and cache")] {
      let run = try MLCProcess(
        arguments: ["bench", portable, "--iterations", "1", "--json"] + arguments,
        environment: cache
      )
      let report = try run.json()
      #expect(report["preparation"] as? String == word)
      #expect((report["compile_ms"] is NSNull) == (word == "cached"))
      #expect((report["cached"] as? [String: Any])?["preparation"] as? String == "cached")
    }
    let entries = try MLCProcess("cache", "list", "--json", environment: cache).json()["packages"] as? [Any]
    #expect(entries?.count == 1)
  }
}
