import Foundation

/// The scale of a chart's values: its ticks, and the places of values between the first and the
/// last.
struct ChartScale {
  /// The values of the ticks, ascending; at least two, all of them finite.
  let ticks: [Double]
  private let isLogarithmic: Bool

  /// The largest number of steps between ticks.
  private static let maximumSteps = 6

  /// Creates a scale that contains all values that it can show.
  init(of values: [Double], _ scale: Chart.Scale) {
    isLogarithmic = scale == .logarithmic
    ticks =
      switch scale {
      case .linear: Self.linear(values)
      case .logarithmic: Self.logarithmic(values)
      }
  }

  /// Returns the place of a value, from 0 at the first tick to 1 at the last, or `nil` if the scale
  /// cannot show it.
  func place(of value: Double) -> Double? {
    guard value.isFinite, !isLogarithmic || value > 0 else { return nil }
    let (low, high) = (position(ticks[0]), position(ticks[ticks.count - 1]))
    // NB: The difference of two numbers may not be finite, but that of their halves is.
    let place = (position(value) / 2 - low / 2) / (high / 2 - low / 2)
    return min(max(0, place), 1)
  }

  /// The place from which bars start: that of zero, or the lower end of a logarithmic scale.
  var base: Double { isLogarithmic ? 0 : place(of: 0) ?? 0 }

  private func position(_ value: Double) -> Double { isLogarithmic ? log10(value) : value }

  /// Returns multiples of 1, 2 or 5 and a power of ten, around zero and all values.
  private static func linear(_ values: [Double]) -> [Double] {
    let low = min(0, values.min() ?? 0)
    let high = max(0, values.max() ?? 0)
    let step = Step(atLeast: high / Double(maximumSteps - 1) - low / Double(maximumSteps - 1))
    let (first, last) = ((low / step[1]).rounded(.down), (high / step[1]).rounded(.up))
    let ticks = stride(from: first, through: max(last, first + 1), by: 1).map { step[$0] }
    return ticks.allSatisfy(\.isFinite) ? ticks : [low, high]
  }

  /// A length of 1, 2 or 5 times a power of ten.
  private struct Step {
    private var factor = 1.0
    private var exponent = 0.0

    /// Creates the shortest step that is not shorter than a length.
    init(atLeast length: Double) {
      // Smaller numbers have fewer digits.
      guard length >= 1e-300 else { return }
      exponent = log10(length).rounded(.down)
      factor = [1, 2, 5, 10].first { $0 * pow(10, exponent) >= length } ?? 10
    }

    /// The length of a number of steps. NB: A division by a power of ten is exact, unlike a
    /// multiplication by its inverse, so that texts of the result are short.
    subscript(count: Double) -> Double {
      exponent < 0 ? count * factor / pow(10, -exponent) : count * factor * pow(10, exponent)
    }
  }

  /// Returns powers of ten, the first below and the last not below all values.
  private static func logarithmic(_ values: [Double]) -> [Double] {
    let values = values.filter { $0 > 0 }
    guard let low = values.min(), let high = values.max() else { return [1, 10] }
    // Powers of ten beyond these are not finite, or not exact.
    var first = min(max(-307, log10(low).rounded(.down)), 307)
    // A bar at the lower end would have no length.
    if low <= pow(10, first) { first = max(-307, first - 1) }
    let last = min(308, max(log10(high).rounded(.up), first + 1))
    let step = max(1, ((last - first) / Double(maximumSteps)).rounded(.up))
    var ticks = stride(from: first, to: last, by: step).map { pow(10, $0) }
    ticks.append(pow(10, last))
    return ticks
  }
}
