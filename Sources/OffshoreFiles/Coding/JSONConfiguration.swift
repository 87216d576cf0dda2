/// The options of a document's JSON.
public struct JSONConfiguration: Sendable {
  /// The precision of dates in JSON.
  public enum DatePrecision: Sendable {
    /// As many digits as are needed to load the same date, bit for bit:
    /// `2026-05-01T12:00:00.125Z`.
    case full
    /// Whole seconds, rounded down: `2026-05-01T12:00:00Z`. Any decoder of ISO 8601 reads it.
    case seconds
  }

  /// The precision of stored dates. Any precision and any offset is loaded.
  public var datePrecision: DatePrecision
  /// The largest size of a file in bytes. A larger file is not loaded, and a larger value is not
  /// stored.
  public var sizeLimit: Int

  /// Creates options. By default, dates keep their full precision, and a file has at most 64 MiB.
  public init(datePrecision: DatePrecision = .full, sizeLimit: Int = 64 << 20) {
    self.datePrecision = datePrecision
    self.sizeLimit = sizeLimit
  }
}
