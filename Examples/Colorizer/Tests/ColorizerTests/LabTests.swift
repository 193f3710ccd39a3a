import Testing

@testable import Colorizer

/// Values of CIE Lab for white D65, as tables and other programs have them.
@Suite struct LabTests {
  @Test(
    arguments: [
      ([255, 255, 255], Lab(l: 100, a: 0, b: 0)), ([0, 0, 0], Lab(l: 0, a: 0, b: 0)),
      ([255, 0, 0], Lab(l: 53.24, a: 80.09, b: 67.20)), ([0, 255, 0], Lab(l: 87.73, a: -86.18, b: 83.18)),
      ([0, 0, 255], Lab(l: 32.30, a: 79.19, b: -107.86)), ([119, 119, 119], Lab(l: 50.03, a: 0, b: 0)),
      ([255, 255, 0], Lab(l: 97.14, a: -21.55, b: 94.48)),
    ] as [([UInt8], Lab)]
  )
  func knownColours(_ rgb: [UInt8], _ lab: Lab) {
    #expect(Lab(rgb[0], rgb[1], rgb[2]).distance(to: lab) < 0.05)
    let back = lab.rgb
    #expect([back.red, back.green, back.blue] == rgb)
  }

  @Test func everyColourComesBack() {
    for red in stride(from: UInt8(0), through: 255, by: 15) {
      for green in stride(from: UInt8(0), through: 255, by: 15) {
        for blue in stride(from: UInt8(0), through: 255, by: 15) {
          let back = Lab(red, green, blue).rgb
          if back != (red, green, blue) { Issue.record("\((red, green, blue)) comes back as \(back)") }
        }
      }
    }
  }

  /// No screen shows so strong a green at this lightness: it gets weaker, not lighter.
  @Test func tooStrongColoursKeepTheirLightness() {
    let shown = Lab(l: 40, a: -120, b: 20).rgb
    let lab = Lab(shown.red, shown.green, shown.blue)
    #expect(abs(lab.l - 40) < 1)
    #expect(lab.a < -20 && lab.a > -60)
  }
}
