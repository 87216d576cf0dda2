import Foundation

/// A destination of log entries.
public struct LogSink: Sendable {
  /// Writes an entry. It is called from any thread, and by several at once.
  public let write: @Sendable (LogEntry) -> Void

  /// Creates a sink from a closure, for example one that collects entries in a test.
  public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.write = write }

  /// Creates a sink that writes entries of a level or above to standard error, one line each.
  ///
  /// A service manager such as systemd stores these lines in its journal.
  public static func standardError(from level: LogEntry.Level = .info) -> Self {
    Self { entry in
      guard entry.level >= level else { return }
      // Each line is written by one call, so that lines of several threads do not mix.
      try? FileHandle.standardError.writeWithoutSignal(Data("\(entry)\n".utf8))
    }
  }

  /// A sink that ignores all entries.
  public static let none = Self { _ in }
}
