import OffshoreServer
import OffshoreWire
import ServerSupport

/// A transaction that counts the rows and conflicts that are read, apart from single rows.
struct CountingTransaction: TransactionWrapper {
  /// The numbers so far, which copies of the transaction share.
  final class Counts {
    fileprivate(set) var queries = 0
    fileprivate(set) var rows = 0
    fileprivate(set) var conflicts = 0
  }

  var base: MemoryState
  let counts = Counts()

  init(_ base: MemoryState) { self.base = base }

  private func counted(_ run: RowRun) -> RowRun {
    counts.queries += 1
    counts.rows += run.rows.count
    return run
  }

  func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) -> RowRun {
    counted(base.rows(in: scope, after: seq, limit: limit, bytes: bytes))
  }

  func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) -> RowRun {
    counted(base.rows(in: scope, after: row, limit: limit, bytes: bytes))
  }

  func rows(
    of table: String, in scope: ScopeID, after id: String, limit: Int, bytes: Int
  ) -> RowRun {
    counted(base.rows(of: table, in: scope, after: id, limit: limit, bytes: bytes))
  }

  func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) -> [NumberedConflict] {
    let conflicts = base.conflicts(in: scope, after: number, limit: limit, bytes: bytes)
    counts.conflicts += conflicts.count
    return conflicts
  }
}
