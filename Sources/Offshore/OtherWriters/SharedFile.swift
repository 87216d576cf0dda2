import Synchronization

/// A file that databases of this process have open, and that other processes may change.
///
/// Each file has one instance, shared by all databases and paths that lead to it. All of its
/// databases receive each commit. A commit of this process comes with its changes; one of another
/// process counts as a change of anything.
final class SharedFile: Sendable {
  /// A database that has the file open.
  private struct Member {
    let counter: CommitCounter?
    let receive: @Sendable (ChangeSet) -> Void
  }

  private struct State {
    var members: [Int: Member] = [:]
    var nextMember = 0
    var ledger: CommitLedger
    var publishedCount: UInt64 = 0
    var watcher: FileWatcher?
    var watchError: DatabaseError?

    /// The counter, by the connection of any member.
    var counter: CommitCounter? { members.values.lazy.compactMap(\.counter).first }
  }

  /// The files on the disk.
  let files: DatabaseFiles
  private let state: Mutex<State>
  private let isRemoved = Atomic(false)
  /// Whether each use checks for other commits and for the file's presence, because no watch does.
  private let isCheckedOnUse = Atomic(false)

  private init(_ files: DatabaseFiles, commits: UInt32) {
    self.files = files
    state = Mutex(State(ledger: CommitLedger(seen: commits)))
  }

  // MARK: - Members

  private static let open = Mutex<[FileIdentity: SharedFile]>([:])

  /// Checks that a path can be opened safely together with the databases that this process has
  /// open.
  ///
  /// - Throws: ``DatabaseError``: `cannotOpen` if the file is open by another name, because each
  ///   name would get its own log; `fileRemoved` if an open file had the path before, because
  ///   SQLite would use its log for the new file (<https://sqlite.org/howtocorrupt.html>).
  static func check(_ path: String) throws {
    let (identity, name) = (FileIdentity(path), path.withoutLinks)
    let (sameFile, samePath) = open.withLock { open in
      (identity.flatMap { open[$0] }, open.values.first { $0.files.name == name })
    }
    if let samePath, samePath.files.identity != identity { throw DatabaseError.fileRemoved }
    guard let sameFile, sameFile !== samePath else { return }
    throw DatabaseError(
      .cannotOpen,
      "The file is open by another name, “\(sameFile.files.name)”, and each name would get a log of "
        + "its own. Open it by that name.")
  }

  /// Makes a database a member of its file.
  ///
  /// - Parameters:
  ///   - connection: The database's writing connection.
  ///   - watcher: The watcher for commits of other processes, or `nil` if there cannot be any.
  ///   - receive: Called with each commit to the file, on any thread.
  /// - Throws: ``DatabaseError``.
  static func join(
    _ connection: Connection, watcher: FileWatcher?,
    receive: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> SharedFile {
    let counter = try CommitCounter(connection)
    let files = try DatabaseFiles(of: connection)
    let (file, member) = open.withLock { open in
      let file = open[files.identity] ?? SharedFile(files, commits: counter?.value ?? 0)
      open[files.identity] = file
      return (file, file.add(Member(counter: counter, receive: receive)))
    }
    connection.access = FileWriter(file, member, checksPath: watcher != nil)
    try file.requireNotRemoved()
    if let watcher { file.watch(watcher) }
    return file
  }

  private func add(_ member: Member) -> Int {
    state.withLock { state in
      defer { state.nextMember += 1 }
      state.members[state.nextMember] = member
      return state.nextMember
    }
  }

  /// Ends a membership before its connection closes.
  func leave(_ member: Int) {
    // Released without a lock, because it may be the last reference to anything.
    let left = Self.open.withLock { open in
      let (left, watcher) = state.withLock { state in
        let left = state.members.removeValue(forKey: member)
        return (left, state.members.isEmpty ? state.watcher.take() : nil)
      }
      watcher?.remove(self)
      let isLast = state.withLock { $0.members.isEmpty }
      if isLast, open[files.identity] === self { open[files.identity] = nil }
      return left
    }
    withExtendedLifetime(left) {}
  }

  /// Starts the watch, if the file is not watched yet.
  private func watch(_ watcher: FileWatcher) {
    let isNew = state.withLock { state in
      defer { state.watcher = state.watcher ?? watcher }
      return state.watcher == nil
    }
    guard isNew else { return }
    do {
      try watcher.add(self)
      state.withLock { $0.watchError = $0.counter == nil ? .unknownIndex : nil }
    } catch {
      isCheckedOnUse.store(true, ordering: .relaxed)
      state.withLock { $0.watchError = error }
    }
  }

  /// The error due to which commits of other processes are not noticed at once; `nil` if they are.
  var watchError: DatabaseError? { state.withLock { $0.watchError } }

  // MARK: - Commits

  /// Passes a commit of this process to all members.
  func publish(_ changes: ChangeSet) {
    let (number, members) = state.withLock { state in
      state.publishedCount += 1
      return (state.publishedCount, Array(state.members.values))
    }
    let numbered = changes.numbered(number)
    for member in members { member.receive(numbered) }
  }

  /// Checks for commits of other processes, and passes them to all members.
  /// - Returns: Whether there were any.
  @discardableResult
  func check() -> Bool {
    account { _ in }
  }

  /// Accounts for the commits so far, in a transaction that has acquired the write lock.
  /// - Returns: The number that its commit will have.
  func nextCommit() -> UInt32 {
    check()
    return state.withLock { ($0.counter?.value ?? 0) &+ 1 }
  }

  /// Records that a commit with this number is about to be made.
  func expectCommit(_ number: UInt32) { state.withLock { $0.ledger.expect(number) } }

  /// Records whether the commit has written anything.
  func settleCommit(_ number: UInt32, isWritten: Bool) {
    account { $0.settle(number, isWritten: isWritten) }
  }

  /// Changes the ledger, and accounts for the commits so far.
  /// - Returns: Whether one of them was made by another process.
  @discardableResult
  private func account(_ change: (inout CommitLedger) -> Void) -> Bool {
    let isForeign = state.withLock { state in
      change(&state.ledger)
      guard let counter = state.counter else { return false }
      return state.ledger.advance(to: counter.value)
    }
    if isForeign { publish(ChangeSet(everythingBecause: "rows in another process")) }
    return isForeign
  }

  // MARK: - The file

  /// Checks whether the paths lead to the open files. If not, reads and writes fail from then on.
  func checkPaths() {
    guard !files.areAllInPlace else { return }
    markRemoved()
  }

  /// Checks that a commit went to the file at the path.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved` if it did not.
  func requireSamePath() throws {
    if !files.isInPlace { markRemoved() }
    try requireNotRemoved()
  }

  /// Throws an error if the file is known to be deleted, moved or replaced.
  /// - Throws: ``DatabaseError`` with the code `fileRemoved`.
  func requireNotRemoved() throws {
    guard isRemoved.load(ordering: .acquiring) else { return }
    throw DatabaseError.fileRemoved
  }

  private func markRemoved() {
    guard !isRemoved.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Observations fetch again, which fails.
    publish(ChangeSet(everythingBecause: "the place of the file"))
  }
}

extension SharedFile: FileAccess {
  func willBegin() throws {
    if isCheckedOnUse.load(ordering: .relaxed) {
      check()
      checkPaths()
    }
    try requireNotRemoved()
  }

  // A reading connection makes no commits, and is not a member.
  func didBeginWriting() {}
  func willCommit(_ connection: Connection) {}
  func didCommit(_ connection: Connection, isCommitted: Bool) {}
  func willClose() {}

  /// Opens a connection that reads the file.
  /// - Throws: ``DatabaseError``, with the code `fileRemoved` if the file is missing or was
  ///   replaced.
  func openReader(_ configuration: DatabaseConfiguration) throws -> Connection {
    checkPaths()
    try requireNotRemoved()
    let connection = try Connection(files.path, configuration, creates: false)
    connection.access = self
    checkPaths()
    try requireNotRemoved()
    return connection
  }
}

extension DatabaseError {
  /// The error of a build of SQLite with an unknown index format.
  fileprivate static let unknownIndex = DatabaseError(
    .other,
    "This build of SQLite counts commits in an unknown way, so those of other processes are not "
      + "noticed. Use another build.")
}
