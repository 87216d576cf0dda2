import Offshore
import Testing

@testable import OffshoreTesting

struct SQLTokensLayoutTests {
  @Test func `A layout has the tokens of the statement`() {
    let sql = "CREATE TRIGGER t AFTER INSERT ON a WHEN new.x <> -1 BEGIN SELECT 'a;b'; END"
    #expect(SQLTokens(SQLTokens(sql).layout).text == sql)
  }

  @Test func `A table is laid out by columns, with its options`() {
    let sql = "create table a(x TEXT, /* key */ PRIMARY KEY(x)) WITHOUT ROWID"
    #expect(
      SQLTokens(sql).layout == """
        create table a (
          x TEXT,
          PRIMARY KEY (x)
        ) WITHOUT ROWID
        """)
  }

  @Test func `A trigger is laid out by statements`() {
    let sql = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; SELECT 1; END"
    #expect(
      SQLTokens(sql).layout == """
        CREATE TRIGGER t AFTER INSERT ON a BEGIN
          DELETE FROM b;
          SELECT 1;
        END
        """)
  }
}
