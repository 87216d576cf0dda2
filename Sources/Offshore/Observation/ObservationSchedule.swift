/// The schedule of all fetches, which decides which of them run after a commit. It has no threads
/// and does not fetch.
///
/// A fetch is queued, runs, and rests until a commit changes data that it has read. Commits that
/// arrive while it runs are stored, because its reads are known for certain only at its end.
struct ObservationSchedule {
  private enum Phase: Equatable {
    case queued
    /// Running on a snapshot that includes this commit at least.
    case running(since: UInt64)
    case resting
  }

  private struct Entry {
    var phase = Phase.queued
    var region = Region()
  }

  private var entries: [Int: Entry] = [:]
  private var byTable: [String: Set<Int>] = [:]
  private var byRow: [Region.RowReference: Set<Int>] = [:]
  private var byTableOfRow: [String: Set<Int>] = [:]
  /// The number of commits so far. It numbers the commits in the order of their arrival.
  private var lastCommit: UInt64 = 0
  private var running: Set<Int> = []
  /// The commits that a running fetch may have missed, with their numbers, oldest first.
  private var recent: [(number: UInt64, changes: ChangeSet)] = []

  /// The number of fetches.
  var count: Int { entries.count }

  /// The number of commits stored for running fetches.
  var recentCommitCount: Int { recent.count }

  /// Adds a fetch and queues it.
  mutating func add(_ id: Int) { entries[id] = Entry() }

  /// Removes a fetch.
  mutating func remove(_ id: Int) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    updateIndexes(id, entry.region) { $0.remove($1) }
    if case .running = entry.phase { runEnded(id) }
  }

  /// Marks a queued fetch as running.
  /// - Returns: Whether it was queued, so that it has to run.
  mutating func start(_ id: Int) -> Bool {
    guard entries[id]?.phase == .queued else { return false }
    entries[id]?.phase = .running(since: lastCommit)
    running.insert(id)
    return true
  }

  /// Marks a running fetch as ended.
  /// - Parameter region: The data that it has read, or `nil` if it has read nothing.
  /// - Returns: The reason why it was queued again, or `nil` if it rests.
  mutating func finish(_ id: Int, region: Region?) -> String? {
    guard let entry = entries[id], case .running(let since) = entry.phase else { return nil }
    let region = region ?? entry.region
    if entry.region != region {
      updateIndexes(id, entry.region) { $0.remove($1) }
      updateIndexes(id, region) { $0.insert($1) }
    }
    let cause = recent.lazy.filter { $0.number > since }
      .compactMap { region.cause(in: $0.changes) }.first
    entries[id] = Entry(phase: cause == nil ? .resting : .queued, region: region)
    runEnded(id)
    return cause
  }

  /// Queues a resting fetch.
  /// - Returns: Whether it was resting.
  mutating func queue(_ id: Int) -> Bool {
    guard entries[id]?.phase == .resting else { return false }
    entries[id]?.phase = .queued
    return true
  }

  /// Records a commit.
  /// - Returns: The fetches that were queued, each with the reason.
  mutating func committed(_ changes: ChangeSet) -> [(id: Int, cause: String)] {
    lastCommit += 1
    if !running.isEmpty { recent.append((lastCommit, changes)) }
    return candidates(changes).compactMap { id in
      guard let entry = entries[id], entry.phase == .resting,
        let cause = entry.region.cause(in: changes)
      else { return nil }
      entries[id]?.phase = .queued
      return (id, cause)
    }
  }

  private func candidates(_ changes: ChangeSet) -> Set<Int> {
    if changes.changesSchema || changes.unknown != nil { return Set(entries.keys) }
    var candidates: Set<Int> = []
    for (table, change) in changes.tables {
      candidates.formUnion(byTable[table] ?? [])
      guard let rowIDs = change.rowIDs, !change.movesRows else {
        candidates.formUnion(byTableOfRow[table] ?? [])
        continue
      }
      for rowID in rowIDs {
        candidates.formUnion(byRow[Region.RowReference(table: table, rowID: rowID)] ?? [])
      }
    }
    return candidates
  }

  /// Ends a run, and removes the commits that no other running fetch can have missed.
  private mutating func runEnded(_ id: Int) {
    running.remove(id)
    let oldest = running.compactMap { since(of: $0) }.min()
    guard let oldest else { return recent.removeAll() }
    recent.removeFirst(recent.prefix { $0.number <= oldest }.count)
  }

  private func since(of id: Int) -> UInt64? {
    guard case .running(let since) = entries[id]?.phase else { return nil }
    return since
  }

  // MARK: - Indexes

  private mutating func updateIndexes(
    _ id: Int, _ region: Region, _ update: (inout Set<Int>, Int) -> Void
  ) {
    for table in region.columns.keys { change(&byTable, table, id, update) }
    for row in region.rows.keys {
      change(&byRow, row, id, update)
      change(&byTableOfRow, row.table, id, update)
    }
  }

  private func change<Key>(
    _ index: inout [Key: Set<Int>], _ key: Key, _ id: Int, _ update: (inout Set<Int>, Int) -> Void
  ) {
    update(&index[key, default: []], id)
    if index[key]?.isEmpty == true { index[key] = nil }
  }
}
