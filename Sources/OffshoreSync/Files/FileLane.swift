import Offshore
import OffshoreWire

/// The lane by which a device sends and fetches files, beside its rows.
///
/// It works on one file at a time, part after part, and lets rows go first. The progress is stored: sent
/// parts by the server, fetched ones in the folder. So it resumes after an interruption of any kind.
actor FileLane {
  private let database: Database
  private let folder: BlobFolder
  private let replica: Replica
  private let transport: any FileTransport
  private let environment: SyncDriver.Environment
  /// Waits for the end of the requests of rows that are under way.
  private let rowsMoved: @Sendable () async -> Void
  private var size = PartSize()
  /// The number of failed requests in a row, and the time of the next one.
  private var failureCount: Int64 = 0
  private var heldUntil: Int64 = 0
  private var running: Task<Void, Never>?
  private var wakeups: AsyncStream<Void>.Continuation?
  private var timer: Task<Void, Never>?

  init(
    _ database: Database, _ folder: BlobFolder, _ replica: Replica,
    over transport: any FileTransport, _ environment: SyncDriver.Environment,
    after rowsMoved: @escaping @Sendable () async -> Void
  ) {
    self.database = database
    self.folder = folder
    self.replica = replica
    self.transport = transport
    self.environment = environment
    self.rowsMoved = rowsMoved
  }

  // MARK: - Control

  /// Starts to work with an access token, or goes on with another one.
  func start(token: String) async {
    await stop()
    (failureCount, heldUntil) = (0, 0)
    let (wakeups, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakeups = continuation
    running = Task { await run(token, wakeups) }
    continuation.yield()
  }

  /// Stops, and waits for the end of the request in progress, which is cancelled.
  func stop() async {
    let former = running
    running = nil
    wakeups?.finish()
    former?.cancel()
    await former?.value
    timer?.cancel()
    await timer?.value
  }

  /// Retries at once after failures of the network.
  func retry() async {
    guard running != nil else { return }
    (failureCount, heldUntil) = (0, 0)
    // A failed write is made up for by the delays.
    _ = try? await database.write { try FileQueue.retryAll($0) }
    wakeups?.yield()
  }

  // MARK: - Work

  private func run(_ token: String, _ wakeups: AsyncStream<Void>) async {
    let observer = Task { [database, weak self] in
      // An error of the database ends the observation until the next start.
      for try await _ in database.values({ try FileQueue.mark($0) }) { await self?.wake() }
    }
    defer { observer.cancel() }
    _ = try? await removeForgotten()
    for await _ in wakeups {
      let checked = await work(token)
      // What cannot be removed is looked at again later.
      try? await removeUnneeded()
      await setTimer(since: checked)
    }
  }

  private func wake() { wakeups?.yield() }

  /// Does the jobs that are due, one after the other.
  /// - Returns: the time at which the lane has looked for a job and did none: there was none, or it
  ///   waits after a failure.
  private func work(_ token: String) async -> Int64 {
    while true {
      let now = environment.now()
      guard !Task.isCancelled, now >= heldUntil else { return now }
      do {
        guard let job = try await database.read({ try FileQueue(reader: $0).next(at: now) }) else {
          return now
        }
        try await work(on: job, token)
      } catch {
        // The database may be readable and have room later.
        hold()
      }
    }
  }

  private func work(on job: FileQueue.Job, _ token: String) async throws {
    do {
      switch job {
      case .send(let hash, let scope): try await send(hash, to: scope, job, token)
      case .fetch(let hash): try await fetch(hash, job, token)
      }
      failureCount = 0
    } catch let failure as SyncEngine.Failure {
      // A link may be cut more often than a part takes.
      if failure.isOfSize || failure.isOfNetwork { size.halve() }
      hold(seconds: failure.retryAfter ?? 0)
    } catch {
      // The file cannot be read or written. Others may be.
      try await postpone(job)
    }
  }

  /// Waits before the next job, as a failure is not about one of them.
  /// - Parameter requested: the time that the server wants the device to wait.
  private func hold(seconds requested: Int64 = 0) {
    failureCount += 1
    let requested = min(max(requested, 0), 3_600) * 1_000
    heldUntil = environment.now() + max(Self.delay(failureCount, environment), requested)
  }

  private func send(
    _ hash: ContentHash, to scope: ScopeID, _ job: FileQueue.Job, _ token: String
  ) async throws {
    guard let length = try await folder.size(of: hash) else {
      // The app may add it after its row, or the row of another device was moved or copied.
      _ = try await database.write { try FileQueue.wantMissing(hash, $0) }
      return try await postpone(job)
    }
    // A request without content finds out whether the server has the file, or a part of it.
    var (offset, isAsking) = (0, length > size.bytes)
    while true {
      await rowsMoved()
      let end = isAsking ? offset : min(offset + size.bytes, length)
      let part = try await folder.read(offset..<end, of: hash)
      let start = environment.now()
      let answer = try await transport.send(
        part, at: offset, of: length, hash, to: scope, token: token)
      switch answer {
      case .stored: return try await complete(job)
      case .refused(let code): return try await refuse(job, because: code)
      case .received(let count):
        guard (0...length).contains(count), isAsking || count != offset else {
          return try await postpone(job)
        }
        record(part.count, since: start)
        (offset, isAsking) = (count, false)
      }
    }
  }

  private func fetch(_ hash: ContentHash, _ job: FileQueue.Job, _ token: String) async throws {
    if try await folder.size(of: hash) != nil {
      return try await complete(job)
    }
    var offset = try await folder.arrivedCount(of: hash)
    while true {
      await rowsMoved()
      let start = environment.now()
      let answer = try await transport.fetch(
        offset..<(offset + size.bytes), of: hash, token: token)
      guard case .part(let part, let length) = answer else { return try await postpone(job) }
      try await folder.append(part, at: offset, of: hash)
      offset += part.count
      record(part.count, since: start)
      if offset >= length {
        guard try await folder.finish(hash) else { return try await postpone(job) }
        return try await complete(job)
      }
      guard !part.isEmpty else { return try await postpone(job) }
    }
  }

  private func complete(_ job: FileQueue.Job) async throws {
    let now = environment.now()
    try await database.write { [replica] in try replica.complete(job, at: now, $0) }
  }

  /// Records that a part has passed.
  private func record(_ count: Int, since start: Int64) {
    size.adapt(count, took: environment.now() - start)
    failureCount = 0
  }

  // MARK: - Delays

  /// Postpones a job that has failed on this device.
  private func postpone(_ job: FileQueue.Job) async throws {
    let now = environment.now()
    try await database.write { [replica, environment] writer in
      let attempts = try FileQueue(reader: writer).attempts(of: job) + 1
      let due = now + Self.delay(attempts, environment)
      try replica.postpone(job, until: due, attempts, because: nil, writer)
    }
  }

  /// Postpones a job of which the server does not accept the file.
  /// - Parameter problem: the code of the reason.
  private func refuse(_ job: FileQueue.Job, because problem: String) async throws {
    let now = environment.now()
    try await database.write { [replica, environment] writer in
      try replica.refuse(job, at: now, because: problem, writer) { refusals in
        refusals.map { Self.delay($0, environment) } ?? Self.longestDelay
      }
    }
  }

  /// Returns the delay after a number of failures, in milliseconds.
  private static func delay(_ failures: Int64, _ environment: SyncDriver.Environment) -> Int64 {
    let delay = min(shortestDelay << min(max(failures - 1, 0), 16), longestDelay)
    return delay / 2 + Int64(environment.random() % UInt64(delay / 2))
  }

  private static let shortestDelay: Int64 = 1_000
  private static let longestDelay: Int64 = 600_000

  /// Wakes the lane when the next job is due, or when a file may not be needed any more.
  /// - Parameter checked: the time at which the lane has looked for a job.
  private func setTimer(since checked: Int64) async {
    timer?.cancel()
    let next: Int64?
    do {
      next = try await nextTime(since: checked)
    } catch {
      next = checked + Self.longestDelay
    }
    guard let time = next else { return }
    let pause = Duration.milliseconds(max(time - environment.now(), 0))
    timer = Task { [environment, weak self] in
      guard (try? await environment.sleep(pause)) != nil else { return }
      await self?.wake()
    }
  }

  /// Returns the time at which the lane works again if nothing wakes it before.
  ///
  /// NB: Jobs that are due later than `checked` are not missed, also if they have become due since. Those
  /// that were due then wait for a role.
  private func nextTime(since checked: Int64) async throws -> Int64? {
    let (job, unused) = try await database.read { reader in
      let queue = FileQueue(reader: reader)
      return (try queue.nextTime(after: checked), try queue.firstUnused())
    }
    let removal = unused.map { unused in
      let end = unused + FileQueue.grace
      // A file that something else still needs is looked at again later.
      return end > checked ? end : checked + Self.longestDelay
    }
    return [heldUntil > checked ? heldUntil : job, removal].compactMap(\.self).min()
  }

  // MARK: - Removal

  private func removeUnneeded() async throws {
    let now = environment.now()
    let hasUnused = try await database.read { reader in
      try SQL("SELECT EXISTS (SELECT 1 FROM _file WHERE \(FileEntry.isUnused))")
        .first(reader, as: Bool.self)
    }
    guard hasUnused == true else { return }
    // NB: A reference may have been removed since, at a time of which `now` is no measure.
    try await database.write { [environment] in
      try FileQueue.noteUnused(at: environment.now(), $0)
    }
    // The entries go last, so that a file is found again if the process ends meanwhile.
    let files = try await database.read { try FileQueue(reader: $0).unneeded(at: now) }
    guard !files.isEmpty else { return }
    for file in files {
      try await folder.remove(
        file.hash, ifUnchangedSince: file.isRevoked ? .max : now - FileQueue.grace)
    }
    try await database.write { try FileQueue.remove(files, $0) }
  }

  /// Deletes files that no row has referred to since a former start.
  private func removeForgotten() async throws {
    let files = try await folder.files(unchangedSince: environment.now() - FileQueue.grace)
    let known = try await database.read { reader in
      try Set(SQL("SELECT DISTINCT hash FROM _file").all(reader, as: String.self))
    }
    for hash in files where !known.contains(hash.description) { try await folder.remove(hash) }
  }
}
