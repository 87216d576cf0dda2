/// Logs the operations of one part of an app, with how long they took and how they ended.
///
/// ```swift
/// let operation = AppLogger.repository.startOperation("saveItemState")
/// …
/// AppLogger.repository.completeOperation(operation)
/// // info repository saveItemState completed in 1.25 ms
/// ```
///
/// Messages are literals of the source code, and fields are typed, so no personal data is logged.
public struct AppLogger: Sendable {
  /// For reading and writing what an app stores; writes to standard error.
  public static let repository = AppLogger(.repository)
  /// For state that screens share; writes to standard error.
  public static let store = AppLogger(.store)
  /// For screens; writes to standard error.
  public static let view = AppLogger(.view)
  /// For the exchange with other devices; writes to standard error.
  public static let sync = AppLogger(.sync)

  /// The part of the app that the entries come from.
  public let category: LogCategory
  private let sink: LogSink
  private let uptime: @Sendable () -> Duration

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - category: the part of the app that the entries come from.
  ///   - sink: where entries go.
  ///   - uptime: the time since some fixed moment, which durations are measured by.
  public init(
    _ category: LogCategory, to sink: LogSink = .standardError(),
    uptime: @escaping @Sendable () -> Duration = Self.monotonicTime
  ) {
    self.category = category
    self.sink = sink
    self.uptime = uptime
  }

  /// A logger of another part of the app, whose entries go to the same place.
  package func of(_ category: LogCategory) -> AppLogger {
    AppLogger(category, to: sink, uptime: uptime)
  }

  /// The time since the program first asked.
  public static let monotonicTime: @Sendable () -> Duration = {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }()

  // MARK: - Operations

  /// An operation that was started and has not ended.
  public struct Operation: Sendable {
    /// What is done, in a word or two.
    public let name: StaticString
    let start: Duration
  }

  /// Logs that an operation starts.
  public func startOperation(_ name: StaticString, _ fields: LogField...) -> Operation {
    log(.debug, name, "started", fields)
    return Operation(name: name, start: uptime())
  }

  /// Logs that an operation did what it was to do, and how long it took.
  public func completeOperation(_ operation: Operation, _ fields: LogField...) {
    log(.info, operation.name, "completed", fields, duration: uptime() - operation.start)
  }

  /// Logs that an operation failed, by the error's type and code, and how long it took.
  public func failOperation(_ operation: Operation, error: any Error) {
    log(
      .error, operation.name, "failed", [.kind(of: error)], duration: uptime() - operation.start)
  }

  /// Logs that nobody waits for an operation any more, which is no failure, and how long it took.
  public func cancelOperation(_ operation: Operation) {
    log(.debug, operation.name, "cancelled", [], duration: uptime() - operation.start)
  }

  // MARK: - Messages

  /// Logs what is of use while developing.
  public func debug(_ message: StaticString, _ fields: LogField...) {
    sink.write(LogEntry(.debug, category, message, fields))
  }

  /// Logs what was dealt with but should not happen.
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
