/// One line of a log, before it is written.
///
/// It has only texts of the source code, numbers and ids, so it contains nothing that a user
/// entered.
public struct LogEntry: Equatable, Sendable {
  /// The severity of an entry. The cases are in ascending order.
  public enum Level: String, CaseIterable, Comparable, Sendable {
    /// A message that is useful during development.
    case debug
    /// An operation that completed.
    case info
    /// A problem that was handled but should not occur.
    case warning
    /// An operation that failed.
    case error

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The severity of the entry.
  public let level: Level
  /// The part of the app that the entry comes from.
  public let category: LogCategory
  /// The message, which may be the name and the state of an operation.
  public let message: String
  /// Further facts.
  public let fields: [LogField]
  /// The duration of the operation, if the entry is about the end of one.
  public let duration: Duration?

  init(
    _ level: Level, _ category: LogCategory, _ message: StaticString, _ fields: [LogField],
    duration: Duration? = nil
  ) {
    self.level = level
    self.category = category
    self.message = "\(message)"
    self.fields = fields
    self.duration = duration
  }

  init(
    _ level: Level, _ category: LogCategory, _ operation: StaticString, _ event: StaticString,
    _ fields: [LogField], duration: Duration?
  ) {
    self.level = level
    self.category = category
    message = "\(operation) \(event)"
    self.fields = fields
    self.duration = duration
  }
}

extension LogEntry: CustomStringConvertible {
  /// The entry as one line: `info repository saveItemState completed in 1.25 ms rows=3`.
  public var description: String {
    var parts = ["\(level)", "\(category)", message]
    if let duration { parts.append("in \(duration.millisecondsText) ms") }
    return (parts + fields.map(\.description)).joined(separator: " ")
  }
}

/// The part of an app that an entry comes from.
public enum LogCategory: String, CaseIterable, Sendable {
  /// Reading and writing an app's data.
  case repository
  /// State that screens share.
  case store
  /// Screens.
  case view
  /// The exchange with other devices.
  case sync
}

extension Duration {
  /// The duration in milliseconds, with two decimals.
  fileprivate var millisecondsText: String {
    let (seconds, attoseconds) = components
    let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
