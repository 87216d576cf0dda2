import OffshoreServer
import OffshoreWire

/// The check that the server applies the changes of letters that their authors make and of notices that
/// owners make, and no others.
struct WriterChecks {
  let account: AccountID
  /// The rows before the batch.
  let rows: [RowID: ModelRow]
  /// The role of the account before the push.
  let role: Role?

  /// Returns the violation of an answer to a batch that was not answered before.
  /// - Parameter isDemoted: whether a command of the push may have changed the role.
  func violation(_ result: BatchResult, to batch: Batch, isDemoted: Bool) -> Violation? {
    let forged = batch.ops.first { isForged($0, in: batch) }
    switch result.outcome {
    case .applied:
      return forged.map {
        Violation(.writers, "\(account) may not write \($0.row), and the server has taken it.")
      }
    case .rejected(let rejection, _):
      guard rejection.code == .forbidden, let row = rejection.row, forged == nil,
        row.table == Letter.name && role?.canWrite == true
          || row.table == Notice.name && role == .owner && !isDemoted
      else { return nil }
      return Violation(.writers, "\(account) may write \(row), and the server has refused it.")
    case .gap, .forked: return nil
    }
  }

  private func isForged(_ op: Op, in batch: Batch) -> Bool {
    if op.row.table == Notice.name { return role != .owner && !isDeletedWithBoard(op, in: batch) }
    guard op.row.table == Letter.name else { return false }
    let me = WireValue(account.description)
    if op.kind == .put, op.fields["authorID"] != me { return true }
    guard let row = rows[op.row], row.isLiving, row.fields["authorID"]?.value != me else {
      return false
    }
    return !isConsequence(op, of: row, in: batch)
  }

  private func isDeletedWithBoard(_ op: Op, in batch: Batch) -> Bool {
    let board = RowID(table: "boards", id: batch.scope.value)
    return op.kind == .delete && batch.ops.contains { $0.kind == .delete && $0.row == board }
  }

  /// Returns whether a change follows from the deletion of a board or a letter.
  private func isConsequence(_ op: Op, of row: ModelRow, in batch: Batch) -> Bool {
    if op.kind == .delete { return isDeletedWithBoard(op, in: batch) }
    guard op.kind == .patch, op.fields == ["answersID": .null] else { return false }
    let deletions = batch.ops.filter { $0.kind == .delete }
    return deletions.contains { $0.row.table == Letter.name && !isForged($0, in: batch) }
  }

  /// Returns whether a change has an effect. That of another author's letter has none if the letter does
  /// not answer a deleted letter any more, and a member's deletion of a notice with its board has none if the
  /// notice does not exist.
  func isEffective(_ op: Op, in batch: Batch) -> Bool {
    if op.row.table == Notice.name, role != .owner { return rows[op.row]?.isLiving == true }
    guard op.row.table == Letter.name, op.kind == .patch, let row = rows[op.row],
      row.fields["authorID"]?.value != WireValue(account.description)
    else { return true }
    let answered = row.fields["answersID"]?.value.string.map { RowID(table: Letter.name, id: $0) }
    return batch.ops.contains { $0.row == answered && $0.kind == .delete }
  }
}
