import CSQLite
import Synchronization

#if DEBUG
  extension Connection {
    /// Reports a query, once for each text, if it reads or sorts many rows and an index would avoid
    /// that.
    func reportScan(of statement: Statement) {
      let (scanned, sorted) = (statement.reset(.scannedRows), statement.reset(.sorts))
      guard scanned >= Self.scanLimit, transaction.mode != .none,
        statement.isSelective || sorted > 0 && statement.isLimited,
        ScanReports.isFirst(statement.sql)
      else { return }
      let place = sorted > 0 ? "sorts" : "goes through"
      configuration.reportProblem(
        "A query \(place) \(scanned) rows. If it is frequent, add an index on the columns of its "
          + "condition and order: \(statement.sql)")
    }

    private static var scanLimit: Int32 { 10_000 }
  }

  extension Statement {
    fileprivate enum Count: Int32 {
      case scannedRows = 1
      case sorts = 2
    }

    /// Returns the count since the last call, and resets it
    /// (<https://sqlite.org/c3ref/c_stmtstatus_counter.html>).
    fileprivate func reset(_ count: Count) -> Int32 {
      sqlite3_stmt_status(pointer, count.rawValue, 1)
    }

    /// Whether conditions exclude rows.
    fileprivate var isSelective: Bool { sql.contains(" WHERE ") }
    /// Whether the number of rows is limited.
    fileprivate var isLimited: Bool { sql.contains(" LIMIT ") }
  }

  /// The statements that were reported in this process.
  private enum ScanReports {
    private static let texts = Mutex<Set<String>>([])

    static func isFirst(_ sql: String) -> Bool { texts.withLock { $0.insert(sql).inserted } }
  }
#endif
