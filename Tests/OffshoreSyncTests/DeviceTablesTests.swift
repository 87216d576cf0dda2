import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

struct DeviceTablesTests {
  @Test func `A new file has the tables and indexes of released files`() throws {
    let released = try TestDevice(isInstalled: false)
    try released.connection.execute(Released.tables)
    try released.connection.execute(Released.additions)
    let device = try TestDevice()
    #expect(try device.texts(Self.columns) == released.texts(Self.columns))
    #expect(try device.texts(Self.indexes) == released.texts(Self.indexes))
    #expect(try released.texts(Self.columns).count > 50)
  }

  @Test func `A released file keeps its tables, and its changes are sealed`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.connection.execute(Released.tables)
    try device.run(Released.state)
    let before = try device.texts(Self.columns)
    try device.install()
    let added = [
      "_sent ", "_file ", "_cursor offered ", "_cursor wanted ", "_batch due ",
      "_batch rejection ", "_arrival ", "_dead redone ", "_dead attempts ",
    ]
    #expect(
      try device.texts(Self.columns).filter { line in
        !added.contains { line.hasPrefix($0) }
      } == before)
    #expect(try device.texts(Self.columns).count == before.count + 31)
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    #expect(try device.seal(at: TestDevice.now).lines == ["put c1@1 name"])
    #expect(try device.number("SELECT count(*) FROM _row WHERE scope = 'charter/c1'") == 1)
  }

  @Test func `The batches of a released file count as part of a request`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.connection.execute(Released.tables)
    try device.run(Released.state, "INSERT INTO _cursor (scope, sent) VALUES ('charter/c1', 7)")
    try device.install()
    #expect(try device.number("SELECT offered FROM _cursor") == 7)
    try device.run("UPDATE _cursor SET sent = 9")
    try device.install()
    #expect(try device.number("SELECT offered FROM _cursor") == 7)
  }

  @Test func `The layout and the schema that a release has stored are read`() throws {
    let device = try TestDevice()
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    _ = try device.seal()
    try device.run("UPDATE charters SET name = 'Luna'", Released.layout)
    try device.install()
    #expect(try device.journal() == ["charters/c1 update 1"])
    #expect(try device.seal().lines == ["patch c1@1 name"])
  }

  @Test func `The index of a former version is replaced`() throws {
    let device = try TestDevice()
    let indexes = try device.texts(Self.indexes)
    try device.run(
      "DROP INDEX _dead_restored",
      "CREATE INDEX _dead_lost ON _dead (tbl, id) WHERE code = 'lostByRestore'")
    #expect(try device.texts(Self.indexes) != indexes)
    try device.install()
    #expect(try device.texts(Self.indexes) == indexes)
  }

  @Test func `A table of files of a former version is completed`() throws {
    let device = try TestDevice()
    let (columns, indexes) = (try device.texts(Self.columns), try device.texts(Self.indexes))
    try device.run(
      "DROP INDEX _file_sent", "DROP INDEX _file_awaiting",
      "ALTER TABLE _file DROP COLUMN former", "ALTER TABLE _file DROP COLUMN accepted",
      "CREATE INDEX _file_sent ON _file (due) WHERE own = 1 AND stored = 0 AND refs > 0")
    #expect(try device.texts(Self.columns) != columns)
    try device.install()
    #expect(try device.texts(Self.columns) == columns)
    #expect(try device.texts(Self.indexes) == indexes)
    let index: SQL = "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%_file_sent%former = 1%'"
    #expect(try device.number(index) == 1)
  }

  /// A line for each column of the library's tables, except those for old values. Whether the
  /// integer that numbers the rows may be NULL is left out, because it has no effect.
  private static let columns: SQL = """
    SELECT t.name || ' ' || c.name || ' ' || c.type || ' ' || c.pk || ' '
      || (c."notnull" OR c.pk = 1 AND c.type = 'INTEGER') || ' ' || ifnull(c.dflt_value, '-')
      || ' ' || (SELECT wr FROM pragma_table_list(t.name))
    FROM sqlite_schema t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.name LIKE '\\_%' ESCAPE '\\' AND NOT c.name GLOB 'o[0-9]*'
    ORDER BY t.name, c.cid
    """

  private static let indexes: SQL = """
    SELECT t.name || ' ' || i.name || ' ' || i."unique" || ' ' || i.partial || ' '
      || (SELECT group_concat(ifnull(name, '')) FROM pragma_index_info(i.name))
    FROM sqlite_schema t, pragma_index_list(t.name) i
    WHERE t.type = 'table' AND t.name LIKE '\\_%' ESCAPE '\\' ORDER BY 1
    """
}

/// The statements by which released versions create and fill their tables.
private enum Released {
  static let tables: SQL = """
    CREATE TABLE _state (
      k INTEGER PRIMARY KEY CHECK (k = 1), version INTEGER NOT NULL,
      applying INTEGER NOT NULL DEFAULT 0, batch INTEGER NOT NULL DEFAULT 1,
      device BLOB NOT NULL, clock BLOB NOT NULL, ahead INTEGER, epoch INTEGER NOT NULL DEFAULT 0,
      grants INTEGER NOT NULL DEFAULT 0, layout TEXT NOT NULL, schema TEXT NOT NULL);
    CREATE TABLE _outbox (seq INTEGER PRIMARY KEY, batch, tbl, id, kind, mask);
    CREATE TABLE _moment (batch INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE TABLE _batch (
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, device BLOB NOT NULL, number INTEGER NOT NULL,
      ops INTEGER NOT NULL, made INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
      phase INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0,
      parts BLOB NOT NULL, content BLOB NOT NULL);
    CREATE INDEX _batch_scope ON _batch (scope, device, number);
    CREATE TABLE _row (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB NOT NULL,
      hash INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE TABLE _shadow (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB, reason TEXT,
      PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE INDEX _shadow_hidden ON _shadow (reason) WHERE reason IS NOT NULL;
    CREATE TABLE _cursor (
      scope TEXT PRIMARY KEY NOT NULL, device BLOB, sent INTEGER NOT NULL DEFAULT 0, role INTEGER,
      epoch INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT 0,
      digest INTEGER NOT NULL DEFAULT 0, conflicts INTEGER NOT NULL DEFAULT 0, fetch BLOB,
      doubt INTEGER NOT NULL DEFAULT 0, repairs INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE _page (
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, content BLOB NOT NULL);
    CREATE TABLE _dead (
      number INTEGER PRIMARY KEY, at INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      scope TEXT, code TEXT NOT NULL, message TEXT NOT NULL, op BLOB);
    CREATE TABLE _conflict (
      scope TEXT NOT NULL, number INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      content BLOB NOT NULL, PRIMARY KEY (scope, number)) WITHOUT ROWID;
    CREATE INDEX _conflict_row ON _conflict (tbl, id)
    """

  /// The table and the indexes that later versions add to a released file.
  static let additions: SQL = """
    CREATE TABLE _sent (
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, device BLOB NOT NULL, number INTEGER NOT NULL,
      ops INTEGER NOT NULL, made INTEGER NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL,
      numbered INTEGER NOT NULL, parts BLOB NOT NULL, content BLOB NOT NULL);
    CREATE INDEX _sent_scope ON _sent (scope, device, number);
    CREATE INDEX _sent_at ON _sent (at, bytes);
    ALTER TABLE _cursor ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE _cursor ADD COLUMN wanted BLOB;
    ALTER TABLE _batch ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE _batch ADD COLUMN rejection BLOB;
    CREATE INDEX _batch_postponed ON _batch (due) WHERE phase > 1;
    CREATE INDEX _cursor_wanted ON _cursor (scope) WHERE wanted IS NOT NULL;
    CREATE INDEX _cursor_ended ON _cursor (role) WHERE role IN (4, 5);
    CREATE INDEX _row_absent ON _row (tbl) WHERE hash = 0;
    CREATE INDEX _row_members ON _row (scope) WHERE substr(tbl, 1, 8) = '_members';
    ALTER TABLE _dead ADD COLUMN redone BLOB;
    ALTER TABLE _dead ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX _dead_row ON _dead (tbl, id);
    CREATE INDEX _dead_restored ON _dead (tbl, id) WHERE substr(code, 1, 13) = 'lostByRestore';
    CREATE TABLE _file (
      scope TEXT NOT NULL, hash TEXT NOT NULL, refs INTEGER NOT NULL DEFAULT 0,
      own INTEGER NOT NULL DEFAULT 0, stored INTEGER NOT NULL DEFAULT 0,
      wanted INTEGER NOT NULL DEFAULT 0, unused INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
      due INTEGER NOT NULL DEFAULT 0, problem TEXT, former INTEGER NOT NULL DEFAULT 0,
      accepted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (scope, hash));
    CREATE INDEX _file_sent ON _file (due)
      WHERE own = 1 AND stored = 0 AND accepted = 1 AND (refs > 0 OR former = 1);
    CREATE INDEX _file_awaiting ON _file (scope)
      WHERE own = 1 AND stored = 0 AND accepted = 0;
    CREATE INDEX _file_fetched ON _file (due) WHERE wanted = 1 AND refs > 0;
    CREATE INDEX _file_unused ON _file (unused) WHERE refs <= 0;
    CREATE INDEX _file_hash ON _file (hash);
    CREATE TABLE _arrival (scope TEXT PRIMARY KEY NOT NULL, idle INTEGER) WITHOUT ROWID
    """

  /// The row of a device that has not made any edit yet.
  static let state: SQL = """
    INSERT INTO _state (k, version, device, clock, layout, schema) VALUES (
      1, 1, \(Data(TestDevice.id.encoded())),
      \(Data(HybridClock(device: TestDevice.id).latest.encoded())),
      '{"tables":[]}', '{"version":0,"tables":{}}')
    """

  /// The text of the layout and the schema in any order of keys.
  static let layout: SQL = """
    UPDATE _state SET
      layout = '{"tables":[{"name":"charters","columns":["name"]},{"columns":["charterID","title",'
        || '"note","hours","votes","items","isOpen"],"name":"tasks"}]}',
      schema = '{"version":1,"tables":{"tasks":["charterID","title","note","hours","votes",'
        || '"items"],"charters":["name"]}}'
    """
}
