/// Stretches of speech out of probabilities.
///
/// Speech begins where the probability reaches `threshold` and ends where it stays below `release` for longer than
/// `silence`: a comma does not end a sentence. Stretches shorter than `speech` are noise. Each is widened by `padding`.
struct SegmentFinder {
  var threshold: Float = 0.5, release: Float = 0.35
  /// In seconds.
  var speech = 0.25, silence = 0.3, padding = 0.03

  /// In seconds, in order, without overlap.
  func segments(_ probabilities: [Float], sampleCount: Int) -> [ClosedRange<Double>] {
    let chunk = Double(VoiceActivity.chunkSize) / Double(VoiceActivity.sampleRate)
    let duration = Double(sampleCount) / Double(VoiceActivity.sampleRate)
    var found: [ClosedRange<Double>] = []
    var start: Double?
    var quietSince: Double?
    func finish(_ end: Double) {
      if let begin = start, end - begin >= speech { found.append(begin...end) }
      (start, quietSince) = (nil, nil)
    }
    for (index, probability) in probabilities.enumerated() {
      let time = Double(index) * chunk
      if probability >= threshold {
        if start == nil { start = time }
        quietSince = nil
      } else if start != nil && probability < release {
        let since = quietSince ?? time
        quietSince = since
        if time + chunk - since > silence { finish(since) }
      }
    }
    if start != nil { finish(quietSince ?? duration) }
    return padded(found, until: duration)
  }

  /// Half of a gap that is too short for both paddings goes to each side.
  private func padded(_ segments: [ClosedRange<Double>], until duration: Double) -> [ClosedRange<Double>] {
    segments.indices.map { index in
      let (begin, end) = (segments[index].lowerBound, segments[index].upperBound)
      let before = index == 0 ? begin : (begin - segments[index - 1].upperBound) / 2
      let after = index == segments.count - 1 ? max(0, duration - end) : (segments[index + 1].lowerBound - end) / 2
      return begin - min(padding, before)...end + min(padding, after)
    }
  }
}
