import Offshore

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
    ]
  }

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
