import Foundation

/// Where log entries go.
public struct LogSink: Sendable {
  /// Takes an entry. Called from any thread, by several at once.
  public let write: @Sendable (LogEntry) -> Void

  /// Creates a sink from a closure, for example one that collects entries in a test.
  public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.write = write }

  /// Writes entries of a level or above to standard error, one line each.
  ///
  /// A service manager such as systemd keeps these lines in its journal.
  public static func standardError(from level: LogEntry.Level = .info) -> Self {
    Self { entry in
      guard entry.level >= level else { return }
      // One call for each line, so that lines of several threads do not mix.
      try? FileHandle.standardError.writeWithoutSignal(Data("\(entry)\n".utf8))
    }
  }

  /// Drops all entries.
  public static let none = Self { _ in }
}
