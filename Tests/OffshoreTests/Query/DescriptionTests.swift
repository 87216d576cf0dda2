import Foundation
import Offshore
import Testing

/// Descriptions of statements, queries and tables.
struct DescriptionTests {
  @Test func `A statement is described without its values, and for debugging with them`() {
    let name = "Alma"
    let sql: SQL = "SELECT * FROM charters WHERE name = \(name) AND guests > \(4)"
    #expect("\(sql)" == "SELECT * FROM charters WHERE name = ? AND guests > ?")
    #expect(
      String(reflecting: sql)
        == "SELECT * FROM charters WHERE name = ? AND guests > ? ['Alma', 4]")
    #expect(String(reflecting: SQL("SELECT 1")) == "SELECT 1")
  }

  @Test func `A query is described by its statement`() {
    let query = Charter.where { $0.name == "Alma" }.order { $0.startDate }.limit(3)
    #expect("\(query)" == query.sql.text)
    #expect(!"\(query)".contains("Alma"))
    #expect("\(Charter.all)".hasPrefix("SELECT \"id\", \"name\""))
  }

  @Test func `Joins, groups and rows with others are described like queries`() {
    let join = Checklist.joining(Charter.self).where { _, charter in charter.name == "Alma" }
    #expect("\(join)" == join.sql.text && "\(join)".contains("JOIN \"charters\""))
    let names = Charter.all.select { $0.name }.distinct()
    #expect("\(names)" == names.sql.text && "\(names)".contains("DISTINCT"))
    let including = Charter.including(Checklist.all)
    #expect("\(including)" == including.sql.text)
  }

  @Test func `A table is described by its name and columns`() {
    #expect("\(Charter.table)" == "charters (id, name, location, startDate, guests)")
  }
}
