import OffshoreWire

/// The number of occurrences of each fault and each outcome.
public struct Counters: Sendable, Equatable {
  private(set) var counts: [String: Int] = [:]

  /// Creates empty counters.
  public init() {}

  /// The number of occurrences of a fault or an outcome.
  public subscript(name: String) -> Int { counts[name] ?? 0 }

  mutating func add(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  /// Adds the counters of another schedule.
  public mutating func add(_ other: Counters) { counts.merge(other.counts) { $0 + $1 } }

  /// Counts the outcomes of an answer.
  mutating func note(_ response: PushResponse) {
    for result in response.results {
      if result.isRepeated { add("outcome.repeated") }
      switch result.outcome {
      case .applied: add("outcome.applied")
      case .rejected(let rejection, _): add("outcome.rejected.\(rejection.code)")
      case .forked: add("outcome.forked")
      case .gap: add("outcome.gap")
      }
    }
  }

  /// Counts the outcomes of an answer.
  mutating func note(_ response: PullResponse) {
    for answer in response.scopes {
      switch answer.content {
      case .page(let page):
        if page.isFull { add("outcome.fullPage") }
        for batch in page.batches {
          add(batch.isApplied ? "outcome.toldApplied" : "outcome.toldRefused")
        }
        if case .snapshot = page.next { add("outcome.snapshot") }
      case .resync: add("outcome.resync")
      case .notGranted: add("outcome.notGranted")
      }
    }
  }

  /// Each name with its count, sorted.
  public var lines: [String] {
    counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }
}

/// The names of the faults and outcomes that schedules count.
public enum Met {
  /// The faults and outcomes that occur in every long enough run of schedules.
  public static let all: [String] = [
    "fault.lostRequest", "fault.lostAnswer", "fault.duplicate", "fault.reordered",
    "fault.late", "fault.cutOff", "fault.truncated", "fault.restart", "fault.crash",
    "fault.fullDisk", "fault.clock", "fault.serverClock", "fault.revoked", "fault.viewer",
    "fault.left", "fault.granted",
    "fault.collect", "fault.restore", "fault.copy", "fault.upgrade", "fault.serverUpgrade",
    "fault.skippedVersion",
    "outcome.applied", "outcome.rejected.gone", "outcome.rejected.forbidden",
    "outcome.rejected.dependency", "outcome.forked", "outcome.repeated",
    "outcome.resync", "outcome.notGranted", "outcome.fullPage", "outcome.snapshot",
    "outcome.toldApplied", "outcome.toldRefused", "outcome.conflict", "outcome.cancelled",
    "outcome.forbidden", "outcome.command", "outcome.commandCancelled",
    "outcome.bytes", "outcome.move", "outcome.arriving",
    "fault.lostFile", "outcome.fileSent", "outcome.fileFetched", "outcome.fileDenied",
    "outcome.fileDeleted", "fault.erase", "fault.deleteAccount",
    "outcome.retried", "outcome.discarded", "outcome.recalled",
    "outcome.retriedOther", "outcome.discardedOther", "outcome.recalledOther",
  ]

  /// The actions and disturbances in every long enough run of timed schedules.
  public static let timed: [String] = [
    "time.owner", "time.editor", "time.viewer", "time.revoked", "time.left", "time.ended",
    "time.cut", "time.lost", "time.offline", "time.relaunch", "time.restart",
  ]
}
