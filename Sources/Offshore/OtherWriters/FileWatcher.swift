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
    file.confirmPresence()
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
