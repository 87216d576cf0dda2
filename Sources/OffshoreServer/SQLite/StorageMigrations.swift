import Foundation
import Offshore
import OffshoreWire

/// The migrations of a server's file.
///
/// They are written in SQL rather than by the tables, because a file of any age may run them, and
/// the tables change. A test compares the tables with the result.
enum StorageMigrations {
  /// Returns all migrations.
  /// - Parameter epoch: the epoch of a new file.
  static func all(epoch: UInt64) -> Migrations {
    [
      Migration("v1.0.0_createLog") { writer in
        for table in tables { try SQL(raw: table).run(writer) }
        try SQL("INSERT INTO log(k, epoch) VALUES (1, \(Int64(bitPattern: epoch)))").run(writer)
      },
      Migration("v1.1.0_createAccounts") { writer in
        for table in accountTables { try SQL(raw: table).run(writer) }
      },
      Migration("v1.2.0_createIdempotency") { writer in
        for table in idempotencyTables { try SQL(raw: table).run(writer) }
      },
      Migration("v1.3.0_createBlobs") { writer in
        for table in blobTables { try SQL(raw: table).run(writer) }
      },
      Migration("v1.4.0_createManifest") { writer in
        try SQL(
          "CREATE TABLE manifest(k INTEGER PRIMARY KEY CHECK (k = 1), json BLOB NOT NULL) STRICT"
        ).run(writer)
      },
      Migration("v1.5.0_bindDevices") { writer in
        for change in deviceChanges { try SQL(raw: change).run(writer) }
      },
      Migration("v1.6.0_createTombstoneMarks") { writer in
        try SQL(
          """
          CREATE TABLE tombstone_mark(
            scope TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (scope, seq)
          ) STRICT, WITHOUT ROWID
          """
        ).run(writer)
      },
      Migration("v1.7.0_limitRefusals") { writer in try SQL(raw: refusalLimit).run(writer) },
      Migration("v1.7.1_recordBatchIDs") { writer in
        for change in resultChanges(at: SystemClock.now()) { try SQL(raw: change).run(writer) }
      },
      Migration("v1.7.2_countClaims") { writer in
        for change in claimChanges { try SQL(raw: change).run(writer) }
      },
      Migration("v1.7.3_dateConflicts") { writer in
        for change in conflictChanges(at: SystemClock.now()) { try SQL(raw: change).run(writer) }
      },
      Migration("v1.7.4_findRemovedKeys") { writer in
        for change in removedKeyChanges { try SQL(raw: change).run(writer) }
      },
      Migration("v1.7.5_countRows") { writer in
        for change in usageChanges { try SQL(raw: change).run(writer) }
        try StoredUsage.count(writer)
      },
      Migration("v1.7.6_clusterResults") { writer in
        for change in resultClustering { try SQL(raw: change).run(writer) }
      },
      Migration("v1.8.0_addMembers") { writer in try StoredMembers.add(writer) },
      Migration("v1.8.1_extendInvitations") { writer in
        for change in invitationChanges { try SQL(raw: change).run(writer) }
      },
      Migration("v1.8.2_startReading") { writer in
        try SQL(#"ALTER TABLE "grant" ADD COLUMN start INTEGER"#).run(writer)
      },
      // Members so far receive all conflicts, because the times at which they joined are unknown.
      Migration("v1.8.3_startConflicts") { writer in
        try SQL(#"ALTER TABLE "grant" ADD COLUMN conflicts INTEGER NOT NULL DEFAULT 0"#).run(writer)
      },
      Migration("v1.8.4_disableAccounts") { writer in
        try SQL("ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0").run(writer)
      },
      Migration("v1.8.5_removeAccounts") { writer in
        for change in removalChanges { try SQL(raw: change).run(writer) }
      },
      Migration("v1.8.6_recordBlobUse") { writer in
        for change in blobUseChanges { try SQL(raw: change).run(writer) }
      },
      // The sum of a scope's blobs is read with each part of a blob.
      Migration("v1.8.7_sumBlobs") { writer in
        try SQL("DROP INDEX blob_scope").run(writer)
        try SQL("CREATE INDEX blob_scope ON blob(scope, bytes)").run(writer)
      },
    ]
  }

  /// Removes refused ops beyond the latest 64 of a device and row, except for the insertion of the
  /// lowest generation.
  private static let refusalLimit = """
    DELETE FROM refusal WHERE k IN (
      SELECT k FROM (
        SELECT k,
          row_number() OVER (PARTITION BY scope, device, tbl, id ORDER BY k DESC) AS place,
          row_number() OVER (
            PARTITION BY scope, device, tbl, id ORDER BY is_insertion DESC, gen, k) AS rank,
          is_insertion
        FROM refusal)
      WHERE place > 64 AND NOT (is_insertion <> 0 AND rank = 1))
    """

  /// Statements that add the id and the time of results. Existing results have no id, and count as
  /// stored now.
  private static func resultChanges(at now: Int64) -> [String] {
    [
      "ALTER TABLE result ADD COLUMN id BLOB",
      "ALTER TABLE result ADD COLUMN time INTEGER NOT NULL DEFAULT \(now)",
      "CREATE INDEX result_id ON result(device, id, scope)",
    ]
  }

  /// Statements that count the claims of accounts. The scopes that an account owns count as claimed.
  private static let claimChanges = [
    "CREATE TABLE claim(account BLOB PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    #"INSERT INTO claim SELECT account, count(*) FROM "grant" WHERE role = 1 GROUP BY account"#,
  ]

  /// Statements that add the time of conflicts. Existing ones count as stored now.
  private static func conflictChanges(at now: Int64) -> [String] {
    [
      #"ALTER TABLE "conflict" ADD COLUMN time INTEGER NOT NULL DEFAULT \#(now)"#,
      #"CREATE INDEX conflict_time ON "conflict"(time)"#,
    ]
  }

  /// Statements that add the time of the oldest removed key of a row. It is unknown for existing
  /// rows.
  private static let removedKeyChanges = [
    #"ALTER TABLE "row" ADD COLUMN removed INTEGER"#,
    #"CREATE INDEX row_removed ON "row"(removed) WHERE removed IS NOT NULL"#,
  ]

  /// Statements that add the rows and bytes of scopes, and the account that they count for.
  private static let usageChanges = [
    "ALTER TABLE scope ADD COLUMN row_count INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE scope ADD COLUMN row_bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE scope ADD COLUMN payer BLOB",
    "CREATE INDEX scope_payer ON scope(payer)",
  ]

  private static let invitationChanges = [
    "ALTER TABLE invitation ADD COLUMN uses INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE invitation ADD COLUMN label TEXT",
    "ALTER TABLE invitation ADD COLUMN title TEXT",
  ]

  /// Statements that add the ids of removed accounts, and let the blobs of a scope be found.
  private static let removalChanges = [
    "CREATE TABLE removed_account(id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
    "CREATE INDEX blob_scope ON blob(scope)",
  ]

  /// Statements that add the references of rows to blobs. An existing file has no references, because
  /// former manifests lack file columns.
  private static let blobUseChanges = [
    "ALTER TABLE blob ADD COLUMN unused INTEGER",
    "CREATE INDEX blob_unused ON blob(unused)",
    """
    CREATE TABLE blob_reference(
      scope TEXT NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL, col TEXT NOT NULL,
      hash BLOB NOT NULL, PRIMARY KEY (scope, tbl, id, col)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX blob_reference_hash ON blob_reference(scope, hash)",
  ]

  /// Statements that store results in the order of their key, so that a batch writes one tree less.
  private static let resultClustering = [
    """
    CREATE TABLE clustered(
      scope TEXT NOT NULL, device BLOB NOT NULL, n INTEGER NOT NULL, hash BLOB NOT NULL,
      outcome BLOB NOT NULL, id BLOB, time INTEGER NOT NULL, PRIMARY KEY (scope, device, n)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO clustered SELECT scope, device, n, hash, outcome, id, time FROM result
    ORDER BY scope, device, n
    """,
    "DROP TABLE result",
    "ALTER TABLE clustered RENAME TO result",
    "CREATE INDEX result_id ON result(device, id, scope)",
  ]

  /// NB: Texts are compared by their bytes, like rows and scopes in Swift.
  private static let tables = [
    "CREATE TABLE log(k INTEGER PRIMARY KEY CHECK (k = 1), epoch INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE scope(
      id TEXT PRIMARY KEY, head INTEGER NOT NULL, min_seq INTEGER NOT NULL,
      digest INTEGER NOT NULL, conflicts INTEGER NOT NULL, epoch INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // A row's stamp, versions and values are stored in `state`, encoded as in messages: no
    // statement selects them one by one.
    """
    CREATE TABLE "row"(
      scope TEXT NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL,
      gen INTEGER NOT NULL, presence INTEGER NOT NULL, state BLOB NOT NULL,
      PRIMARY KEY (scope, tbl, id)
    ) STRICT
    """,
    #"CREATE UNIQUE INDEX row_seq ON "row"(scope, seq)"#,
    #"CREATE INDEX row_tombstone ON "row"(scope, seq) WHERE presence <> 0"#,
    """
    CREATE TABLE reference(
      scope TEXT NOT NULL, parent_tbl TEXT NOT NULL, parent_id TEXT NOT NULL, tbl TEXT NOT NULL,
      id TEXT NOT NULL, PRIMARY KEY (scope, parent_tbl, parent_id, tbl, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE device(
      scope TEXT NOT NULL, device BLOB NOT NULL, last_n INTEGER NOT NULL,
      acked_seq INTEGER NOT NULL, has_refusals INTEGER NOT NULL,
      PRIMARY KEY (scope, device)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE result(
      scope TEXT NOT NULL, device BLOB NOT NULL, n INTEGER NOT NULL, hash BLOB NOT NULL,
      outcome BLOB NOT NULL, PRIMARY KEY (scope, device, n)
    ) STRICT
    """,
    """
    CREATE TABLE refusal(
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, device BLOB NOT NULL, tbl TEXT NOT NULL,
      id TEXT NOT NULL, gen INTEGER NOT NULL, is_insertion INTEGER NOT NULL, stamp BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX refusal_row ON refusal(scope, device, tbl, id)",
    """
    CREATE TABLE "conflict"(
      scope TEXT NOT NULL, number INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      content BLOB NOT NULL, PRIMARY KEY (scope, number)
    ) STRICT
    """,
    #"CREATE INDEX conflict_row ON "conflict"(scope, tbl, id, number)"#,
    """
    CREATE TABLE "grant"(
      account BLOB NOT NULL, scope TEXT NOT NULL, role INTEGER NOT NULL, seq INTEGER NOT NULL,
      PRIMARY KEY (account, scope)
    ) STRICT, WITHOUT ROWID
    """,
    #"CREATE UNIQUE INDEX grant_seq ON "grant"(account, seq)"#,
  ]

  /// Statements that add the account of a device and the number of its stored refused ops. The
  /// account of an existing device is unknown.
  private static let deviceChanges = [
    "ALTER TABLE device ADD COLUMN account BLOB",
    "ALTER TABLE device ADD COLUMN forbidden_ops INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX device_owner ON device(device, account)",
  ]

  private static let accountTables = [
    """
    CREATE TABLE account(
      id BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
      created INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE token(
      hash BLOB PRIMARY KEY, account BLOB NOT NULL REFERENCES account ON DELETE CASCADE,
      label TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX token_account ON token(account)",
    "CREATE INDEX token_expires ON token(expires)",
    """
    CREATE TABLE invitation(
      hash BLOB PRIMARY KEY, scope TEXT NOT NULL, role INTEGER NOT NULL,
      inviter BLOB NOT NULL REFERENCES account ON DELETE CASCADE, expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX invitation_scope ON invitation(scope)",
    "CREATE INDEX invitation_inviter ON invitation(inviter)",
    "CREATE INDEX invitation_expires ON invitation(expires)",
    #"CREATE INDEX grant_scope ON "grant"(scope)"#,
  ]

  private static let idempotencyTables = [
    """
    CREATE TABLE idempotency(
      key BLOB PRIMARY KEY, request BLOB NOT NULL, scope TEXT NOT NULL, tbl TEXT NOT NULL,
      id TEXT NOT NULL, expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX idempotency_expires ON idempotency(expires)",
  ]

  private static let blobTables = [
    """
    CREATE TABLE blob(
      hash BLOB NOT NULL, scope TEXT NOT NULL, account BLOB NOT NULL, bytes INTEGER NOT NULL,
      PRIMARY KEY (hash, scope)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX blob_account ON blob(account, bytes)",
    """
    CREATE TABLE upload(
      account BLOB NOT NULL, hash BLOB NOT NULL, bytes INTEGER NOT NULL, expires INTEGER NOT NULL,
      PRIMARY KEY (account, hash)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX upload_expires ON upload(expires)",
  ]
}

/// The rows of the members of an existing file's scopes.
private enum StoredMembers {
  private typealias Found = (scope: String, account: Data, name: String, role: Int64)

  /// Adds them to the scopes that have changes, without the unknown times of the memberships.
  static func add(_ writer: Writer) throws {
    let manifest = try SQL("SELECT json FROM manifest").first(writer, as: Data.self)
    let personal = try manifest.map { try Manifest(json: $0).personalKinds } ?? []
    let found: [Found] = try SQL(
      """
      SELECT s.id, a.id, a.name, g.role FROM scope s JOIN "grant" g ON g.scope = s.id
      JOIN account a ON a.id = g.account WHERE s.head > 0 AND g.role <= 3
      """
    ).all(writer, as: String.self, Data.self, String.self, Int64.self)
    for (scope, members) in Dictionary(grouping: found, by: \.scope).sorted(by: { $0.key < $1.key })
    where try !personal.contains(ScopeID(scope).kind) {
      try add(members, to: scope, writer)
    }
  }

  private static func add(_ members: [Found], to scope: String, _ writer: Writer) throws {
    let former = try SQL("SELECT head, digest FROM scope WHERE id = \(scope)")
      .first(writer, as: Int64.self, Int64.self)
    guard var (head, sum) = former else { return }
    var digest = Digest(value: UInt64(bitPattern: sum))
    for member in members.sorted(by: { $0.name < $1.name }) {
      guard let role = UInt8(exactly: member.role).flatMap(Role.init(rawValue:)) else { continue }
      let row = MemberRow(
        account: try DeviceID(stored: member.account).uuid, name: member.name, role: role,
        since: nil)
      let state = RowState(
        stamp: Stamp(milliseconds: SystemClock.now(), device: .server), fields: row.fields)
      let id = MemberRow.id(of: row.account)
      head += 1
      digest.add(state, of: id)
      try SQL(
        """
        INSERT INTO "row" (scope, tbl, id, seq, gen, presence, state)
        VALUES (\(scope), \(id.table), \(id.id), \(head), 1, 0, \(Data(state.encoded())))
        """
      ).run(writer)
    }
    sum = Int64(bitPattern: digest.value)
    try SQL("UPDATE scope SET head = \(head), digest = \(sum) WHERE id = \(scope)").run(writer)
  }
}

/// The rows and bytes of each scope of an existing file.
private enum StoredUsage {
  /// Counts them, and stores them with the scopes.
  static func count(_ writer: Writer) throws {
    var usage: [String: StorageUsage] = [:]
    let living = SQL(#"SELECT scope, state FROM "row" WHERE presence = 0"#)
    try living.forEach(writer, as: String.self, Data.self) { scope, state in
      let state = try RowState(decoding: Array(state))
      usage[scope, default: StorageUsage()] =
        (usage[scope] ?? StorageUsage()) + StorageUsage(rows: 1, bytes: Int64(state.byteCount))
    }
    for (scope, usage) in usage {
      try SQL(
        """
        UPDATE scope SET row_count = \(usage.rows), row_bytes = \(usage.bytes) WHERE id = \(scope)
        """
      ).run(writer)
    }
  }
}
