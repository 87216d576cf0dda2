import Foundation
import OffshoreFileAccess
import Synchronization

/// A watcher of folders, whose thread sleeps until another process changes a file in one of them.
///
/// The thread and its file descriptors exist while a folder is watched.
final class FolderWatcher: Sendable {
  /// The watcher of the process.
  static let shared = FolderWatcher()

  typealias Receive = @Sendable (String?) -> Void

  /// The thread that waits for events, and the closures that receive them.
  private struct Loop: Sendable {
    let events: FileEvents
    /// The closures of each watch of the system, by their own numbers.
    var receivers: [Int32: [Int: Receive]] = [:]
  }

  /// A watch, which ends when it is released.
  private final class Watch: Sendable {
    private let watcher: FolderWatcher
    private let number: Int

    init(_ watcher: FolderWatcher, _ number: Int) {
      (self.watcher, self.number) = (watcher, number)
    }

    deinit { watcher.remove(number) }
  }

  private struct State {
    var loop: Loop?
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Whether the thread exists.
  var isRunning: Bool { state.withLock { $0.loop != nil } }

  /// Watches a folder. The closure is called on the thread, with the name of the changed file, or
  /// `nil` if any may have changed, or if the folder itself has.
  /// - Throws: `FileEvents.Failure` if the system refuses the watch.
  func watch(
    _ folder: String, for changes: FileEvents.Changes, _ receive: @escaping Receive
  ) throws(FileEvents.Failure) -> any Sendable {
    let number = try state.withLock { state throws(FileEvents.Failure) in
      let isNew = state.loop == nil
      var loop = if let loop = state.loop { loop } else { Loop(events: try FileEvents()) }
      let watch: Int32
      do throws(FileEvents.Failure) {
        watch = try loop.events.watch(folder, for: changes)
      } catch {
        if isNew { loop.events.end() }
        throw error
      }
      state.nextNumber += 1
      loop.receivers[watch, default: [:]][state.nextNumber] = receive
      state.loop = loop
      if isNew { start(loop.events) }
      return state.nextNumber
    }
    return Watch(self, number)
  }

  private func remove(_ number: Int) {
    // Released without the lock, because a closure may have the last reference to anything.
    let removed = state.withLock { state -> Receive? in
      guard let watch = state.loop?.receivers.first(where: { $0.value[number] != nil })?.key else {
        return nil
      }
      let removed = state.loop?.receivers[watch]?.removeValue(forKey: number)
      guard state.loop?.receivers[watch]?.isEmpty == true else { return removed }
      state.loop?.receivers[watch] = nil
      state.loop?.events.remove(watch)
      if let loop = state.loop, loop.receivers.isEmpty {
        // The end of a watch is an event, which wakes the thread so that it ends. That of a deleted
        // folder has ended already.
        if let last = try? loop.events.watch("/", for: .folderPlace) { loop.events.remove(last) }
        state.loop = nil
      }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: - On the thread

  private func start(_ events: FileEvents) {
    let thread = Thread { [self] in
      Thread.current.name = "offshore.files"
      repeat { events.wait(atMost: nil) } while dispatch(events)
      events.end()
    }
    thread.start()
  }

  /// Passes on the events so far.
  /// - Returns: Whether the thread has to wait for more.
  private func dispatch(_ events: FileEvents) -> Bool {
    let found = events.read()
    let receivers = state.withLock { state in
      state.loop.flatMap { $0.events === events ? $0.receivers : nil }
    }
    guard let receivers else { return false }
    for event in found where event.name?.hasPrefix(FolderJournal.prefix) != true {
      let concerned = event.watch.map { receivers[$0] ?? [:] }
      for receive in concerned?.values.map(\.self) ?? receivers.values.flatMap(\.values) {
        receive(event.name)
      }
    }
    return true
  }
}
