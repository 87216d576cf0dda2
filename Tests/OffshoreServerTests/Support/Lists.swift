import OffshoreWire

/// The synced tables of the tests: lists with tasks. Each list is a scope.
enum Lists {
  static func manifest(version: Int = 1) throws -> Manifest {
    try Manifest(version: version, tables: [lists, tasks])
  }

  /// Returns a manifest whose lists are owned by the first account that writes to them. Each
  /// account also has a diary in its personal scope.
  /// - Parameter memberships: the maximum number of lists of which an account is a member.
  static func claimable(memberships: Int? = nil) throws -> Manifest {
    let diary = SyncedTable(
      "diary", scopeKind: "person", scopeColumn: "personID",
      columns: [SyncedColumn("personID", .text)])
    return try Manifest(
      version: 1, tables: [lists, tasks, diary], claimableKinds: ["list"],
      personalKinds: ["person"], membershipLimits: memberships.map { ["list": $0] } ?? [:])
  }

  /// Returns a manifest whose tasks have photos.
  /// - Parameter isFile: whether the column of photos is a file column.
  static func withPhotos(version: Int = 1, isFile: Bool = true) throws -> Manifest {
    let photo = SyncedColumn("photo", .text, isNullable: true, isFile: isFile)
    let photographed = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID", columns: tasks.columns + [photo])
    return try Manifest(version: version, tables: [lists, photographed], claimableKinds: ["list"])
  }

  static let lists = SyncedTable(
    "lists", scopeKind: "list", scopeColumn: "id", columns: [SyncedColumn("title", .text)])

  static let tasks = SyncedTable(
    "tasks", scopeKind: "list", scopeColumn: "listID",
    columns: [
      SyncedColumn("listID", .text, reference: "lists"),
      SyncedColumn("title", .text),
      SyncedColumn("note", .text, isNullable: true),
      SyncedColumn("points", .integer, isNullable: true, policy: .counter),
      SyncedColumn("after", .text, isNullable: true, reference: "tasks"),
    ])

  static func scope(_ id: String = "1") throws -> ScopeID { try ScopeID(kind: "list", value: id) }

  static func list(_ id: String = "1") -> RowID { RowID(table: "lists", id: id) }

  static func task(_ id: String) -> RowID { RowID(table: "tasks", id: id) }
}

extension Op {
  static func list(_ id: String = "1", at time: Int64, by device: UInt8 = 1) -> Op {
    Op(.put, Lists.list(id), fields: ["title": "a list"], stamp: .at(time, by: device))
  }

  static func task(
    _ id: String, in list: String = "1", generation: Int64 = 1, at time: Int64,
    by device: UInt8 = 1, _ more: [String: WireValue] = [:]
  ) -> Op {
    let fields: [String: WireValue] = ["listID": WireValue(list), "title": "a task", "points": 0]
    return Op(
      .put, Lists.task(id), generation: generation, fields: fields.merging(more) { $1 },
      stamp: .at(time, by: device))
  }

  static func edit(
    _ id: String, _ fields: [String: WireValue], generation: Int64 = 1,
    base: [String: Stamp] = [:], at time: Int64, by device: UInt8 = 1
  ) -> Op {
    Op(
      .patch, Lists.task(id), generation: generation, fields: fields, base: base,
      stamp: .at(time, by: device))
  }

  static func delete(
    _ row: RowID, generation: Int64 = 1, at time: Int64, by device: UInt8 = 1
  ) -> Op { Op(.delete, row, generation: generation, stamp: .at(time, by: device)) }

  static func move(_ id: String, to list: String, at time: Int64, by device: UInt8 = 1) throws -> Op
  {
    Op(
      .move(to: try Lists.scope(list)), Lists.task(id), fields: ["listID": WireValue(list)],
      stamp: .at(time, by: device))
  }
}

extension WireValue {
  /// Returns the text by which a row refers to a blob.
  static func file(_ hash: ContentHash) -> WireValue { WireValue(BlobReference(hash).text) }
}
