import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The checks after faults have stopped and all changes have been exchanged.
struct EndChecks {
  let schedule: Schedule

  /// Runs all checks of the end state.
  func run() throws {
    if let violation = schedule.server.compareWithModel().first { throw violation }
    for scope in schedule.boards { try checkServerDigest(scope) }
    try checkPlaces()
    for device in schedule.devices {
      try FaultyDevice(device, schedule.breach)?.atLast()
      try DeviceChecks(device, in: schedule).checkVisible()
      try checkDrained(device)
      try checkWrites(of: device)
      try checkOrder(of: device)
      try checkDeletions(of: device)
    }
    try RestoreChecks(schedule: schedule).checkKept()
    try CounterChecks(schedule: schedule).checkCounts()
    for device in schedule.devices {
      try checkConvergence(of: device)
      try DeviceChecks(device, in: schedule).checkDigests()
      try checkMembers(on: device)
      try checkOthers(on: device)
    }
    for scope in schedule.boards {
      for row in schedule.server.log.rows(in: scope, after: 0, limit: .max) {
        schedule.counters.add(
          "outcome.conflict", schedule.server.log.conflicts(of: row.row, in: scope).count)
      }
    }
  }

  private func checkServerDigest(_ scope: ScopeID) throws {
    let rows = schedule.server.log.rows(in: scope, after: 0, limit: .max)
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    guard sum == schedule.server.log.scope(scope).digest else {
      throw Violation(
        .digest, "The server's digest of \(scope) is not the sum of its rows.")
    }
  }

  /// Checks that each row is in the board that it names, and each token in one board.
  ///
  /// NB: Two devices with copies of a file can insert a token in two boards.
  private func checkPlaces() throws {
    var places: [RowID: ScopeID] = [:]
    for board in schedule.boards {
      for row in schedule.server.log.rows(in: board, after: 0, limit: .max)
      where row.state.isLiving {
        if let name = row.state.fields["boardID"], name != WireValue(board.value) {
          throw Violation(.wholeMoves, "\(row.row) of \(board) names \(name.spelled).")
        }
        guard row.row.isToken, schedule.countsAreKnown else { continue }
        if let other = places.updateValue(board, forKey: row.row) {
          throw Violation(.wholeMoves, "\(row.row) is in \(other) and in \(board).")
        }
      }
    }
  }

  // MARK: - Pending changes

  /// Checks that no change is pending, except in scopes that were never granted.
  private func checkDrained(_ device: SimulatedDevice) throws {
    let waiting = try device.connection.read { reader in
      (
        try SQL("SELECT count(*) FROM _outbox").first(reader, as: Int.self) ?? 0,
        try device.replica.outbox.sealedBatches(reader)
      )
    }
    if waiting.0 > 0 {
      throw Violation(.drained, "\(device.name) has \(waiting.0) changes that are not sealed.")
    }
    for batch in waiting.1 {
      // An applied edit still shows in a scope that the account has left and does not pull any
      // more.
      guard let role = schedule.server.history.role(of: device.account, in: batch.scope),
        role != .left
      else { continue }
      throw Violation(.drained, "\(device.name) still has batch \(batch.number) of \(batch.scope).")
    }
  }

  /// Checks that each write was applied or refused, or waits for a first grant. A write may also be
  /// missing if the user has replaced it by a later one, which was applied, waits or is a refused
  /// change, or has removed it or its row, and the server has refused it, or restored data does not let the
  /// account write any more.
  ///
  /// NB: A write that was refused and is sealed again is left out of its batch if a later one
  /// replaces it.
  private func checkWrites(of device: SimulatedDevice) throws {
    let dead = Set(try device.deadOps().flatMap(\.texts))
    let (rows, shown) = (try device.rowsWithoutOps(), try device.rows())
    let waiting = try device.connection.read { try device.pendingTexts($0) }
    func hasArrived(_ write: Ledger.Write) -> Bool {
      schedule.server.history.appliedTexts[write.text] != nil || waiting[write.text] != nil
    }
    let writes = device.ledger.sent + device.ledger.owed
    for (place, write) in writes.enumerated() where !hasArrived(write) {
      // A later version of the app does not have the column any more.
      guard device.version.hasColumn(write.column, of: write.row.table) else { continue }
      // Each text is written once, so the text of a refused change identifies the write.
      guard !dead.contains(write.text), !rows.contains(write.row) else { continue }
      let isReplaced = writes[(place + 1)...].contains {
        $0.row == write.row && $0.column == write.column
          && (hasArrived($0) || dead.contains($0.text))
      }
      let isDeleted =
        device.ledger.isGone(write) && (shown[write.row] == nil || isInLaterLife(write.row))
      let isRefused =
        schedule.server.history.refusedTexts.contains(write.text) || lostRole(device.account)
      let isChanged = isReplaced || isOverwritten(write) || device.ledger.isCleared(write)
      if isChanged || isDeleted, isRefused { continue }
      throw Violation(.noWriteLost, "\(device.name) wrote \(write.spelled), which is lost.")
    }
  }

  /// Checks that no text on the server was written before another one of the same user in the same
  /// place of a scope, if the server has applied both there. After a decision about a refused change
  /// of a row, only later writes are compared.
  ///
  /// NB: A copy of the file may have sent the former text. A restored server may lack the later one.
  private func checkOrder(of device: SimulatedDevice) throws {
    guard schedule.countsAreKnown else { return }
    let (history, scopes) = (schedule.server.history, schedule.scopes)
    for write in device.ledger.sentPlain where !history.hasEnded(write.row) {
      for scope in scopes where history.appliedTexts[write.text]?.contains(scope) == true {
        let state = schedule.server.log.row(write.row, in: scope)?.state
        guard case .text(let text)? = state?.fields[write.column],
          device.ledger.isEarlier(text, than: write.text)
        else { continue }
        throw Violation(
          .ownWrites,
          "The server has \(String(decoding: text, as: UTF8.self)) in place of \(write.spelled), "
            + "which \(device.name) wrote later.")
      }
    }
  }

  /// Whether the server has a row that was deleted and inserted again.
  private func isInLaterLife(_ row: RowID) -> Bool {
    schedule.scopes.contains {
      (schedule.server.log.row(row, in: $0)?.state.generation ?? 0) > 1
    }
  }

  /// Whether the server has a later text of the same user in the place of a write: the write may be part of
  /// an insertion that was refused because of another row, and was changed before it was sent again.
  private func isOverwritten(_ write: Ledger.Write) -> Bool {
    schedule.scopes.contains { scope in
      let state = schedule.server.log.row(write.row, in: scope)?.state
      guard case .text(let text)? = state?.fields[write.column] else { return false }
      return Text.isLater(text, than: write.text)
    }
  }

  /// Whether the data was restored, and does not let an account write a board.
  private func lostRole(_ account: AccountID) -> Bool {
    schedule.server.history.epochs > 0
      && schedule.boards.contains {
        schedule.server.history.role(of: account, in: $0)?.canWrite != true
      }
  }

  /// Checks that a deleted row does not exist, unless the deletion was refused or waits for a first
  /// grant, or the row's move to that scope does.
  ///
  /// NB: The deletion does not concern a later life of the row, or a life that began after the row
  /// had moved away and back, or one that another device has moved to the scope since. Edits from a copy of the file may begin the first life again, and
  /// restored data may lack the deletion.
  private func checkDeletions(of device: SimulatedDevice) throws {
    guard schedule.countsAreKnown else { return }
    let ops = try device.deadOps() + device.waitingOps()
    let excused = try device.rowsWithoutOps().union(
      ops.filter { $0.kind == .delete }.map(\.row))
    // A later version of the app does not send unsealed changes of a table that it does not have.
    for (row, scope) in device.ledger.deletions
    where !excused.contains(row) && device.version.table(row.table) != nil {
      let scope = try ScopeID(scope)
      guard let state = schedule.server.log.row(row, in: scope)?.state, state.isLiving,
        state.generation == 1, !schedule.server.history.hasEnded(row, in: scope),
        schedule.server.history.refusedDeletions[scope]?.contains(row) != true,
        !ops.contains(where: { $0.row == row && $0.kind == .move(to: scope) })
      else { continue }
      throw Violation(.noWriteLost, "\(device.name) deleted \(row), which is still there.")
    }
  }

  /// Checks that a device knows the members of all boards that its account may read, and its own role
  /// in each board.
  private func checkMembers(on device: SimulatedDevice) throws {
    for board in schedule.boards {
      let role = try device.connection.read { try device.replica.role(in: board, $0) }
      let expected = schedule.server.history.role(of: device.account, in: board)
      // Restored data may lack a role that the device had.
      guard role == expected || expected == nil && role == .revoked else {
        throw Violation(
          .members, "\(device.name) has the role \(role.map { "\($0)" } ?? "none") in \(board).")
      }
    }
    for scope in try scopes(of: device) where scope.kind == "board" {
      let members = try device.connection.read { try device.replica.members(of: scope, $0) }
      let roles = members.map { (AccountID($0.id), $0.role) }
      guard schedule.server.log.scope(scope).head > 0 else { continue }
      let expected = schedule.server.history.members(of: scope)
      guard Dictionary(uniqueKeysWithValues: roles) == expected else {
        throw Violation(.members, "\(device.name) knows other members of \(scope): \(roles).")
      }
    }
  }

  /// Checks that a device has no memos of others that its account may not read, also not as refused
  /// changes, and nothing of what decides about them.
  private func checkOthers(on device: SimulatedDevice) throws {
    let own = device.account.description
    let readable = Set(try scopes(of: device).filter { $0.kind == "person" }.map(\.value))
    let memos = try device.texts("SELECT DISTINCT ownerID FROM memos")
    let kept = try device.connection.read { try device.replica.deadLetters($0) }
      .filter { ["person", "desk"].contains($0.scope?.kind) }.compactMap { $0.scope?.value }
    let others = try device.texts("SELECT ownerID FROM picks UNION SELECT ownerID FROM bans")
    if !readable.isSuperset(of: memos) || (kept + others).contains(where: { $0 != own }) {
      throw Violation(.access, "\(device.name) has rows of others that it may not read.")
    }
  }

  // MARK: - Shown rows

  /// Checks that a device shows the server's rows of all scopes that its account may read.
  private func checkConvergence(of device: SimulatedDevice) throws {
    let readable = try scopes(of: device)
    let expected = expectedRows(of: device, readable)
    let texts = Set(readable.map(\.text))
    let kept = Set(try device.keptLetters().map(\.row))
    let shown = try device.rows().filter { row, values in
      texts.contains(scopeText(row, values, device.version))
        && (expected[row] != nil || !kept.contains(row))
    }
    for row in Set(expected.keys).union(shown.keys).sorted() where expected[row] != shown[row] {
      if isOfLaterVersion(expected[row], row, device.version) { continue }
      throw Violation(
        .convergence,
        "\(device.name) shows \(describe(shown[row])) as \(row), not \(describe(expected[row])).")
    }
  }

  /// Whether a version of the app cannot store a row, because a value is missing that it requires.
  private func isOfLaterVersion(
    _ values: [String: WireValue]?, _ row: RowID, _ version: AppVersion
  ) -> Bool {
    guard let values, let table = version.table(row.table) else { return false }
    return table.columns.contains { !$0.isNullable && values[$0.name] == .null }
  }

  private func scopes(of device: SimulatedDevice) throws -> [ScopeID] {
    Set(schedule.scopes).sorted().filter {
      schedule.server.history.role(of: device.account, in: $0)?.canRead == true
    }
  }

  /// Returns the living rows, each from the first scope that has it, without rows whose references
  /// point to hidden rows.
  private func expectedRows(
    of device: SimulatedDevice, _ scopes: [ScopeID]
  ) -> [RowID: [String: WireValue]] {
    var rows: [RowID: [String: WireValue]] = [:]
    for scope in scopes.sorted(by: { $0.text > $1.text }) {
      let known = schedule.server.log.rows(in: scope, after: 0, limit: .max)
      for row in known where row.state.isLiving && device.version.table(row.row.table) != nil {
        rows[row.row] = values(of: row, device.version)
      }
    }
    let kept = leftRows(of: device)
    while true {
      let dangling = rows.filter { row, values in
        references(row.table).contains { table, column in
          guard let id = values[column]?.string else { return false }
          let target = RowID(table: table, id: id)
          return rows[target] == nil && !kept.contains(target)
        }
      }
      if dangling.isEmpty { return rows }
      for row in dangling.keys { rows[row] = nil }
    }
  }

  /// Returns the rows of scopes that the account has left. They stay and may be referred to.
  private func leftRows(of device: SimulatedDevice) -> Set<RowID> {
    guard let rows = try? device.rows() else { return [] }
    return Set(
      rows.filter { row, values in
        guard let scope = try? ScopeID(scopeText(row, values, device.version)) else { return false }
        return schedule.server.history.role(of: device.account, in: scope) == .left
      }.keys)
  }

  private func references(_ table: String) -> [(table: String, column: String)] {
    switch table {
    case "cards", "seats", "ties", Notice.name, Mark.name, Pin.name, Flag.name, Photo.name:
      [("boards", "boardID")]
    case "notes": [("boards", "boardID"), ("cards", "cardID")]
    case Letter.name: [("boards", "boardID"), (Letter.name, "answersID")]
    default: []
    }
  }

  private func values(of row: SyncedRow, _ version: AppVersion) -> [String: WireValue] {
    var values: [String: WireValue] = [:]
    for column in version.table(row.row.table)?.columns ?? [] {
      values[column.name] =
        value(of: row.state, column) ?? version.initial(column.name, of: row.row.table) ?? .null
    }
    return values
  }

  /// Returns the value that a version of the app shows in a column, or `nil` if it shows the default.
  private func value(of state: RowState, _ column: SyncedColumn) -> WireValue? {
    let value = column.value(of: state.fields)
    if column.name == "minutes", case .integer(let hours)? = state.fields["hours"],
      let time = state.version(of: "hours"),
      state.version(of: "minutes").map({ $0 < time }) ?? true
    {
      return .integer(hours * 60)
    }
    // A value that only a later version can store.
    return value.flatMap { column.holds($0) ? $0 : nil }
  }

  private func scopeText(
    _ row: RowID, _ values: [String: WireValue], _ version: AppVersion
  ) -> String {
    switch row.table {
    case "boards": "board/\(row.id)"
    case "memos": "person/\(values["ownerID"]?.string ?? "")"
    case "picks", "bans": "desk/\(values["ownerID"]?.string ?? "")"
    default: "board/\(values["boardID"]?.string ?? "")"
    }
  }

  private func describe(_ values: [String: WireValue]?) -> String {
    guard let values else { return "nothing" }
    let columns = values.sorted { $0.key < $1.key }.map { "\($0)=\($1.spelled)" }
    return "[\(columns.joined(separator: " "))]"
  }
}
