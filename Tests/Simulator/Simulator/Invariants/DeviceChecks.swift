import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The checks of a device after each of its steps.
struct DeviceChecks {
  let device: SimulatedDevice
  let schedule: Schedule

  init(_ device: SimulatedDevice, in schedule: Schedule) {
    (self.device, self.schedule) = (device, schedule)
  }

  // MARK: - After answers

  func checkPushed(_ response: PushResponse, _ report: PushReport) throws {
    let isGap = response.results.contains { if case .gap = $0.outcome { true } else { false } }
    // Batches with new numbers are new batches.
    if isGap || report.isForked { device.sealed = [:] }
    try checkVisible()
    try checkOwnWrites()
    try CounterChecks(schedule: schedule).checkCounters(device)
  }

  func checkPulled(_ envelope: Envelope, _ report: PullReport) throws {
    try checkVisible()
    try checkOwnWrites()
    try checkCursors()
    try checkDoubt(report)
    try CounterChecks(schedule: schedule).checkCounters(device)
    guard report.isComplete, envelope.epochs == schedule.server.history.epochs else { return }
    try checkBuried(envelope.buried)
    try checkRevoked()
    if report.rows > 0, !schedule.profile.isBrief { try checkDigests() }
  }

  /// Checks that a batch that is sent again is unchanged.
  func checkSealed(_ request: PushRequest) throws {
    var texts: Set<[UInt8]> = []
    for batch in request.batches {
      let key = "\(request.epoch) \(request.device) \(batch.scope) \(batch.number)"
      if let hash = device.sealed[key], hash != batch.hash {
        throw Violation(
          .sealedOnce, "\(device.name) has sent another batch \(batch.number) of \(batch.scope).")
      }
      device.sealed[key] = batch.hash
      for op in batch.ops {
        if op.kind == .delete { device.ledger.noteSentDeletion(of: op.row, in: batch.scope) }
        if op.row.hasCounter { device.sentOps[OpKey(op)] = SentOp(scope: batch.scope, op: op) }
        if op.kind.isMove { schedule.count("outcome.move") }
        for case .text(let bytes) in op.fields.values { texts.insert(bytes) }
      }
    }
    // A copy of the file may have sent a change that is cancelled here.
    if let text = texts.intersection(device.cancelled).first, schedule.countsAreKnown {
      let text = String(decoding: text, as: UTF8.self)
      throw Violation(.cancelled, "\(device.name) has sent \(text), which was cancelled.")
    }
    device.ledger.noteSent(texts)
  }

  /// Checks that a command applies on the device at once.
  /// - Parameter isMember: whether the account was a member before.
  func checkCommand(_ command: MemberCommand, in scope: ScopeID, isMember: Bool) throws {
    let (member, own) = try device.connection.read { reader in
      (
        try device.replica.members(of: scope, reader).first { $0.id == command.account }?.role,
        try device.replica.role(in: scope, reader)
      )
    }
    let isOwn = command.account == device.account.uuid
    guard member == (isMember && command.role.canRead ? command.role : nil),
      !isOwn || own == command.role
    else {
      throw Violation(.members, "\(device.name) does not show \(command.role) in \(scope).")
    }
    try checkHidden()
  }

  /// Checks that the device shows no rows of the boards that its account leaves without a copy.
  private func checkHidden() throws {
    let leaving = try device.texts("SELECT scope FROM _cursor WHERE wanted IS NOT NULL")
    for text in leaving {
      let scope = try ScopeID(text)
      guard try device.connection.read({ try device.replica.role(in: scope, $0) }) == .revoked,
        try rowCount(of: scope.value) > 0
      else { continue }
      throw Violation(.members, "\(device.name) shows rows of \(scope), which its account leaves.")
    }
  }

  // MARK: - Shown rows

  /// Checks that ties are shown as whole groups, except in scopes whose rows are shown as they arrive, and
  /// that tokens do not disappear.
  func checkVisible() throws {
    let parts = try device.texts(
      """
      SELECT groupID FROM ties WHERE 'board/' || boardID NOT IN (SELECT scope FROM _arrival)
      GROUP BY groupID HAVING count(*) <> max(size) ORDER BY groupID
      """)
    if let group = parts.first {
      throw Violation(.wholeBatches, "\(device.name) shows a part of \(group).")
    }
    if schedule.profile.keepsTokens { try checkTokens() }
    // An unsealed write of the user stays until it is sealed.
    if try device.number("SELECT count(*) FROM _outbox") == 0 {
      try checkHidden()
      try checkKept()
    }
  }

  /// Checks that refused letters stay on boards that the account may read and that have arrived, unless a
  /// device with a copy of the file has sent and deleted them.
  private func checkKept() throws {
    // A pending change may delete the letter.
    let pending = try device.connection.read { try device.replica.outbox.sealedBatches($0) }
    let changed = Set(pending.flatMap { $0.ops.map(\.row) })
    for letter in try device.keptLetters()
    where !changed.contains(letter.row) && !schedule.server.history.hasEnded(letter.row) {
      guard let scope = letter.scope, case .text(let board)? = letter.op?.fields["boardID"],
        try device.connection.read({ try device.replica.role(in: scope, $0) })?.canRead == true,
        try device.connection.read({ try device.replica.hasArrived(scope, $0) }),
        try device.texts("SELECT id FROM boards").contains(String(decoding: board, as: UTF8.self)),
        try device.hiddenRows().isDisjoint(with: [letter.row])
      else { continue }
      guard try device.texts("SELECT id FROM letters").contains(letter.row.id) else {
        throw Violation(.keptRefusals, "\(device.name) has removed the refused \(letter.row).")
      }
    }
  }

  private func checkTokens() throws {
    let shown = Set(
      try device.texts("SELECT id FROM cards WHERE substr(id, 1, 1) = \(Card.tokenPrefix)"))
    if let id = device.tokens.subtracting(shown).min() {
      throw Violation(.wholeMoves, "\(device.name) does not show cards/\(id) any more.")
    }
    device.tokens = shown.filter { id in
      schedule.boards.contains {
        schedule.server.log.row(RowID(table: "cards", id: id), in: $0)?.state.isLiving == true
      }
    }
  }

  /// Checks that the device shows its own writes until a later write replaces them.
  private func checkOwnWrites() throws {
    let dead = try device.deadRows().union(device.hiddenRows())
    device.ledger.forgetOwn { write in
      dead.contains(write.row) || schedule.server.history.hasEnded(write.row)
        || schedule.server.history.refusedTexts.contains(write.text)
    }
    var pending: [[UInt8]: Stamp]?
    try device.connection.read { reader in
      for write in device.ledger.own {
        guard case .text(let shown)? = try device.value(write.column, of: write.row, reader),
          shown != write.text
        else { continue }
        if pending == nil { pending = try device.pendingTexts(reader) }
        // A refused text is shown until the device processes the answer.
        if schedule.server.history.refusedTexts.contains(shown), pending?[shown] != nil { continue }
        // NB: A stamp may have been clamped, and a copy of the file may have sent the same text.
        let versions = schedule.server.history.versionsOfTexts
        let own = [versions[write.text]?.lowerBound, pending?[write.text]].compactMap(\.self).min()
        // A former text of the same user is no later write, whatever its version is.
        let isFormer =
          schedule.countsAreKnown && device.ledger.isEarlier(shown, than: write.text)
        if !isFormer, let own, let other = versions[shown]?.upperBound, other > own { continue }
        // An edit of a revoked scope, soon to be refused, does not hide the same row of another
        // scope.
        guard try device.revokedTexts(reader).contains(write.text) else {
          throw Violation(
            .ownWrites,
            "\(device.name) shows \(spelled(shown, pending)), not \(write.spelled), which is "
              + "\(spelled(write.text, pending)).")
        }
      }
    }
  }

  /// Returns a text with its version on the server or in a sealed batch.
  private func spelled(_ text: [UInt8], _ pending: [[UInt8]: Stamp]?) -> String {
    let version = schedule.server.history.versionsOfTexts[text]?.lowerBound ?? pending?[text]
    let time = version.map { "\($0.milliseconds % 1_000_000_000).\($0.counter)" } ?? "not sealed"
    return "\(String(decoding: text, as: UTF8.self)) of \(time)"
  }

  /// Checks that deleted rows do not come back, except rows in scopes that the account has left.
  private func checkBuried(_ count: Int) throws {
    let buried = Set(schedule.server.history.buried.prefix(count))
    guard !buried.isEmpty else { return }
    for (table, column, board) in [
      ("boards", "title", "id"), ("cards", "title", "boardID"),
      ("notes", "body", "boardID"), (Letter.name, "body", "boardID"),
      (Notice.name, "body", "boardID"),
      ("seats", "holder", "boardID"), (Mark.name, "title", "boardID"),
      (Pin.name, "title", "boardID"), (Flag.name, "title", "boardID"),
      (Photo.name, "title", "boardID"),
    ] {
      let shown = device.version.table(table)
      guard let shown, let column = shown.columns.first(where: { $0.name == column }) else {
        continue
      }
      let left: SQL = "SELECT scope FROM _cursor WHERE role = 5"
      let texts = try device.texts(
        """
        SELECT \(identifier: column.presentName) FROM \(identifier: shown.localName)
        WHERE \(identifier: column.presentName) NOT NULL AND 'board/' || \(identifier: board) NOT IN (\(left))
          AND id NOT IN (SELECT id FROM _row WHERE tbl = \(table) AND scope IN (\(left)))
        """)
      if let text = texts.first(where: { buried.contains(Array($0.utf8)) }) {
        throw Violation(
          .noResurrection, "\(device.name) shows \(text) in \(table), which was deleted.")
      }
    }
  }

  // MARK: - Stored rows

  private func checkCursors() throws {
    let rows = try device.connection.read {
      try SQL("SELECT scope, epoch, seq FROM _cursor")
        .all($0, as: String.self, Int64.self, Int64.self)
    }
    for (scope, epoch, seq) in rows {
      if let before = device.cursors[scope], before.epoch == epoch, before.seq > seq {
        throw Violation(
          .monotonic, "\(device.name) fell from \(before.seq) to \(seq) in \(scope).")
      }
      device.cursors[scope] = SimulatedDevice.Cursor(epoch: epoch, seq: seq)
    }
  }

  /// Checks that a device has no rows of a scope after it knows that the grant was revoked. Rows
  /// with pending writes of the user remain until these are refused.
  private func checkRevoked() throws {
    guard try device.number("SELECT count(*) FROM _outbox") == 0 else { return }
    let revoked = try device.texts(
      """
      SELECT scope FROM _cursor WHERE role = 4 AND substr(scope, 1, 6) = 'board/'
        AND scope NOT IN (SELECT scope FROM _batch)
      """)
    for scope in revoked {
      let count = try rowCount(of: String(scope.dropFirst(6)))
      if count > 0 {
        throw Violation(.grants, "\(device.name) has \(count) rows of \(scope), which was revoked.")
      }
    }
  }

  /// Returns the number of rows of a board that the device shows.
  private func rowCount(of board: String) throws -> Int {
    let photos: SQL =
      device.version.hasFiles
      ? "+ (SELECT count(*) FROM photos WHERE boardID = \(board))" : ""
    return try device.number(
      """
      SELECT (SELECT count(*) FROM boards WHERE id = \(board))
        + (SELECT count(*) FROM cards WHERE boardID = \(board))
        + (SELECT count(*) FROM notes WHERE boardID = \(board))
        + (SELECT count(*) FROM seats WHERE boardID = \(board))
        + (SELECT count(*) FROM ties WHERE boardID = \(board))
        + (SELECT count(*) FROM letters WHERE boardID = \(board))
        + (SELECT count(*) FROM notices WHERE boardID = \(board))
        + (SELECT count(*) FROM pins WHERE boardID = \(board))
        + (SELECT count(*) FROM \(identifier: device.version.localName(of: Mark.name))
          WHERE boardID = \(board)) \(photos)
      """)
  }

  // MARK: - Digests

  /// Checks that a device's digest of each scope is the sum over its rows, and equals the server's
  /// digest if the device has all changes.
  func checkDigests() throws {
    guard try device.number("SELECT count(*) FROM _outbox") == 0 else { return }
    let sums = try device.connection.write { try device.replica.digests($0) }
    let kept = try device.connection.read {
      try SQL(
        "SELECT scope, epoch, seq, digest FROM _cursor WHERE role IN (1, 2, 3) AND fetch IS NULL"
      ).all($0, as: String.self, Int64.self, Int64.self, Int64.self)
    }
    for (text, epoch, seq, digest) in kept.sorted(by: { $0.0 < $1.0 }) {
      let scope = try ScopeID(text)
      let kept = UInt64(bitPattern: digest)
      guard sums[scope, default: Digest()].value == kept else {
        throw Violation(
          .digest, "The digest of \(device.name) in \(scope) is not that of its rows.")
      }
      let state = schedule.server.log.scope(scope)
      guard state.head == seq, state.epoch == UInt64(bitPattern: epoch) else { continue }
      // A device shows a scope that was removed with an account until it has received the end of its role.
      let grant = schedule.server.log.grant(of: device.account, in: scope)
      if schedule.server.removedScopes.contains(scope), grant?.role.canRead != true { continue }
      guard state.digest.value == kept else {
        throw Violation(
          .digest, "\(device.name) has other rows of \(scope) than the server.")
      }
    }
  }

  /// Checks that the pull found no scope whose digest differs from the server's.
  private func checkDoubt(_ report: PullReport) throws {
    if let scope = report.differingScopes.min(by: { $0.text < $1.text }) {
      throw Violation(.digest, "\(device.name) has found another digest of \(scope).")
    }
  }
}
