import Foundation
import TestSupport
import Testing

@testable import OffshoreWeb

struct ChartScaleTests {
  private func ticks(_ values: [Double], _ scale: Chart.Scale = .linear) -> [Double] {
    ChartScale(of: values, scale).ticks
  }

  @Test(arguments: [
    ([3, 8], [0, 2, 4, 6, 8]), ([0.1, 0.3], [0, 0.1, 0.2, 0.3]), ([47], [0, 10, 20, 30, 40, 50]),
    ([-3, 4], [-4, -2, 0, 2, 4]), ([-3], [-3, -2, -1, 0]), ([0], [0, 1]), ([], [0, 1]),
    ([0.0042], [0, 0.001, 0.002, 0.003, 0.004, 0.005]), ([1e6], [0, 2e5, 4e5, 6e5, 8e5, 1e6]),
  ])
  func `Ticks of a linear scale are round numbers around zero and all values`(
    _ values: [Double], _ expected: [Double]
  ) {
    #expect(ticks(values) == expected)
  }

  @Test func `Ticks have short texts`() {
    for value in [0.3, 0.7, 1.1, 3.3, 0.007, 123.4] {
      #expect(ticks([value]).allSatisfy { "\($0)".count <= 6 })
    }
  }

  @Test(arguments: [
    ([2, 300], [1, 10, 100, 1000]), ([10, 100], [1, 10, 100]), ([0.05], [0.01, 0.1]),
    ([1], [0.1, 1]), ([], [1, 10]), ([-4, 0], [1, 10]), ([0, 30], [10, 100]),
  ])
  func `Ticks of a logarithmic scale are powers of ten, the first below all values`(
    _ values: [Double], _ expected: [Double]
  ) {
    #expect(ticks(values, .logarithmic) == expected)
  }

  @Test func `A wide scale has few ticks`() {
    let wide = ticks([1e-9, 1e12], .logarithmic)
    #expect(wide.count <= 8 && wide[0] <= 1e-9 && wide[wide.count - 1] >= 1e12)
  }

  @Test func `Places are from the first to the last tick`() {
    let linear = ChartScale(of: [8], .linear)
    #expect([0, 2, 4, 8].map(linear.place) == [0, 0.25, 0.5, 1])
    #expect(linear.base == 0)
    let signed = ChartScale(of: [-4, 4], .linear)
    #expect(signed.base == 0.5 && signed.place(of: -4) == 0)
    let logarithmic = ChartScale(of: [2, 300], .logarithmic)
    #expect(logarithmic.place(of: 1) == 0 && logarithmic.place(of: 1000) == 1)
    #expect(abs((logarithmic.place(of: 10) ?? 0) - 1 / 3) < 1e-12)
    #expect(logarithmic.base == 0)
  }

  @Test func `A logarithmic scale has no place for numbers that are not above zero`() {
    let scale = ChartScale(of: [-1, 0, 10], .logarithmic)
    let others: [Double] = [0, -1, -.infinity, .infinity, .nan]
    for value in others { #expect(scale.place(of: value) == nil) }
    #expect(scale.place(of: 10) == 1)
  }

  @Test func `No values trap, however extreme, and all places are on the scale`() {
    var generator = SeededRandom(seed: 3)
    let strange: [Double] = [
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0, -0.0, 1e-300,
      1e-307, 1e308, -1e308, 1, 0.1, 1e15 + 0.1,
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...4, using: &generator)
      let values = (0..<count).compactMap { _ in strange.randomElement(using: &generator) }
      for kind in [Chart.Scale.linear, .logarithmic] {
        let scale = ChartScale(of: values, kind)
        #expect(scale.ticks.count >= 2 && scale.ticks.count <= 12, "\(values)")
        #expect(scale.ticks.allSatisfy { $0.isFinite }, "\(values)")
        #expect(zip(scale.ticks, scale.ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(values)")
        for place in values.compactMap(scale.place) + [scale.base] {
          #expect((0...1).contains(place), "\(values)")
        }
      }
    }
  }
}
