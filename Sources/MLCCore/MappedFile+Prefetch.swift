#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension MappedFile {
  /// Brings the pages in, so that nobody waits for them who reads the file from now on: at once as far as that goes in
  /// little time, the others in a thread of its own. Those of `scattered`, parts of the file in their order of which
  /// little is read, come as they are touched, and few at a time; so do all where memory is short or the system cannot.
  package func prefetch(except scattered: [Range<Int>] = []) {
    #if os(Linux)
      guard let base = bytes.baseAddress else { return }
      let memory = UnsafeMutableRawPointer(mutating: base)
      for part in scattered.compactMap(wholePages) {
        // No huge page for a row.
        madvise(memory + part.lowerBound, part.count, MADV_NOHUGEPAGE)
      }
      var parts = parts(between: scattered)
      guard parts.reduce(0, { $0 + $1.count }) <= MappedFile.mostBytes else { return }
      parts = populate(parts, until: ContinuousClock.now + MappedFile.patience)
      if parts.isEmpty { return }
      let work = Unmanaged.passRetained(Prefetch(file: self, parts: parts)).toOpaque()
      var thread = pthread_t()
      let status = pthread_create(
        &thread,
        nil,
        { work in
          let prefetch = Unmanaged<Prefetch>.fromOpaque(work!).takeRetainedValue()
          _ = prefetch.file.populate(prefetch.parts)
          return nil
        },
        work
      )
      if status == 0 { pthread_detach(thread) } else { Unmanaged<Prefetch>.fromOpaque(work).release() }
    #endif
  }

  #if os(Linux)
    /// What loading may take for it.
    private static let patience = Duration.microseconds(2500)
    /// What is brought in at a time: while it is, nobody else in the process can map anything.
    private static let piece = 1 << 20
    /// Half of the memory that there is: of more, the first pages might be gone before the last ones are there.
    private static let mostBytes = Int(sysconf(Int32(_SC_PHYS_PAGES))) / 2 * Int(sysconf(Int32(_SC_PAGESIZE)))

    private final class Prefetch {
      let file: MappedFile, parts: [Range<Int>]
      init(file: MappedFile, parts: [Range<Int>]) { (self.file, self.parts) = (file, parts) }
    }

    /// The pages that lie whole in `part`; `nil` when there are none.
    private func wholePages(_ part: Range<Int>) -> Range<Int>? {
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      let part = part.clamped(to: 0..<bytes.count)
      let (start, end) = ((part.lowerBound + page - 1) / page * page, part.upperBound / page * page)
      return start < end ? start..<end : nil
    }

    /// What is left of the file, in whole pages but for its end.
    private func parts(between scattered: [Range<Int>]) -> [Range<Int>] {
      var parts: [Range<Int>] = []
      var start = 0
      for part in scattered.compactMap(wholePages) {
        if start < part.lowerBound { parts.append(start..<part.lowerBound) }
        start = max(start, part.upperBound)
      }
      return start < bytes.count ? parts + [start..<bytes.count] : parts
    }

    /// Brings `parts` in and answers what of them is left at `deadline`.
    private func populate(_ parts: [Range<Int>], until deadline: ContinuousClock.Instant? = nil) -> [Range<Int>] {
      for (number, part) in parts.enumerated() {
        for start in stride(from: part.lowerBound, to: part.upperBound, by: MappedFile.piece) {
          if let deadline, ContinuousClock.now >= deadline { return [start..<part.upperBound] + parts[(number + 1)...] }
          guard populate(start..<min(start + MappedFile.piece, part.upperBound)) else { return [] }
        }
      }
      return []
    }

    /// Asks for all of its pages: those that lie in memory beside one that is touched are not always mapped with it.
    /// Whether the system can.
    private func populate(_ piece: Range<Int>) -> Bool {
      let memory = UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
      // MADV_POPULATE_READ, since Linux 5.14.
      return madvise(memory + piece.lowerBound, piece.count, 22) == 0
    }
  #endif
}
