import Foundation
import MLCCore
import MLCRuntime

extension BenchReport {
  /// One figure of the whole model, with its unit and what is to be known of it.
  struct Figure {
    let name: String, amount: String
    var note = ""
  }

  /// Those of a package as they are told on a terminal and in pages.
  var figures: [Figure] {
    func milliseconds(_ name: String, _ value: Double, _ digits: Int, _ note: String = "") -> Figure {
      Figure(name: name, amount: "\(value.fixed(digits)) ms", note: note)
    }
    var figures: [Figure] = []
    if let compileMilliseconds { figures.append(milliseconds("compile", compileMilliseconds, 0)) }
    figures.append(milliseconds("load", loadMilliseconds, 2, preparation.message))
    if let cached {
      let first = cached.firstMilliseconds.fixed(2)
      let note = "load again, \(cached.preparation.word), files in memory; first \(first) ms"
      figures.append(milliseconds("cached", cached.loadMilliseconds, 2, note))
    }
    if let fileBytes { figures.append(uncachedFigure(fileBytes)) }
    figures += [
      milliseconds("first", firstMilliseconds, 2), milliseconds("median", median, 3),
      milliseconds("p95", percentile95, 3), milliseconds("cpu", cpuMilliseconds.quantile(0.5), 3),
    ]
    if let concurrent {
      let note = "\(concurrent.concurrency.grouped) at a time; one after another \(perSecond.significant)/s"
      figures.append(Figure(name: "throughput", amount: "\(concurrent.perSecond.significant)/s", note: note))
    }
    return figures + [Figure(name: "memory", amount: "\(peakMegabytes.fixed(1)) MB", note: memoryNote)]
  }

  private func uncachedFigure(_ bytes: Int) -> Figure {
    guard let uncached else {
      return Figure(name: "uncached", amount: "–", note: "the system keeps the files in memory")
    }
    let size = bytes < 1_000_000 ? "\(bytes.kilobytes) kB" : "\(bytes.megabytes) MB"
    return Figure(
      name: "uncached",
      amount: "\(uncached.loadMilliseconds.fixed(2)) ms",
      note: "load again, \(size) of files on the disk; first \(uncached.firstMilliseconds.fixed(2)) ms"
    )
  }

  private var memoryNote: String {
    guard let startMegabytes, let loadedMegabytes else { return "at most" }
    return "at most; loaded \(loadedMegabytes.fixed(1)) MB, before \(startMegabytes.fixed(1)) MB"
  }

  /// What is to be known of the figures.
  var remarks: [String] {
    var remarks: [String] = []
    if let contest, contest.isSlowerInHalf {
      remarks.append("fp16 is slower here: it takes \(contest.ratio.fixed(2)) times what fp32 takes")
    }
    if let busy {
      remarks.append("the machine was busy: for \(busy.fixed(0)) % of the time predictions waited for a processor")
    }
    return remarks
  }

  var spelledSizes: String { sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }

  var text: ConsoleText {
    var lines: [ConsoleText] = ["target \(target), \(threads.of("thread"))"]
    if !sizes.isEmpty { lines.append("sizes \(spelledSizes)") }
    lines.append("")
    for figure in figures {
      let name = figure.name.padding(toLength: 11, withPad: " ", startingAt: 0)
      lines.append("\(name)\(figure.amount)" + (figure.note.isEmpty ? "" : " (\(figure.note))"))
    }
    if let contest { lines.append("\(contest.sentence)") }
    for remark in remarks { lines.append("\nnote: \(remark)") }
    return lines.joined(separator: "\n")
  }
}

extension BenchReport.Contest {
  /// `against 2.000 ms: other.mlmodelc, in turn with 1.000 ms; ratio 0.500`
  var sentence: String {
    let other = "\(otherMilliseconds.fixed(3)) ms: \(path)"
    return "against \(other), in turn with \(milliseconds.fixed(3)) ms; ratio \(ratio.fixed(3))"
  }
}

extension Double {
  /// In three significant digits, or more where it is longer: `0.123`, `12.3`, `1,234`.
  fileprivate var significant: String {
    guard isFinite, magnitude < 1e15 else { return "–" }
    return magnitude < 10 ? fixed(2) : magnitude < 100 ? fixed(1) : Int(rounded()).grouped
  }
}
