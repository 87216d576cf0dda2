package import Offshore
package import OffshoreWire

extension Replica {
  /// Computes the digest of each scope's confirmed rows from the rows themselves.
  ///
  /// It equals the stored digest unless captured changes are not sealed yet.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  package func digests(_ writer: Writer) throws -> [ScopeID: Digest] {
    let entries = RowEntries(writer: writer)
    let visible = VisibleRows(schema: schema, writer: writer)
    var digests: [ScopeID: Digest] = [:]
    for row in try Set(entries.rows()) {
      guard let table = schema.manifest[row.table] else { continue }
      let values = try visible.values(of: row, in: table) ?? [:]
      for (scope, entry) in try entries.all(of: row) {
        let shown = entry.version.state(values, in: table)
        let confirmed = entry.shadow.map(\.confirmed) ?? shown
        if let confirmed { digests[scope, default: Digest()].add(confirmed, of: row) }
      }
    }
    return digests
  }
}
