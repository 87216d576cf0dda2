public import Foundation

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
  /// The time of the event, or `nil` if the logger has no clock: services that collect lines add
  /// the time.
  public let time: Date?

  package init(
    _ level: Level, _ category: LogCategory, _ message: StaticString, _ fields: [LogField],
    duration: Duration? = nil, time: Date? = nil
  ) {
    self.level = level
    self.category = category
    self.message = "\(message)"
    self.fields = fields
    self.duration = duration
    self.time = time
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
    time = nil
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
  /// The requests of a server.
  case server
}

extension LogEntry {
  /// The entry as one line of JSON: `{"time":"…","level":"info","route":"/v1/push","status":200}`.
  ///
  /// The members are the time, the level, the category and the message, the duration in
  /// milliseconds, and the fields. Entries of a server have no category and message: all of them
  /// are about requests.
  package var json: String {
    var members: [String] = []
    if let time { members.append(#""time":"\#(time.formatted(Self.timeStyle))""#) }
    members.append(#""level":"\#(level)""#)
    if category != .server {
      members.append(#""category":"\#(category)""#)
      members.append(#""message":\#(Self.quoted(message))"#)
    }
    if let duration {
      members.append(#""milliseconds":\#(LogField.rounded(duration / .milliseconds(1)))"#)
    }
    members += fields.map { field in
      switch field.content {
      case .text(let text): #""\#(field.name)":\#(Self.quoted(text))"#
      case .count, .number: #""\#(field.name)":\#(field.value)"#
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
    if isPlain { return "\"\(text)\"" }
    let data = (try? JSONEncoder().encode(text)) ?? Data("\"\"".utf8)
    return String(decoding: data, as: UTF8.self)
  }
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
