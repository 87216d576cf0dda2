import Dispatch
import Synchronization

/// A watcher of the files of all databases in the process. Its thread sleeps until an event.
///
/// The thread and its file descriptors exist while a file is watched.
final class FileWatcher: Sendable {
  /// The watcher of the process.
  static let shared = FileWatcher()

  private struct State {
    var loop: WatchLoop?
    var watches: [ObjectIdentifier: [Int32]] = [:]
  }

  private let state = Mutex(State())
  /// The group that each thread belongs to until it has released its resources.
  let threads = DispatchGroup()

  /// The loop of the thread, if it is running.
  var loop: WatchLoop? { state.withLock { $0.loop } }

  /// Watches a file.
  /// - Throws: ``DatabaseError`` if the system has no more watches.
  func add(_ file: SharedFile) throws(DatabaseError) {
    try state.withLock { state throws(DatabaseError) in
      let loop = if let loop = state.loop { loop } else { try WatchLoop() }
      do throws(DatabaseError) {
        state.watches[ObjectIdentifier(file)] = try loop.add(file)
      } catch {
        if state.loop == nil { loop.end() }
        throw error
      }
      if state.loop == nil { loop.start(in: threads) }
      state.loop = loop
    }
    // Changes from before the watch cause no event.
    file.checkPaths()
    file.check()
  }

  /// Ends the watch of a file, and the thread after the last one.
  func remove(_ file: SharedFile) {
    state.withLock { state in
      guard let watches = state.watches.removeValue(forKey: ObjectIdentifier(file)) else { return }
      let loop = state.loop
      if state.watches.isEmpty {
        loop?.stop()
        state.loop = nil
      }
      // The end of a watch is an event, which wakes the thread so that it ends.
      loop?.remove(file, watches)
    }
  }
}

/// The times at which a thread checks its watched files. It has no clock and no thread.
///
/// An event of a commit may arrive before the commit is visible: first the log is written, then it
/// is flushed to the disk, then the index shows the commit. So files are checked again for a while
/// after an event, with growing delays, and then not before the next event.
///
/// Commits in quick succession, which are mostly those of this process, cause many equal events.
/// These stay unread for a pause, which grows as long as they do not lead to a commit of another
/// process.
struct WatchPace {
  /// The conditions that end a wait.
  struct Wait: Equatable {
    /// The longest duration, or `nil` for no limit.
    var atMost: Duration?
    /// Whether events do not end the wait.
    var ignoresEvents = false
  }

  /// The number of consecutive waits with events but without a commit of another process.
  private var streak = 0
  /// The number of delays since the last events, or `nil` during a pause.
  private var delays: Int? = Self.delays.count

  /// Whether only an event ends the wait.
  var isIdle: Bool { delays == Self.delays.count }

  /// The next wait.
  var next: Wait {
    guard let delays else {
      return Wait(atMost: .milliseconds(5 << min(streak, Self.longestStreak)), ignoresEvents: true)
    }
    return Wait(atMost: delays < Self.delays.count ? Self.delays[delays] : nil)
  }

  /// Records the result of a wait.
  /// - Parameters:
  ///   - hasEvents: Whether there were events.
  ///   - hasForeignCommits: Whether a commit of another process was found.
  mutating func waited(hasEvents: Bool, hasForeignCommits: Bool) {
    if hasEvents {
      streak = hasForeignCommits || isIdle ? 0 : streak + 1
      delays = nil
    } else if let passed = delays {
      delays = min(passed + 1, Self.delays.count)
    } else {
      streak = 0
      delays = 0
    }
  }

  /// The pauses are 5 ms, 10, 20 and then 40: commits that become visible after a pause are early
  /// enough.
  private static let longestStreak = 3

  /// After a pause of 5 ms, files are checked after 25 ms, 85, 205, 405, 805, and 1605, because a
  /// disk may need that long to flush.
  private static let delays = [20, 60, 120, 200, 400, 800].map { Duration.milliseconds($0) }
}
