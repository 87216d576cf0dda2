import Testing

@testable import Offshore

struct SQLTokensTests {
  @Test(arguments: [
    ("CREATE  TABLE\n a(x,y)", "CREATE TABLE a(x, y)"),
    ("SELECT /* all */ * FROM a -- end", "SELECT * FROM a"),
    (
      "SELECT \"name\", `order`, [two words] FROM \"t\"",
      "SELECT name, \"order\", \"two words\" FROM t"
    ),
    ("'it''s -- no comment'", "'it''s -- no comment'"),
    ("a<=b||c->>'$.x'", "a <= b || c ->> '$.x'"),
    ("x'0AF1'", "x'0AF1'"),
    ("- 1 + -2.5e-3 - - a", "-1 + -2.5e-3 - -a"),
    ("- -1", "- -1"),
    ("count( * ) IN(1,2)", "count(*) IN (1, 2)"),
    ("CHECK(a>0)", "CHECK (a > 0)"),
    ("VARCHAR ( 10 )", "VARCHAR(10)"),
    ("main . a", "main.a"),
    ("\"a\"\"b\"", "\"a\"\"b\""),
    ("größe = :p", "größe = : p"),
    ("", ""),
  ])
  func `Spacing is made uniform and unnecessary quotes are removed`(
    _ sql: String, _ text: String
  ) {
    #expect(SQLTokens(sql).text == text)
  }

  @Test(arguments: ["'open", "\"open", "[open", "/* open", "x'0", "(", "1e", "."])
  func `An unterminated text is cut off without a trap`(_ sql: String) {
    #expect(SQLTokens(SQLTokens(sql).text).tokens.count <= 2)
  }

  @Test func `Uniform text is unchanged`() {
    let sql = "CREATE TRIGGER t AFTER INSERT ON a WHEN new.x <> -1 BEGIN SELECT 'a;b'; END"
    #expect(SQLTokens(sql).text == sql)
  }

  @Test func `Definitions are split at the outermost commas only`() {
    let tokens = SQLTokens("CREATE TABLE a (x DECIMAL(10, 2), CHECK (x IN (1, 2)), y TEXT) STRICT")
    #expect(
      tokens.definitions.map { SQLTokens.text(of: $0) }
        == ["x DECIMAL(10, 2)", "CHECK (x IN (1, 2))", "y TEXT"])
  }

  @Test(arguments: ["", " \n", ";;", "-- x", "/* x */ ; -- y\n", "/* open"])
  func `Space, comments and semicolons are not a statement`(_ sql: String) {
    #expect(SQLTokens.isBlank(sql))
  }

  @Test(arguments: ["SELECT 1", "-- x\nSELECT 1", "'", "; ; x"])
  func `Any other text is a statement`(_ sql: String) {
    #expect(!SQLTokens.isBlank(sql))
  }

  @Test(arguments: [
    ("name", "name"), ("order", "\"order\""), ("", "\"\""), ("1a", "\"1a\""), ("a b", "\"a b\""),
    ("_x1", "_x1"), ("a\"b", "\"a\"\"b\""), ("größe", "\"größe\""),
  ])
  func `A name is quoted if SQL requires it`(_ name: String, _ text: String) {
    #expect(name.plainIdentifier == text)
  }
}
