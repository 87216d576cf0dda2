/// A logger of the operations of one part of an app, with their durations and results.
///
/// ```swift
/// let operation = AppLogger.repository.startOperation("saveItemState")
/// …
/// AppLogger.repository.completeOperation(operation)
/// // info repository saveItemState completed in 1.25 ms
/// ```
///
/// Messages are literals in the source code, and fields are typed, so no personal data is logged.
public struct AppLogger: Sendable {
  /// The logger for reading and writing an app's data. It writes to standard error.
  public static let repository = AppLogger(.repository)
  /// The logger for state that screens share. It writes to standard error.
  public static let store = AppLogger(.store)
  /// The logger for screens. It writes to standard error.
  public static let view = AppLogger(.view)
  /// The logger for the exchange with other devices. It writes to standard error.
  public static let sync = AppLogger(.sync)

  /// The part of the app that the entries come from.
  public let category: LogCategory
  private let sink: LogSink
  private let uptime: @Sendable () -> Duration

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - category: the part of the app that the entries come from.
  ///   - sink: the destination of the entries.
  ///   - uptime: the time since a fixed moment, by which durations are measured.
  public init(
    _ category: LogCategory, to sink: LogSink = .standardError(),
    uptime: @escaping @Sendable () -> Duration = Self.monotonicTime
  ) {
    self.category = category
    self.sink = sink
    self.uptime = uptime
  }

  /// Returns a logger of another part of the app, with the same destination.
  package func of(_ category: LogCategory) -> AppLogger {
    AppLogger(category, to: sink, uptime: uptime)
  }

  /// The time since the program first used this clock.
  public static let monotonicTime: @Sendable () -> Duration = {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }()

  // MARK: - Operations

  /// An operation that was started and has not ended.
  public struct Operation: Sendable {
    /// The name of the operation, in a word or two.
    public let name: StaticString
    let start: Duration
  }

  /// Logs the start of an operation.
  public func startOperation(_ name: StaticString, _ fields: LogField...) -> Operation {
    log(.debug, name, "started", fields)
    return Operation(name: name, start: uptime())
  }

  /// Logs that an operation succeeded, with its duration.
  public func completeOperation(_ operation: Operation, _ fields: LogField...) {
    log(.info, operation.name, "completed", fields, duration: uptime() - operation.start)
  }

  /// Logs that an operation failed, with the error's type and code, and the duration.
  public func failOperation(_ operation: Operation, error: any Error) {
    log(
      .error, operation.name, "failed", [.kind(of: error)], duration: uptime() - operation.start)
  }

  /// Logs that an operation was cancelled, which is not a failure, with its duration.
  public func cancelOperation(_ operation: Operation) {
    log(.debug, operation.name, "cancelled", [], duration: uptime() - operation.start)
  }

  // MARK: - Messages

  /// Logs a message that is useful during development.
  public func debug(_ message: StaticString, _ fields: LogField...) {
    sink.write(LogEntry(.debug, category, message, fields))
  }

  /// Logs a problem that was handled but should not occur.
  public func warning(_ message: StaticString, _ fields: LogField...) {
    sink.write(LogEntry(.warning, category, message, fields))
  }

  private func log(
    _ level: LogEntry.Level, _ name: StaticString, _ event: StaticString, _ fields: [LogField],
    duration: Duration? = nil
  ) {
    sink.write(LogEntry(level, category, name, event, fields, duration: duration))
  }
}
