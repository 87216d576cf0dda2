import Foundation

/// A destination of log entries.
public struct LogSink: Sendable {
  /// Writes an entry. It is called from any thread, and by several at once.
  public let write: @Sendable (LogEntry) -> Void
  private var finishWriting: @Sendable () async -> Void = {}

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

  /// A sink that writes all entries to standard error, each as one line of JSON.
  ///
  /// Lines are written in the background, so that no request waits for their reader. If 10,000
  /// lines wait, further ones are dropped, and a line reports their number. Call ``flush()`` before
  /// the process ends.
  public static let jsonLines = Self(LineWriter(.standardError))

  init(_ lines: LineWriter) {
    write = { lines.write($0.json) }
    finishWriting = { await lines.flush() }
  }

  /// Waits until all lines of ``jsonLines`` are written, for one second at most. Other sinks have
  /// nothing to wait for.
  public func flush() async { await finishWriting() }

  /// A sink that ignores all entries.
  public static let none = Self { _ in }
}
