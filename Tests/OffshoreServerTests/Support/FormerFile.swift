import Offshore

/// The form of a server's file in former releases.
enum FormerFile {
  /// Undoes the migrations of a version and later ones, in a file that has all of them.
  static func undo(from version: String, _ writer: Writer) throws {
    let undone = changes.filter { $0.name >= version }
    for statement in undone.flatMap(\.statements) { try SQL(raw: statement).run(writer) }
    try SQL("DELETE FROM _migrations WHERE name >= \(version)").run(writer)
  }

  /// The statements that undo each migration, the last one first.
  private static let changes: [(name: String, statements: [String])] = [
    ("v1.8.7", ["DROP INDEX blob_scope", "CREATE INDEX blob_scope ON blob(scope)"]),
    (
      "v1.8.6",
      [
        "DROP TABLE blob_reference", "DROP INDEX blob_unused",
        "ALTER TABLE blob DROP COLUMN unused",
      ]
    ),
    ("v1.8.5", ["DROP TABLE removed_account", "DROP INDEX blob_scope"]),
    ("v1.8.4", ["ALTER TABLE account DROP COLUMN disabled"]),
    ("v1.8.3", [#"ALTER TABLE "grant" DROP COLUMN conflicts"#]),
    ("v1.8.2", [#"ALTER TABLE "grant" DROP COLUMN start"#]),
    ("v1.8.1", ["uses", "label", "title"].map { "ALTER TABLE invitation DROP COLUMN \($0)" }),
    (
      "v1.7.6",
      [
        """
        CREATE TABLE former(
          scope TEXT NOT NULL, device BLOB NOT NULL, n INTEGER NOT NULL, hash BLOB NOT NULL,
          outcome BLOB NOT NULL, id BLOB, time INTEGER NOT NULL DEFAULT 5,
          PRIMARY KEY (scope, device, n)) STRICT
        """,
        "INSERT INTO former SELECT * FROM result", "DROP TABLE result",
        "ALTER TABLE former RENAME TO result",
        "CREATE INDEX result_id ON result(device, id, scope)",
      ]
    ),
    (
      "v1.7.5",
      ["DROP INDEX scope_payer"]
        + ["row_count", "row_bytes", "payer"].map { "ALTER TABLE scope DROP COLUMN \($0)" }
    ),
    ("v1.7.4", ["DROP INDEX row_removed", #"ALTER TABLE "row" DROP COLUMN removed"#]),
    ("v1.7.3", ["DROP INDEX conflict_time", #"ALTER TABLE "conflict" DROP COLUMN time"#]),
    ("v1.7.2", ["DROP TABLE claim"]),
    (
      "v1.7.1",
      [
        "DROP INDEX result_id", "ALTER TABLE result DROP COLUMN id",
        "ALTER TABLE result DROP COLUMN time",
      ]
    ),
    ("v1.6.0", ["DROP TABLE tombstone_mark"]),
    (
      "v1.5.0",
      ["DROP INDEX device_owner"]
        + ["account", "forbidden_ops"].map { "ALTER TABLE device DROP COLUMN \($0)" }
    ),
  ]
}
