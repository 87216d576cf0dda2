import Foundation
import Synchronization

/// The currency formats of a speaker, each created at its first use.
///
/// A code has three letters, so there are at most 17,576.
final class CurrencyFormats: Sendable {
  private let formats = Mutex<[String: Decimal.FormatStyle.Currency]>([:])
  private let make: @Sendable (String) -> Decimal.FormatStyle.Currency

  /// Creates a cache.
  /// - Parameter make: creates the format of a code.
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
