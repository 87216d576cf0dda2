import Foundation

/// A log of requests and failures, with a line of JSON for each. A request with a malformed head is
/// not logged.
///
/// ```json
/// {"time":"2026-05-01T12:00:00.123Z","level":"info","request":"5a1c…","method":"POST",
///  "route":"/v1/push","status":200,"milliseconds":1.25,"bytes":64,"account":"6F96…"}
/// ```
///
/// It contains no user input: no tokens, names, addresses, bodies, or values of queries.
public struct RequestLog: Sendable {
  private let write: @Sendable (String) -> Void
  private var flush: @Sendable () async -> Void = {}

  /// Creates a log that passes each line, without a line break, to a closure on any thread.
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// A log that discards all lines.
  public static let none = RequestLog { _ in }

  /// A log on standard error, written in the background so that no request waits for its reader.
  ///
  /// If the reader falls behind, lines are dropped and counted.
  public static let standardError = RequestLog(LineQueue(.standardError))

  init(_ lines: LineQueue) {
    write = { lines.write($0) }
    flush = { await lines.flush() }
  }

  /// Waits until all lines are written, for one second at most.
  public func finish() async { await flush() }

  /// A value of a line.
  enum Field {
    case text(String)
    case number(Double)
    case count(Int)
  }

  /// Writes a line.
  /// - Parameter time: milliseconds since 1970.
  func write(_ level: String, at time: Int64, _ fields: KeyValuePairs<String, Field?>) {
    let date = Date(timeIntervalSince1970: Double(time) / 1_000)
    var line = #"{"time":"\#(date.formatted(Self.style))","level":"\#(level)""#
    for (name, field) in fields {
      switch field {
      case nil: continue
      case .text(let text): line += #","\#(name)":\#(Self.quoted(text))"#
      case .number(let number): line += #","\#(name)":\#((number * 1_000).rounded() / 1_000)"#
      case .count(let count): line += #","\#(name)":\#(count)"#
      }
    }
    write(line + "}")
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
    if isPlain { return "\"\(text)\"" }
    let data = (try? JSONEncoder().encode(text)) ?? Data("\"\"".utf8)
    return String(decoding: data, as: UTF8.self)
  }
}
