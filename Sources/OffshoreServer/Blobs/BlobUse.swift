import OffshoreWire

extension StorageTransaction {
  /// Replaces a row of a synced table, and records the blobs to which it refers from then on.
  ///
  /// NB: Each change of a file column comes through here. So a change elsewhere, such as the removal of
  /// keys from JSON columns, may leave file columns only as they are.
  /// - Parameters:
  ///   - old: the former state, or `nil` for an unknown row.
  ///   - now: the server's clock, in milliseconds since 1970.
  mutating func store(
    _ row: SyncedRow, over old: RowState?, in scope: ScopeID, _ manifest: Manifest, at now: Int64
  ) throws {
    try setRow(row, in: scope)
    for column in manifest[row.row.table]?.fileColumns ?? [] {
      let former = old.flatMap { column.referencedBlob(in: $0)?.hash }
      let next = column.referencedBlob(in: row.state)?.hash
      guard former != next else { continue }
      try setBlobReference(next, from: row.row, column: column.name, in: scope)
      if let next { try setUnused(nil, next, in: scope) }
      if let former, try !isUsed(former, in: scope) { try setUnused(now, former, in: scope) }
    }
  }
}

/// The derivation of all references to blobs from stored rows, after file columns have changed.
///
/// The server knows about the use of blobs only in scopes of kinds with file columns. In others, a blob
/// stays until a client removes it.
struct BlobUse {
  private let manifest: Manifest
  /// The kinds of scopes with more file columns than before. None has fewer: that is refused.
  private let kinds: [String]
  /// The number of scopes or rows that are read at a time.
  private static let chunk = 500

  /// - Parameters:
  ///   - manifest: the manifest that the data is served under from now on.
  ///   - former: the manifest before it, or `nil` if there was none.
  init(_ manifest: Manifest, after former: Manifest?) {
    self.manifest = manifest
    let (before, after) = (Self.columns(of: former), Self.columns(of: manifest))
    kinds = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }

  /// Returns the file columns of each kind of scopes.
  private static func columns(of manifest: Manifest?) -> [String: Set<String>] {
    (manifest?.tables ?? []).reduce(into: [:]) { kinds, table in
      for column in table.fileColumns {
        kinds[table.scopeKind, default: []].insert("\(table.name).\(column.name)")
      }
    }
  }

  /// Records the blobs to which rows refer. A blob to which none does counts as unused from now on.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  func derive(at now: Int64, on transaction: inout some StorageTransaction) throws {
    for kind in kinds {
      let tables = manifest.tables.filter { $0.scopeKind == kind && !$0.fileColumns.isEmpty }
      try transaction.resetBlobs(ofKind: kind, unusedSince: now)
      var last: ScopeID?
      repeat {
        let scopes = try transaction.scopes(ofKind: kind, after: last, limit: Self.chunk)
        for scope in scopes {
          for table in tables { try addReferences(from: table, in: scope, on: &transaction) }
        }
        last = scopes.count < Self.chunk ? nil : scopes.last
      } while last != nil
    }
  }

  private func addReferences(
    from table: SyncedTable, in scope: ScopeID, on transaction: inout some StorageTransaction
  ) throws {
    var last = ""
    while true {
      let run = try transaction.rows(
        of: table.name, in: scope, after: last, limit: Self.chunk, bytes: WireLimits.rowBytes)
      for row in run.rows.map(\.syncedRow) {
        for column in table.fileColumns {
          guard let hash = column.referencedBlob(in: row.state)?.hash else { continue }
          try transaction.setBlobReference(hash, from: row.row, column: column.name, in: scope)
          try transaction.setUnused(nil, hash, in: scope)
        }
        last = row.row.id
      }
      guard run.isCut else { return }
    }
  }
}

extension Manifest {
  /// Returns whether a table of a kind of scopes has file columns.
  func hasFiles(inKind kind: String) -> Bool {
    tables.contains { $0.scopeKind == kind && !$0.fileColumns.isEmpty }
  }
}
