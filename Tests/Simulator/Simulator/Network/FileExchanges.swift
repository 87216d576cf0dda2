import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// The files that devices send, fetch and delete: the product's queue of files, over a network and
/// folders that are simulated.
struct FileExchanges {
  let schedule: Schedule

  // MARK: - Jobs

  /// Does the next job of a device.
  /// - Returns: whether the job was completed, `nil` if there was none.
  @discardableResult
  func work(_ device: SimulatedDevice) throws -> Bool? {
    let now = device.clock(at: schedule.now)
    if schedule.breach == .earlyFiles {
      try device.connection.write { _ = try SQL("UPDATE _file SET accepted = 1").run($0) }
    }
    guard !schedule.network.cutOff.contains(device.place),
      let job = try device.connection.read({ try FileQueue(reader: $0).next(at: now) })
    else { return nil }
    let isDone =
      switch job {
      case .send(let hash, let scope): try send(hash, to: scope, device)
      case .fetch(let hash): try fetch(hash, device)
      }
    schedule.trace.add("  \(device.name) \(isDone ? "completes" : "postpones") \(job.spelled)")
    try device.connection.write { writer in
      if isDone { return try FileQueue.complete(job, at: now, writer) }
      let attempts = try FileQueue(reader: writer).attempts(of: job) + 1
      try FileQueue.postpone(job, until: now + Self.delay, attempts, because: nil, writer)
    }
    return isDone
  }

  /// The time until a job that has failed is done again, in milliseconds.
  static let delay: Int64 = 60_000

  private func send(
    _ hash: ContentHash, to scope: ScopeID, _ device: SimulatedDevice
  ) throws -> Bool {
    guard let content = device.folder.contents[hash] else {
      try device.connection.write { try FileQueue.wantMissing(hash, $0) }
      return false
    }
    if schedule.breach == .unsentFiles { return true }
    if isLost() { return false }
    let (isStored, violation) = schedule.server.upload(
      content, as: hash, to: scope, of: device.account, at: schedule.now + schedule.serverSkew)
    if let violation { throw violation }
    schedule.count(isStored ? "outcome.fileSent" : "outcome.fileRefused")
    return isStored && !isLost()
  }

  private func fetch(_ hash: ContentHash, _ device: SimulatedDevice) throws -> Bool {
    if device.folder.contents[hash] != nil { return true }
    if isLost() { return false }
    guard let content = try answer(to: device, hash), !isLost() else { return false }
    schedule.count("outcome.fileFetched")
    device.folder.add(content, at: device.clock(at: schedule.now))
    return true
  }

  private func answer(to device: SimulatedDevice, _ hash: ContentHash) throws -> [UInt8]? {
    let (content, violation) = try schedule.server.file(
      hash, for: device.account, schedule.breach)
    if let violation { throw violation }
    return content
  }

  private func isLost() -> Bool {
    guard !schedule.isCalm, schedule.random.chance(schedule.profile.loss) else { return false }
    schedule.count("fault.lostFile")
    return true
  }

  /// Requests a random file for each account, also for deleted ones. Each may know it from elsewhere.
  func pry() throws {
    let known = schedule.server.files.contents.keys.sorted { $0.description < $1.description }
    guard !known.isEmpty else { return }
    let hash = schedule.random.pick(known)
    for account in schedule.knownAccounts {
      let (content, violation) = try schedule.server.file(hash, for: account, schedule.breach)
      if let violation { throw violation }
      if content == nil { schedule.count("outcome.fileDenied") }
      let verb = content == nil ? "cannot read" : "reads"
      schedule.trace.add("  \(account) \(verb) \(hash.spelled)")
    }
  }

  // MARK: - Deletion

  /// Deletes the files that a device does not need any more, as the product's lane does.
  func tidy(_ device: SimulatedDevice) throws {
    let (now, checks) = (device.clock(at: schedule.now), FileChecks(schedule: schedule))
    let before = device.folder.hashes
    let needed = try checks.needed(on: device)
    try device.connection.write { try FileQueue.noteUnused(at: now, $0) }
    let files = try device.connection.read { try FileQueue(reader: $0).unneeded(at: now) }
    if schedule.breach != .keptFiles {
      for file in files {
        device.folder.remove(
          file.hash, ifUnchangedSince: file.isRevoked ? .max : now - FileQueue.grace)
      }
      try device.connection.write { try FileQueue.remove(files, $0) }
      try removeForgotten(device, at: now)
    }
    if schedule.breach == .removedFiles { device.folder = DeviceFolder() }
    let count = before.subtracting(device.folder.hashes).count
    if count > 0 {
      schedule.counters.add("outcome.fileDeleted", count)
      schedule.trace.add("  \(device.name) deletes \(count) files")
    }
    try checks.checkKept(needed.intersection(before), on: device)
  }

  private func removeForgotten(_ device: SimulatedDevice, at now: Int64) throws {
    let known = Set(try device.texts("SELECT DISTINCT hash FROM _file"))
    for hash in device.folder.files(unchangedSince: now - FileQueue.grace)
    where !known.contains(hash.description) { device.folder.remove(hash) }
  }

  // MARK: - The end

  /// Sends and fetches all files, and lets so much time pass that no file remains without a row.
  func finish() throws {
    let checks = FileChecks(schedule: schedule)
    // Delays that began while a clock was ahead have ended then, too.
    schedule.now += 3 * Self.day
    try exchangeAll()
    try checks.checkStored()
    try checks.checkArrived()
    for device in schedule.devices { try tidy(device) }
    schedule.now += schedule.server.fileLifetime + 3 * Self.day
    for device in schedule.devices { try tidy(device) }
    let violations = schedule.server.removeFiles(
      at: schedule.now + schedule.serverSkew, schedule.breach)
    if let violation = violations.first { throw violation }
    try checks.checkStored()
    try checks.checkOrphans()
  }

  private static let day: Int64 = 86_400_000

  private func exchangeAll() throws {
    for _ in 0..<Schedule.roundLimit {
      schedule.now += Self.delay
      var isQuiet = true
      for device in schedule.devices {
        while let isDone = try work(device) { isQuiet = isQuiet && !isDone }
      }
      if isQuiet { return }
    }
    throw Violation(.settles, "Files are sent in each of \(Schedule.roundLimit) rounds.")
  }
}

extension FileQueue.Job {
  /// The job in readable form, for a trace.
  fileprivate var spelled: String {
    switch self {
    case .send(let hash, let scope): "sending \(hash.spelled) to \(scope)"
    case .fetch(let hash): "fetching \(hash.spelled)"
    }
  }
}
