/// One line of a log, before it is written.
///
/// It holds texts of the source code and numbers only, so nothing that a person entered gets in.
public struct LogEntry: Equatable, Sendable {
  /// How much an entry matters, least first.
  public enum Level: String, CaseIterable, Comparable, Sendable {
    /// Of use while developing.
    case debug
    /// An operation that completed.
    case info
    /// Something that was dealt with but should not happen.
    case warning
    /// An operation that failed.
    case error

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// How much the entry matters.
  public let level: Level
  /// The part of the app that it comes from.
  public let category: LogCategory
  /// What happened.
  public let message: String
  /// Further facts.
  public let fields: [LogField]
  /// How long the operation took, where one ended.
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
  /// Reading and writing what an app stores.
  case repository
  /// State that screens share.
  case store
  /// Screens.
  case view
  /// The exchange with other devices.
  case sync
}

extension Duration {
  /// Milliseconds with two digits after the point.
  fileprivate var millisecondsText: String {
    let (seconds, attoseconds) = components
    let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
