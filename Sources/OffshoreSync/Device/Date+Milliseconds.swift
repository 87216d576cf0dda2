package import Foundation

extension Date {
  /// Creates a date from the protocol's milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The milliseconds since 1970, as the protocol has them.
  package var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
