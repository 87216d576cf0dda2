import Foundation

extension Date {
  /// A date as devices and servers tell it to each other.
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }

  /// The date as devices and servers tell it to each other.
  var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

  /// The date as one can store it: rounded to the millisecond.
  var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}
