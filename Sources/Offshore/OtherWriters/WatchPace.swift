/// When a thread that watches files looks at them. It has no clock and no thread.
///
/// An event of a commit may come before the commit can be seen: the log is written first, then it is
/// flushed to the disk, then the index says that there is more. So files are looked at again for a while
/// after an event, with growing delays, and then no more until the next event.
///
/// Commits in quick succession, which are most often those of this process, are events that all say the
/// same. They are left unread for a pause, which grows as long as they bring no news.
struct WatchPace {
  /// The end of a wait.
  struct Wait: Equatable {
    /// The longest duration, or `nil` for any.
    var atMost: Duration?
    /// Whether events do not end the wait.
    var ignoresEvents = false
  }

  /// How many times in a row there were events and no news.
  private var streak = 0
  /// How many delays have passed since the last events, or `nil` during a pause.
  private var delays: Int? = Self.delays.count

  /// Whether an event is the only thing to wait for.
  var isIdle: Bool { delays == Self.delays.count }

  /// The end of the wait that comes next.
  var next: Wait {
    guard let delays else {
      return Wait(atMost: .milliseconds(5 << min(streak, Self.longestStreak)), ignoresEvents: true)
    }
    return Wait(atMost: delays < Self.delays.count ? Self.delays[delays] : nil)
  }

  /// Records what the end of a wait brought.
  /// - Parameters:
  ///   - hasEvents: whether there were events.
  ///   - hasNews: whether a commit of another process was found.
  mutating func waited(hasEvents: Bool, hasNews: Bool) {
    if hasEvents {
      streak = hasNews || isIdle ? 0 : streak + 1
      delays = nil
    } else if let passed = delays {
      delays = min(passed + 1, Self.delays.count)
    } else {
      streak = 0
      delays = 0
    }
  }

  /// 5 ms, 10, 20 and then 40: commits that are seen once a pause is over come soon enough.
  private static let longestStreak = 3

  /// After a pause of 5 ms, files are looked at after 25 ms, 85, 205, 405, 805, and 1605: a disk may
  /// take that long to flush.
  private static let delays = [20, 60, 120, 200, 400, 800].map { Duration.milliseconds($0) }
}
