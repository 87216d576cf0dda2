package import OffshoreWire

/// A check that data stored under one manifest can be served under another.
struct ManifestSuccession {
  let former: Manifest
  let next: Manifest

  /// Checks that the next manifest is not older, and declares all tables and columns of the former
  /// one with the same ids, scopes, types and sealing.
  /// - Throws: `WireError` with the code `invalidManifest`; its message names all missing parts.
  func check() throws(WireError) {
    guard next.version >= former.version else {
      throw WireError(
        .invalidManifest,
        """
        The manifest is of version \(next.version), and the data of version \(former.version). Export \
        the manifest from the newest release of the app.
        """, place: "version")
    }
    let missing = former.tables.flatMap(missing)
    guard let first = missing.first else { return }
    throw WireError(
      .invalidManifest,
      """
      The data has what the manifest lacks or declares otherwise: \(missing.joined(separator: ", ")). \
      Export the manifest from the newest release of the app, or choose another file for the data.
      """, place: first)
  }

  private func missing(_ table: SyncedTable) -> [String] {
    let place = "tables.\(table.name)"
    guard let successor = next[table.name] else { return [place] }
    let isSame =
      successor.idColumn == table.idColumn && successor.scopeKind == table.scopeKind
      && successor.scopeColumn == table.scopeColumn
    let columns = table.columns.filter { column in
      guard let successor = successor[column.name] else { return true }
      return successor.type != column.type || successor.isSealed != column.isSealed
    }
    return (isSame ? [] : [place]) + columns.map { "\(place).columns.\($0.name)" }
  }
}

extension ServerStorage {
  /// Stores the manifest that the data is served under, if it covers all stored data.
  ///
  /// A server calls this before it accepts requests. An old manifest would refuse columns that
  /// devices have long synced.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the stored
  ///   one, or lacks a part of it; any error of the storage.
  package func adopt(_ manifest: Manifest) async throws {
    try await write { transaction in
      if let former = try transaction.manifest() {
        try ManifestSuccession(former: former, next: manifest).check()
      }
      try transaction.setManifest(manifest)
    }
  }
}
