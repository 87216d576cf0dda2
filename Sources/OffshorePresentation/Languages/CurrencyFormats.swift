import Foundation
import Synchronization

/// The formats that a speaker has for amounts of money, each made when it is first asked for.
///
/// A code has three letters, so there are no more than 17,576.
final class CurrencyFormats: Sendable {
  private let formats = Mutex<[String: Decimal.FormatStyle.Currency]>([:])
  private let make: @Sendable (String) -> Decimal.FormatStyle.Currency

  /// Takes what makes the format of a code.
  init(make: @escaping @Sendable (String) -> Decimal.FormatStyle.Currency) { self.make = make }

  /// The format of a code.
  subscript(code: String) -> Decimal.FormatStyle.Currency {
    formats.withLock { formats in
      if let format = formats[code] { return format }
      let format = make(code)
      formats[code] = format
      return format
    }
  }
}
