import Foundation

extension Date {
  /// The date as one can store it: rounded to the millisecond.
  var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}
