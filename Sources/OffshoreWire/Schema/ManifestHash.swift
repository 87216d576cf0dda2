extension Manifest {
  /// The hash of the declarations. Equal manifests have equal hashes on all devices.
  public var hash: ContentHash {
    var writer = WireWriter()
    writer.number(UInt64(version))
    writer.count(tables.count)
    for table in tables { table.describe(to: &writer) }
    writer.texts(claimableKinds.sorted())
    writer.texts(personalKinds.sorted())
    return ContentHash(of: writer.bytes)
  }
}

extension SyncedTable {
  fileprivate func describe(to writer: inout WireWriter) {
    for text in [name, idColumn, scopeKind, scopeColumn] { writer.text(text) }
    writer.count(columns.count)
    for column in columns { column.describe(to: &writer) }
    writer.count(uniqueKeys.count)
    for key in uniqueKeys { writer.texts(key) }
    writer.texts(idSource)
  }
}

extension SyncedColumn {
  fileprivate func describe(to writer: inout WireWriter) {
    writer.text(name)
    writer.text(type.rawValue)
    writer.flag(isNullable)
    writer.flag(isSealed)
    writer.text(policy.name)
    switch policy {
    case .ordered(let states): writer.texts(states)
    case .rule(let name): writer.text(name)
    default: break
    }
    writer.texts(reference.map { [$0] } ?? [])
  }
}

extension WireWriter {
  fileprivate mutating func texts(_ texts: [String]) {
    count(texts.count)
    for text in texts { self.text(text) }
  }
}
