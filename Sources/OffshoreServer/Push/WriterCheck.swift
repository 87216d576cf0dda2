import OffshoreWire

/// The check that an account may write the rows of a batch, by the writers of their tables.
///
/// A device deletes the rows that refer to a deleted row together with it, and makes references
/// that may be NULL so, as the server does itself. So a batch may do both to any row, if it deletes
/// the row that is referred to, and the account may delete that one.
struct WriterCheck {
  private let account: WireValue
  /// The rows that the batch deletes or moves away, whether the account may write them or not.
  private let ending: Set<RowID>
  /// Those of them that the account may write.
  private var ended: Set<RowID> = []
  /// The merged changes that are accepted only as consequences of a deletion in the batch.
  private var consequences: [Consequence] = []

  private struct Consequence {
    let row: RowID
    let isDeletion: Bool
    /// The rows that the changed references referred to.
    let parents: [RowID]

    /// Returns whether the change follows from the deletion of rows.
    func follows(from ended: Set<RowID>) -> Bool {
      isDeletion ? parents.contains(where: ended.contains) : parents.allSatisfy(ended.contains)
    }
  }

  init(_ batch: Batch, of account: AccountID) {
    self.account = WireValue(account.description)
    ending = Set(batch.ops.filter(\.kind.endsRow).map(\.row))
  }

  /// Checks an op before it is merged.
  /// - Parameters:
  ///   - state: the state of the row before the op, or `nil` if it is unknown.
  ///   - role: the role of the account in the scope.
  /// - Returns: whether to merge the op. It has no effect if its row is deleted already, or does not
  ///   refer any more to the row from whose deletion it follows.
  /// - Throws: `Rejection` with the code `forbidden`, or `gone` for an edit of a deleted row.
  mutating func check(
    _ op: Op, _ state: RowState?, _ table: SyncedTable, _ role: Role
  ) throws(Rejection) -> Bool {
    if case .author = table.writers, let state, !state.isLiving {
      // NB: A deleted row has no author. An edit of it by any member would become a conflict, and a
      // deletion its version.
      if op.kind == .delete { return false }
      guard op.kind == .put, op.generation > state.generation else {
        throw Rejection(.gone, "The row was deleted. Insert it again.", row: op.row)
      }
    }
    if isAllowed(op, state, table, role) {
      // NB: A deletion of an earlier life has no effect, so nothing follows from it.
      let isCurrent = state.map { $0.isLiving && $0.generation == op.generation } ?? false
      if op.kind.endsRow, isCurrent { ended.insert(op.row) }
      return true
    }
    guard let columns = Self.releasedColumns(of: op, table) else {
      throw Self.rejection(of: op.row, table)
    }
    let parents = columns.compactMap { column in state.flatMap(column.referencedRow) }
    let change = Consequence(row: op.row, isDeletion: op.kind == .delete, parents: parents)
    if parents.count == columns.count || change.isDeletion, change.follows(from: ending) {
      consequences.append(change)
      return true
    }
    // The row has been changed since, so that the deletion does not concern it any more.
    guard columns.contains(where: { column in ending.contains { $0.table == column.reference } })
    else { throw Self.rejection(of: op.row, table) }
    return false
  }

  /// Checks that each change of a row that the account may not write follows from a deletion.
  /// - Throws: `Rejection` with the code `forbidden`.
  func finish(_ manifest: Manifest) throws(Rejection) {
    var (open, ended) = (consequences, ended)
    while !open.isEmpty {
      let remaining = open.filter { !$0.follows(from: ended) }
      guard remaining.count < open.count else {
        throw Self.rejection(of: open[0].row, manifest[open[0].row.table])
      }
      ended.formUnion(open.filter { $0.isDeletion && $0.follows(from: ended) }.map(\.row))
      open = remaining
    }
  }

  // MARK: - Rules

  private func isAllowed(
    _ op: Op, _ state: RowState?, _ table: SyncedTable, _ role: Role
  ) -> Bool {
    if case .author(let column) = table.writers {
      guard op.kind != .put || op.fields[column] == account else { return false }
      guard state?.isLiving == true else { return true }
    }
    return table.writers.include(account, role, of: state?.fields ?? [:])
  }

  /// Returns the references of which one or all are released if an op follows from a deletion, or
  /// `nil` if it follows from none.
  private static func releasedColumns(of op: Op, _ table: SyncedTable) -> [SyncedColumn]? {
    var columns: [SyncedColumn] = []
    switch op.kind {
    case .delete: columns = table.references.filter { !$0.isNullable }
    case .patch:
      columns = table.references.filter { $0.isNullable && op.fields[$0.name] == .null }
      if columns.count < op.fields.count { return nil }
    default: break
    }
    return columns.isEmpty ? nil : columns
  }

  private static func rejection(of row: RowID, _ table: SyncedTable?) -> Rejection {
    let message =
      table?.writers == .owners
      ? "Only owners may write this. Ask an owner to do it."
      : "Only its author may write this. Ask them to do it."
    return Rejection(.forbidden, message, row: row)
  }
}

extension TableWriters {
  /// Returns whether an account that may write a scope may change a row of it.
  /// - Parameters:
  ///   - account: the id of the account, as rows have it.
  ///   - role: its role in the scope.
  ///   - fields: the fields of the row.
  func include(_ account: WireValue, _ role: Role, of fields: [String: WireValue]) -> Bool {
    switch self {
    case .members: true
    case .owners: role == .owner
    case .author(let column): fields[column] == account
    }
  }
}

extension Op.Kind {
  /// Whether the row is deleted or moved away.
  fileprivate var endsRow: Bool {
    switch self {
    case .delete, .move: true
    default: false
    }
  }
}
