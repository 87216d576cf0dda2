import Dispatch
import OffshoreFileAccess
import Synchronization

/// The thread of a ``FileWatcher``, which waits for events and checks the files that they concern.
final class WatchLoop: Sendable {
  private struct State {
    var files: [Int32: [SharedFile]] = [:]
    var isStopped = false
  }

  private let events: FileEvents
  private let state = Mutex(State())
  private let wakeUps = Atomic(0)
  private let idle = Atomic(true)

  /// Creates a loop without files.
  /// - Throws: ``DatabaseError`` if the system has no more watches.
  init() throws(DatabaseError) {
    do throws(FileEvents.Failure) {
      events = try FileEvents()
    } catch {
      throw .noWatch(error)
    }
  }

  /// The number of times that the thread has woken up.
  var wakeUpCount: Int { wakeUps.load(ordering: .acquiring) }

  /// Whether the thread waits for nothing but the next event.
  var isIdle: Bool { idle.load(ordering: .acquiring) }

  /// Watches a file.
  /// - Returns: The numbers of its watches. Other files in the folder share the folder's watch.
  /// - Throws: ``DatabaseError`` if the system has no more watches.
  func add(_ file: SharedFile) throws(DatabaseError) -> [Int32] {
    try state.withLock { state throws(DatabaseError) in
      let watches = try events.watch(file.files)
      for watch in watches { state.files[watch, default: []].append(file) }
      return watches
    }
  }

  /// Ends the watches of a file.
  func remove(_ file: SharedFile, _ watches: [Int32]) {
    state.withLock { state in
      for watch in watches {
        state.files[watch]?.removeAll { $0 === file }
        guard state.files[watch]?.isEmpty == true else { continue }
        state.files[watch] = nil
        events.remove(watch)
      }
    }
  }

  /// Starts the thread.
  func start(in threads: DispatchGroup) {
    DatabaseThread.start("offshore.watch", in: threads) { [self] in
      run()
      end()
    }
  }

  /// Ends the thread at the next event or the end of its pause.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Releases all watches, at the end of the thread or if it was never started.
  func end() { events.end() }

  // MARK: - On the thread

  private func run() {
    var pace = WatchPace()
    var written: [ObjectIdentifier: SharedFile] = [:]
    while true {
      idle.store(pace.isIdle, ordering: .releasing)
      events.wait(
        atMost: pace.next.atMost?.wholeMilliseconds, ignoresEvents: pace.next.ignoresEvents)
      wakeUps.add(1, ordering: .acquiringAndReleasing)
      guard let (new, misplaced) = changedFiles() else { return }
      for file in misplaced { file.checkPaths() }
      for file in new { written[ObjectIdentifier(file)] = file }
      let hasForeignCommits = written.values.reduce(false) { $1.check() || $0 }
      pace.waited(hasEvents: !new.isEmpty, hasForeignCommits: hasForeignCommits)
      if pace.isIdle { written.removeAll() }
    }
  }

  /// Reads the events and returns their files: the written ones, and those that may be deleted or
  /// moved.
  /// - Returns: `nil` if the thread has to end.
  private func changedFiles() -> (written: [SharedFile], misplaced: [SharedFile])? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      var (written, misplaced): ([SharedFile], [SharedFile]) = ([], [])
      for event in events.read() {
        let files = event.watch.map { state.files[$0] ?? [] } ?? state.files.values.flatMap(\.self)
        if event.isWrite { written += files }
        if event.concernsPath { misplaced += files }
      }
      return (written, misplaced)
    }
  }
}
