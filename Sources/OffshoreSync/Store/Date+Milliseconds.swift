package import Foundation

extension Date {
  /// A date of the protocol, in milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The date in the protocol, in milliseconds since 1970.
  package var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
