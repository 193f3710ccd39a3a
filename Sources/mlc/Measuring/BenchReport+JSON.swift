import MLCCore
import MLCRuntime

extension BenchReport {
  var json: JSON {
    func known(_ value: Double?, _ digits: Int) -> JSON { value.map { .rounded($0, digits) } ?? .null }
    return .object([
      "target": .string(target), "threads": .integer(threads), "digest": .string(digest),
      "sizes": .object(Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, .integer($0.value)) })),
      "compile_ms": known(compileMilliseconds, 4),
      "preparation": .string(preparation.word), "load_ms": .rounded(loadMilliseconds, 4),
      "first_ms": .rounded(firstMilliseconds, 4), "cached": cached.map { $0.json } ?? .null,
      "uncached": uncached.map { $0.json } ?? .null,
      "median_ms": .rounded(median, 4), "p95_ms": .rounded(percentile95, 4), "per_second": .rounded(perSecond, 3),
      "ms": .array(milliseconds.map { .rounded($0, 6) }), "cpu_ms": .array(cpuMilliseconds.map { .rounded($0, 6) }),
      "rss_start_mb": known(startMegabytes, 2), "rss_loaded_mb": known(loadedMegabytes, 2),
      "rss_peak_mb": .rounded(peakMegabytes, 2), "concurrent": concurrent.map { $0.json } ?? .null,
      "ops": .array(opsJSON), "totals": totalsJSON, "machine": peak.map { $0.json } ?? .null,
      "against": contest.map { $0.json } ?? .null, "waited_ms": known(waitedMilliseconds, 3),
    ])
  }
}

extension BenchReport.Reload {
  fileprivate var json: JSON {
    .object([
      "preparation": .string(preparation.word), "load_ms": .rounded(loadMilliseconds, 4),
      "first_ms": .rounded(firstMilliseconds, 4),
    ])
  }
}

extension ConcurrentPredictions.Report {
  fileprivate var json: JSON {
    .object([
      "at_a_time": .integer(concurrency), "predictions": .integer(milliseconds.count),
      "per_second": .rounded(perSecond, 3), "median_ms": .rounded(milliseconds.quantile(0.5), 4),
      "p95_ms": .rounded(milliseconds.quantile(0.95), 4),
    ])
  }
}

extension BenchReport.Contest {
  fileprivate var json: JSON {
    .object([
      "package": .string(path), "median_ms": .rounded(milliseconds, 4),
      "against_median_ms": .rounded(otherMilliseconds, 4), "ratio": .rounded(ratio, 4),
      "fp16_is_slower": .bool(isSlowerInHalf),
    ])
  }
}
