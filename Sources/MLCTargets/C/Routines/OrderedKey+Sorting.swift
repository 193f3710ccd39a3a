import MLCCore

/// Entries: keys above numbers of as many bits, which rise from one entry to the next.
extension OrderedKey {
  var entry: String { bits == 64 ? "unsigned __int128" : "uint64_t" }

  /// `KEY NAME(ENTRY *a, int64_t n, int64_t count)`: puts the first `count`, at least 1, of `n` in front, none of them
  /// moved past another, and gives the key of the last. Digit by digit, it counts those that agree with the last so
  /// far.
  func cut(_ name: String) -> CCode {
    """
    static \(type) \(name)(\(entry) *a, int64_t n, int64_t count) {
      \(type) last = 0, known = 0;
      for (int shift = \(bits - 8); shift >= 0; shift -= 8) {
        uint32_t counts[256] = {0};
        for (int64_t i = 0; i < n; i++) {
          const \(type) key = (\(type))(a[i] >> \(bits));
          counts[key >> shift & 255] += (key & known) == last;
        }
        int digit = 0;
        while (count > counts[digit]) count -= counts[digit++];
        last |= (\(type))digit << shift, known |= (\(type))255 << shift;
      }
      for (int64_t i = 0, kept = 0; i < n; i++) {
        const \(type) key = (\(type))(a[i] >> \(bits));
        const int isSame = (key == last) & (count > 0);
        a[kept] = a[i];
        count -= isSame, kept += (key < last) | isSame;
      }
      return last;
    }
    """
  }

  /// `ENTRY *NAME(ENTRY *a, ENTRY *b, int64_t n)`: the `n` entries of `a` in rising order, in `a` or in `b`. By the
  /// digits in which they differ, the lowest first.
  func sort(_ name: String) -> CCode {
    """
    static \(entry) *\(name)(\(entry) *a, \(entry) *b, int64_t n) {
      if (n <= 32) {
        for (int64_t i = 1; i < n; i++) {
          const \(entry) own = a[i];
          int64_t k = i;
          for (; k > 0 && a[k - 1] > own; k--) a[k] = a[k - 1];
          a[k] = own;
        }
        return a;
      }
      \(type) differing = 0;
      for (int64_t i = 1; i < n; i++) differing |= (\(type))((a[i] ^ a[0]) >> \(bits));
      for (int shift = 0; shift < \(bits); shift += 8) {
        if (!(differing >> shift & 255)) continue;
        uint32_t places[256] = {0}, place = 0;
        for (int64_t i = 0; i < n; i++) places[(uint8_t)(a[i] >> (shift + \(bits)))]++;
        for (int digit = 0; digit < 256; digit++) {
          const uint32_t count = places[digit];
          places[digit] = place, place += count;
        }
        for (int64_t i = 0; i < n; i++) b[places[(uint8_t)(a[i] >> (shift + \(bits)))]++] = a[i];
        \(entry) *const other = a;
        a = b, b = other;
      }
      return a;
    }
    """
  }
}
