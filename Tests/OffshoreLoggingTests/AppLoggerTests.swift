import Foundation
import Synchronization
import Testing

@testable import OffshoreLogging

/// An error with a code, whose texts must not be logged.
private struct Refusal: LoggableError, CustomStringConvertible {
  let logCode = "refused"
  let description = "Ada's boat is not there"
}

private struct Plain: Error {
  let name = "Ada"
}

struct AppLoggerTests {
  private let entries = Entries()

  /// Collects entries.
  private final class Entries: Sendable {
    private let list = Mutex<[LogEntry]>([])
    var all: [LogEntry] { list.withLock { $0 } }
    var lines: [String] { all.map(\.description) }
    var sink: LogSink { LogSink { [self] entry in list.withLock { $0.append(entry) } } }
  }

  /// A time that advances by 1.25 ms with each call.
  private final class Ticks: Sendable {
    private let count = Mutex(0)
    func next() -> Duration {
      count.withLock { count in
        count += 1
        return .microseconds(1250 * count)
      }
    }
  }

  private func logger(_ category: LogCategory = .repository) -> AppLogger {
    let ticks = Ticks()
    return AppLogger(category, to: entries.sink, uptime: { ticks.next() })
  }

  @Test func `An operation's start and its completion with the duration are logged`() {
    let log = logger()
    let operation = log.startOperation("saveItemState")
    log.completeOperation(operation, .count("rows", 3))
    #expect(
      entries.lines == [
        "debug repository saveItemState started",
        "info repository saveItemState completed in 1.25 ms rows=3",
      ])
    #expect(entries.all.last?.duration == .microseconds(1250))
  }

  @Test func `A cancelled operation is not a failure`() {
    let log = logger()
    log.cancelOperation(log.startOperation("fetchCharters"))
    #expect(entries.lines[1] == "debug repository fetchCharters cancelled in 1.25 ms")
  }

  @Test func `A failure is logged by the error's type and code, never by its texts`() {
    let log = logger(.store)
    log.failOperation(log.startOperation("load"), error: Refusal())
    log.failOperation(log.startOperation("load"), error: Plain())
    #expect(entries.lines[1] == "error store load failed in 1.25 ms error=Refusal.refused")
    #expect(entries.lines[3] == "error store load failed in 1.25 ms error=Plain")
    #expect(entries.lines.allSatisfy { !$0.contains("Ada") })
  }

  @Test func `Messages carry their level, category, and fields`() {
    let id = UUID()
    logger(.sync).debug("connected", .code("mode", "stream"))
    logger(.view).warning("row left out", .count("rows", 1), .count("of", 20))
    logger(.view).warning("row left out", .id("row", id), .id("user", nil))
    #expect(
      entries.lines == [
        "debug sync connected mode=stream", "warning view row left out rows=1 of=20",
        "warning view row left out row=\(id.uuidString) user=none",
      ])
  }

  @Test(arguments: [
    (Duration.zero, "0.00"), (.microseconds(9), "0.00"), (.microseconds(50), "0.05"),
    (.milliseconds(999), "999.00"), (.seconds(61), "61000.00"),
  ]) func `Durations are in milliseconds with two digits`(_ duration: Duration, _ text: String) {
    let entry = LogEntry(.info, .view, "render", [], duration: duration)
    #expect(entry.description == "info view render in \(text) ms")
  }

  @Test func `Levels are ordered from debug to error`() {
    #expect(LogEntry.Level.allCases.sorted() == [.debug, .info, .warning, .error])
    #expect(LogEntry.Level.warning < .error)
    #expect(!(LogEntry.Level.info < .info))
  }

  @Test func `Each part of an app has a logger of its category`() {
    let loggers: [AppLogger] = [.repository, .store, .view, .sync]
    #expect(loggers.map(\.category) + [.server] == LogCategory.allCases)
  }

  @Test func `The default clock advances`() {
    let first = AppLogger.monotonicTime()
    #expect(first >= .zero)
    #expect(AppLogger.monotonicTime() >= first)
  }
}
