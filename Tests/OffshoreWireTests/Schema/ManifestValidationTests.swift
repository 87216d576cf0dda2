import Testing

@testable import OffshoreWire

struct ManifestValidationTests {
  /// Returns the place of the error in a manifest with one table, or `nil` if it is valid.
  private func place(
    _ columns: [SyncedColumn] = [], name: String = "t", idColumn: String = "id",
    scopeKind: String = "fleet", scopeColumn: String? = nil, uniqueKeys: [[String]] = [],
    idSource: [String] = [], writers: TableWriters = .members, beside others: [SyncedTable] = []
  ) -> String? {
    let table = SyncedTable(
      name, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn ?? idColumn,
      columns: columns, uniqueKeys: uniqueKeys, idSource: idSource, writers: writers)
    do {
      _ = try Manifest(version: 1, tables: [table] + others)
      return nil
    } catch {
      #expect(error.code == .invalidManifest)
      return error.place
    }
  }

  @Test(
    arguments: [
      ([SyncedColumn("a", .text, renamed: "b"), SyncedColumn("b", .text)], "columns.b"),
      ([SyncedColumn("a", .text, renamed: "ID")], "columns.id"),
      ([SyncedColumn("a", .text, renamed: "_b")], "columns.a"),
      ([SyncedColumn("a", .text), SyncedColumn("b", .text, derivedFrom: "a")], "columns.b"),
      (
        [
          SyncedColumn("a", .text, isRetired: true),
          SyncedColumn("b", .integer, policy: .counter, derivedFrom: "a"),
        ], "columns.b"
      ),
    ] as [([SyncedColumn], String)])
  func `Former names and derivations do not contradict others`(
    columns: [SyncedColumn], part: String
  ) {
    #expect(place(columns) == "tables.t.\(part)")
  }

  @Test func `A manifest without contradictions is accepted`() {
    #expect(place([SyncedColumn("a", .text)]) == nil)
  }

  @Test func `Versions start at 1`() throws {
    let error = try expect(.invalidManifest) { _ = try Manifest(version: 0, tables: []) }
    #expect(error.place == "version")
  }

  @Test(
    arguments: [
      (["flet"], [], "kinds.flet"), ([], ["flet"], "kinds.flet"),
      (["fleet"], ["fleet"], "kinds.fleet"),
    ] as [(Set<String>, Set<String>, String)])
  func `A claimable or personal kind belongs to a table, and is not both`(
    claimable: Set<String>, personal: Set<String>, place: String
  ) throws {
    let table = SyncedTable("t", scopeKind: "fleet", scopeColumn: "id", columns: [])
    let error = try expect(.invalidManifest) {
      _ = try Manifest(
        version: 1, tables: [table], claimableKinds: claimable, personalKinds: personal)
    }
    #expect(error.place == place)
  }

  @Test(arguments: [("list", 1), ("fleet", 0), ("person", 1)])
  func `A limit is at least 1, and of a shared kind`(kind: String, limit: Int) throws {
    let tables = ["fleet", "person"].map {
      SyncedTable($0, scopeKind: $0, scopeColumn: "id", columns: [])
    }
    for (members, memberships) in [([kind: limit], [:]), ([:], [kind: limit])] {
      let error = try expect(.invalidManifest) {
        _ = try Manifest(
          version: 1, tables: tables, personalKinds: ["person"], memberLimits: members,
          membershipLimits: memberships)
      }
      #expect(error.place == "kinds.\(kind)")
    }
  }

  @Test func `Limits are part of a manifest's JSON and hash`() throws {
    let table = SyncedTable("t", scopeKind: "fleet", scopeColumn: "id", columns: [])
    let plain = try Manifest(version: 1, tables: [table])
    let members = try Manifest(version: 1, tables: [table], memberLimits: ["fleet": 3])
    let memberships = try Manifest(version: 1, tables: [table], membershipLimits: ["fleet": 3])
    #expect(Set([plain, members, memberships].map(\.hash)).count == 3)
    for manifest in [plain, members, memberships] {
      #expect(try Manifest(json: manifest.json()) == manifest)
    }
    #expect(try !String(decoding: plain.json(), as: UTF8.self).contains("Limits"))
  }

  @Test(arguments: ["_t", "", "1t", "t.a", "sqlite_t", "SQLite_t", "tä", "a b"])
  func `A reserved or malformed name is refused`(name: String) {
    #expect(place(name: name) == "tables.\(name)")
    #expect(place(idColumn: name) == "tables.t.idColumn")
    #expect(place(scopeKind: name) == "tables.t.scopeKind")
    #expect(place([SyncedColumn(name, .text)]) == "tables.t.columns.\(name)")
    #expect(
      place([SyncedColumn("a", .text, policy: .rule(name))]) == "tables.t.columns.a.policy")
  }

  @Test func `A duplicate name is refused, even in a different case`() {
    #expect(place([SyncedColumn("a", .text), SyncedColumn("A", .text)]) == "tables.t.columns.a")
    #expect(place([SyncedColumn("ID", .text)]) == "tables.t.columns.id")
    let other = SyncedTable("T", scopeKind: "fleet", scopeColumn: "id", columns: [])
    #expect(place(beside: [other]) == "tables.t")
  }

  @Test func `More tables or columns than the limits allow are refused`() throws {
    let columns = (0...WireLimits.columns).map { SyncedColumn("a\($0)", .text) }
    #expect(place(columns) == "tables.t")
    #expect(place(Array(columns.dropLast())) == nil)
    let tables = (0..<WireLimits.tables).map { number in
      SyncedTable("a\(number)", scopeKind: "fleet", scopeColumn: "id", columns: [])
    }
    #expect(place(beside: tables) == "tables")
  }

  @Test(arguments: [
    nil, SyncedColumn("a", .integer), SyncedColumn("a", .text, isNullable: true),
    SyncedColumn("a", .text, policy: .max), SyncedColumn("a", .text, isSealed: true),
  ])
  func `A scope column is a plain required text`(column: SyncedColumn?) {
    #expect(place(column.map { [$0] } ?? [], scopeColumn: "a") == "tables.t.scopeColumn")
  }

  @Test(arguments: [
    SyncedColumn("a", .text, policy: .counter), SyncedColumn("a", .any, policy: .counter),
    SyncedColumn("a", .integer, policy: .set), SyncedColumn("a", .blob, policy: .keyed),
    SyncedColumn("a", .integer, policy: .ordered(["x", "y"])),
    SyncedColumn("a", .text, policy: .ordered(["x"])),
    SyncedColumn("a", .text, policy: .ordered(["x", "y", "x"])),
    SyncedColumn("a", .text, policy: .max, isSealed: true),
    SyncedColumn("a", .text, policy: .set, isSealed: true),
    SyncedColumn("a", .text, policy: .rule("x"), isSealed: true),
    SyncedColumn("a", .integer, isSealed: true),
  ])
  func `A policy has to fit its column`(column: SyncedColumn) {
    #expect(place([column]) == "tables.t.columns.a")
  }

  @Test(arguments: [
    SyncedColumn("a", .text, reference: "none"), SyncedColumn("a", .text, reference: "other"),
    SyncedColumn("a", .integer, reference: "t"),
    SyncedColumn("a", .text, policy: .set, reference: "t"),
    SyncedColumn("a", .text, isSealed: true, reference: "t"),
  ])
  func `A reference is to a synced table of the same kind of scope`(column: SyncedColumn) {
    let other = SyncedTable("other", scopeKind: "person", scopeColumn: "id", columns: [])
    #expect(place([column], beside: [other]) == "tables.t.columns.a")
    #expect(place([SyncedColumn("a", .text, reference: "t")]) == nil)
  }

  @Test func `The id has to be derived from columns of each unique key`() {
    let columns = [SyncedColumn("a", .text), SyncedColumn("b", .text), SyncedColumn("c", .text)]
    #expect(place(columns, uniqueKeys: [["a", "b"]], idSource: ["a"]) == nil)
    #expect(place(columns, uniqueKeys: [["a", "b"]]) == "tables.t.uniqueKeys")
    #expect(place(columns, uniqueKeys: [["a", "b"]], idSource: ["c"]) == "tables.t.uniqueKeys")
    #expect(
      place(columns, uniqueKeys: [["a", "b"], ["c"]], idSource: ["a"]) == "tables.t.uniqueKeys")
  }

  @Test func `Unique keys and the id's source name existing columns, each once`() {
    let columns = [SyncedColumn("a", .text)]
    #expect(place(columns, uniqueKeys: [["a", "x"]], idSource: ["a"]) == "tables.t.uniqueKeys")
    #expect(place(columns, uniqueKeys: [["a", "a"]], idSource: ["a"]) == "tables.t.uniqueKeys")
    #expect(place(columns, idSource: ["x"]) == "tables.t.idSource")
    #expect(place(columns, idSource: ["a", "a"]) == "tables.t.idSource")
  }

  @Test(arguments: [
    SyncedColumn("a", .text, isNullable: true), SyncedColumn("a", .text, isSealed: true),
    SyncedColumn("a", .text, policy: .max),
  ])
  func `A column that the id is derived from has to be constant`(column: SyncedColumn) {
    #expect(place([column], idSource: ["a"]) == "tables.t.idSource")
  }

  // MARK: - Files

  @Test(arguments: [
    SyncedColumn("a", .text, isFile: true),
    SyncedColumn("a", .text, isNullable: true, isFile: true),
    SyncedColumn("a", .text, isRetired: true, hasDefault: true, isFile: true),
  ])
  func `A file column is a text`(column: SyncedColumn) {
    #expect(place([column, SyncedColumn("b", .text)]) == nil)
  }

  @Test(arguments: [
    SyncedColumn("a", .blob, isFile: true), SyncedColumn("a", .any, isFile: true),
    SyncedColumn("a", .integer, isFile: true),
    SyncedColumn("a", .text, policy: .serverOrder, isFile: true),
    SyncedColumn("a", .text, policy: .set, isFile: true),
    SyncedColumn("a", .text, isSealed: true, isFile: true),
    SyncedColumn("a", .text, reference: "t", isFile: true),
  ])
  func `The server can read each reference of a file column`(column: SyncedColumn) {
    #expect(place([column]) == "tables.t.columns.a")
  }

  @Test func `The scope column is not a file column`() {
    let column = SyncedColumn("a", .text, isFile: true)
    #expect(place([column], scopeColumn: "a") == "tables.t.columns.a")
  }

  @Test(arguments: [true, false])
  func `A file column is derived from another one only`(isFile: Bool) {
    let columns = [
      SyncedColumn("a", .text, isRetired: true, isFile: isFile),
      SyncedColumn("b", .text, derivedFrom: "a", isFile: true),
    ]
    #expect(place(columns) == (isFile ? nil : "tables.t.columns.b"))
    // In the declarations of the present release, the retired column is missing.
    #expect(place([columns[1]]) == nil)
  }

  // MARK: - Writers

  @Test func `An author column is a text that is neither NULL nor sealed nor merged otherwise`() {
    #expect(place([SyncedColumn("a", .text)], writers: .author("a")) == nil)
    let others = [
      SyncedColumn("a", .integer), SyncedColumn("a", .text, isNullable: true),
      SyncedColumn("a", .text, isSealed: true), SyncedColumn("a", .text, policy: .max),
    ]
    for column in others { #expect(place([column], writers: .author("a")) == "tables.t.writers") }
  }

  @Test func `An author column is declared`() {
    #expect(place([SyncedColumn("a", .text)], writers: .author("b")) == "tables.t.writers")
    #expect(place(writers: .author("id")) == "tables.t.writers")
  }
}
