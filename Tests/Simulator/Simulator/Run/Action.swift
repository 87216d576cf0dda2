import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport

/// The event of one step of a schedule.
enum Action: String, CaseIterable {
  /// A user writes.
  case work
  /// A user cancels changes that were not sent.
  case cancel
  /// A device pushes its changes, or pulls.
  case push, pull
  /// A message in transit arrives.
  case deliver
  /// A device loses its connection, or gets it back.
  case partition
  /// A device stops and starts again.
  case restart
  /// A device stops in the middle of a transaction, or its disk is full.
  case crash, fullDisk
  /// A device's clock is set.
  case setClock
  /// An account is granted another role, or its role is revoked.
  case changeGrant
  /// A user changes the role of a member, removes one, or leaves.
  case manage
  /// The server removes tombstones.
  case collect
  /// The server's data is copied, or restored from a copy.
  case keepCopy, restore
  /// A new device continues with a copy of another device's file.
  case copyDevice
  /// A device gets the app's next version.
  case upgrade
  /// The server gets the next manifest.
  case upgradeServer
  /// Time passes without an event.
  case wait
  /// A device sends or fetches files, or an account requests a random one.
  case file
  /// A day passes, and a device deletes files that it does not need.
  case tidy
  /// A user erases a device, whose next user signs in.
  case erase
  /// A user makes a refused change again, or discards it.
  case decide
  /// A user cancels sealed changes, or has refused ones sent again at once.
  case recall
  /// A user deletes the account.
  case deleteAccount

  /// Draws the weight of the action in a schedule.
  func weight(_ random: inout SeededRandom) -> Int {
    switch self {
    case .work: random.number(in: 15...40)
    case .push, .pull: random.number(in: 8...25)
    case .deliver: random.number(in: 10...40)
    case .cancel, .partition, .wait: random.number(below: 4)
    case .restart: random.number(below: 3)
    case .collect: random.number(below: 8)
    case .crash, .fullDisk, .setClock: random.chance(40) ? random.number(in: 1...3) : 0
    case .changeGrant: random.chance(30) ? random.number(in: 1...4) : 0
    // Derived from the seed by the profile, without a draw.
    case .manage, .upgradeServer, .file, .tidy, .erase, .decide, .recall, .deleteAccount: 0
    case .keepCopy: 2
    case .restore: random.chance(15) ? 3 : 0
    case .copyDevice: random.chance(12) ? 2 : 0
    case .upgrade: random.number(in: 1...3)
    }
  }
}

extension Schedule {
  /// Performs an action, mostly on a random device.
  func perform(_ action: Action) throws {
    let device = random.pick(devices)
    switch action {
    case .work: try work(device)
    case .cancel: try cancel(device)
    case .push: try exchanges.push(device)
    case .pull: try exchanges.pull(device)
    case .deliver: try exchanges.deliver()
    case .partition: partition(device)
    case .restart: try restart(device)
    case .crash: try stumble(device, .crash)
    case .fullDisk: try stumble(device, .fullDisk)
    case .setClock:
      device.skew = drawSkew()
      count("fault.clock")
      stepServer()
    case .changeGrant: try changeGrant()
    case .manage: try manage(device)
    case .collect: try collect()
    case .keepCopy: server.keepCopy()
    case .restore: try restore()
    case .copyDevice: try copy(device)
    case .upgrade: try upgrade(device)
    case .upgradeServer: try upgradeServer()
    case .wait:
      now += Int64(random.number(below: 3_600_000))
      stepServer()
    case .file: try exchangeFiles(device)
    case .tidy:
      now += Int64(random.number(below: 2 * 86_400_000))
      try FileExchanges(schedule: self).tidy(device)
    case .erase: try erase(device)
    case .decide: try decide(device)
    case .recall: try recall(device)
    case .deleteAccount: try deleteAccount(of: device)
    }
  }

  private func exchangeFiles(_ device: SimulatedDevice) throws {
    let exchanges = FileExchanges(schedule: self)
    guard random.chance(75) else { return try exchanges.pry() }
    for _ in 0..<random.number(in: 1...4) { try exchanges.work(device) }
  }

  func count(_ name: String) { counters.add(name) }

  // MARK: - The server

  private func changeGrant() throws {
    let device = random.pick(devices)
    let board = random.pick(boards)
    let role = random.pick([Role.owner, .editor, .editor, .viewer, .revoked, .left])
    let before = server.history.role(of: device.account, in: board)
    guard before != role, before != nil || role.canRead, !server.removedScopes.contains(board)
    else { return }
    try grant(role, to: device.account, in: board)
    let name =
      switch role {
      case .revoked: "revoked"
      case .left: "left"
      case .viewer: "viewer"
      default: "granted"
      }
    count("fault.\(name)")
    trace.add("  \(board) for \(device.name) and its account: \(role)")
  }

  /// Sets the server's clock back from the true time by up to ten minutes.
  private func stepServer() {
    guard profile.stepsServerBack else { return }
    serverSkew = -Int64(random.number(below: 600_000))
    count("fault.serverClock")
    trace.add("  the server's clock is \(serverSkew) off")
  }

  private func collect() throws {
    let scope = random.pick(boards)
    let head = Int(server.log.scope(scope).head)
    let seq = random.chance(50) ? head : random.number(in: 0...head)
    let gone = try server.collect(scope, upTo: Int64(seq))
    if gone > 0 { count("fault.collect") }
    trace.add("  \(gone) tombstones of \(scope) up to \(seq)")
  }

  private func restore() throws {
    guard server.hasCopy else { return }
    try server.restore(
      random.number(below: 100), epoch: random.epoch(), at: now + serverSkew)
    for device in devices { device.forgetConfirmed(server.history) }
    count("fault.restore")
  }

  // MARK: - Devices

  private func partition(_ device: SimulatedDevice) {
    if network.cutOff.remove(device.place) == nil {
      network.cutOff.insert(device.place)
      count("fault.cutOff")
      trace.add("  \(device.name) is cut off")
    } else {
      trace.add("  \(device.name) is reached again")
    }
  }

  private func restart(_ device: SimulatedDevice) throws {
    try device.restart()
    count("fault.restart")
    trace.add("  \(device.name) starts again")
  }

  private func copy(_ device: SimulatedDevice) throws {
    guard devices.count < Self.deviceLimit else { return }
    devices.append(try device.twin(devices.count, in: files, skew: drawSkew()))
    count("fault.copy")
    trace.add("  d\(devices.count - 1) goes on with a copy of \(device.name)")
  }

  private func upgrade(_ device: SimulatedDevice) throws {
    guard device.version.number < (profile.evolves ? versions.count : 2) else { return }
    let next = laterVersion(than: device.version)
    try device.upgrade(to: next)
    count("fault.upgrade")
    trace.add("  \(device.name) is upgraded to version \(next.number)")
  }

  /// Returns the next version of the app, or one after it: users and operators skip versions.
  private func laterVersion(than version: AppVersion) -> AppVersion {
    let skips = profile.evolves && version.number + 1 < versions.count && random.chance(30)
    if skips { count("fault.skippedVersion") }
    return versions[version.number + (skips ? 1 : 0)]
  }

  /// Lets the server serve the manifest of a later version.
  func upgradeServer() throws {
    guard server.version.number < versions.count else { return }
    try server.upgrade(to: laterVersion(than: server.version))
    count("fault.serverUpgrade")
    trace.add("  the server serves version \(server.version.number)")
  }

  // MARK: - Users

  private func work(_ device: SimulatedDevice, _ mishap: Mishap? = nil) throws {
    // The app shows nothing of a board that the account leaves without a copy.
    let leaving = try device.texts("SELECT scope FROM _cursor WHERE wanted IS NOT NULL")
    let boards = boards.filter {
      server.history.role(of: device.account, in: $0)?.canWrite == true
        && !leaving.contains($0.text)
    }.map(\.value)
    var work = LocalWork(
      device, profile.habits, boards: boards, random: SeededRandom(seed: random.next()))
    work.time = device.clock(at: now)
    try FaultyDevice(device, breach)?.beforeWork()
    let isDone: Bool?
    do {
      isDone = try write(device, mishap) { writer in
        try work.run(writer)
        return true
      }
    } catch let error as ReplicaError where error.code == .forbidden {
      count("outcome.forbidden")
      trace.add("  \(device.name) refuses: \(work.words.joined(separator: "; "))")
      return
    }
    if work.isForged, isDone == true, device.isHonest {
      throw Violation(.writers, "\(device.name) has taken a change that only others may make.")
    }
    try FaultyDevice(device, breach)?.afterWork()
    guard isDone == true else { return }
    trace.add("  \(device.name): \(work.words.joined(separator: "; "))")
    try device.note(work)
    try DeviceChecks(device, in: self).checkVisible()
  }

  private func manage(_ device: SimulatedDevice) throws {
    let board = random.pick(boards)
    let member = random.chance(40) ? device.account : random.pick(devices).account
    let role = random.pick(
      member == device.account
        ? [Role.left, .revoked, .editor] : [.owner, .editor, .viewer, .revoked])
    guard server.history.role(of: device.account, in: board) != nil else { return }
    let command = MemberCommand(role, of: member.uuid)
    let (isMember, own) = try device.connection.read { reader in
      let members = try device.replica.members(of: board, reader)
      return (
        members.contains { $0.id == member.uuid }, try device.replica.role(in: board, reader)
      )
    }
    // An account cannot leave a board of which it knows that it is not a member any more.
    guard member != device.account || own?.canRead != false else { return }
    try device.connection.write { writer in
      try device.replica.perform(
        command, in: board, by: device.account.uuid, writer, at: device.clock(at: self.now),
        makeID: { self.random.uuid() })
    }
    count("outcome.command")
    trace.add("  \(device.name) makes \(member) in \(board) \(role)")
    try FaultyDevice(device, breach)?.afterCommand()
    try DeviceChecks(device, in: self).checkCommand(command, in: board, isMember: isMember)
  }

  private func cancel(_ device: SimulatedDevice) throws {
    if try cancelCommand(device) { return }
    let (before, owed) = (try device.counters(), device.ledger.owed)
    let shown = try RestoreChecks(schedule: self).shown(on: device)
    guard try takeBack(device) else { return }
    keptTexts.subtract(shown.subtracting(try RestoreChecks(schedule: self).shown(on: device)))
    device.ledger.noteTakenBack(before, try device.counters())
    device.ledger.forgetDeletions(of: try device.rows().keys)
    count("outcome.cancelled")
    trace.add("  \(device.name) takes something back")
    try device.noteUndone()
    for (row, writes) in Dictionary(grouping: owed, by: \.row) {
      try device.noteCancelled(Set(writes.map(\.text)), of: row)
    }
    try FaultyDevice(device, breach)?.afterCancelled(owed)
    try DeviceChecks(device, in: self).checkVisible()
  }

  /// Cancels the oldest command that was not sent, if there is one.
  private func cancelCommand(_ device: SimulatedDevice) throws -> Bool {
    let isCancelled = try device.connection.write { writer in
      try device.replica.cancelCommand(
        writer, at: device.clock(at: self.now), makeID: { self.random.uuid() })
    }
    guard isCancelled else { return false }
    count("outcome.commandCancelled")
    trace.add("  \(device.name) takes a command back")
    return true
  }

  /// Cancels the last transaction or the changes of one row.
  /// - Returns: Whether changes were cancelled; false if there are none or later changes depend on
  ///   them.
  private func takeBack(_ device: SimulatedDevice) throws -> Bool {
    let outbox = device.replica.outbox
    do {
      return try device.connection.write { writer in
        let transactions = try outbox.transactions(writer)
        guard !transactions.isEmpty else { return false }
        if self.random.chance(50) {
          guard let last = transactions.last else { return false }
          return try outbox.cancelTransaction(last, writer)
        }
        guard let row = try self.changedRow(of: device, writer) else { return false }
        return try outbox.cancel(row, writer)
      }
    } catch let error as DatabaseError where error.code == .danglingReference {
      return false
    }
  }

  /// Draws a row with captured changes.
  private func changedRow(of device: SimulatedDevice, _ writer: Writer) throws -> RowID? {
    let rows = try SQL("SELECT id FROM _outbox GROUP BY id ORDER BY min(seq)").all(
      writer, as: String.self)
    guard !rows.isEmpty else { return nil }
    let id = random.pick(rows)
    let photos = device.version.hasFiles ? [Photo.name] : []
    let tables = ["boards", "cards", "notes", "seats", "memos", Letter.name, Notice.name]
    for table in tables + photos {
      let count = try SQL("SELECT count(*) FROM \(identifier: table) WHERE id = \(id)")
        .first(writer, as: Int.self)
      if count == 1 { return RowID(table: table, id: id) }
    }
    return nil
  }

  /// Injects a fault into a write: local work, a push, or processing an answer.
  private func stumble(_ device: SimulatedDevice, _ mishap: Mishap) throws {
    switch random.number(below: 3) {
    case 0: try work(device, mishap)
    case 1: try exchanges.push(device, mishap)
    default: try exchanges.pull(device, mishap)
    }
  }
}
