import Foundation
import Offshore

// Mistakes, for Scripts/check-misuses: each line after a comment “error: words” has to be refused
// with these words, and no other line.

enum Kind: String, ColumnValue, CaseIterable { case cash, card }

struct Item: Record, Identifiable {
  let id: UUID
  var title: String
  var kind: Kind
  var price: Decimal
  var share: Float
  var limit: Int?
  var date: Date

  static let table = Table(
    "items", Item.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("kind", \.kind), Column("price", \.price), Column("share", \.share),
    Column("limit", \.limit), Column("date", \.date))
}

struct Short {
  var id: Int
  var title: String

  // error: list one column for each parameter of the initializer
  static let missing = Table("short", Short.init, Column("id", \.id))
  // error: list one column for each parameter of the initializer
  static let swapped = Table("short", Short.init, Column("title", \.title), Column("id", \.id))

  func codecs() {
    // error: the codec after `as:` stores values of another type
    _ = Column<Short, _>("id", \.id, as: .unixSeconds)
  }
}

struct Wide {
  var field0: Int
  var field1: Int
  var field2: Int
  var field3: Int
  var field4: Int
  var field5: Int
  var field6: Int
  var field7: Int
  var field8: Int
  var field9: Int
  var field10: Int
  var field11: Int
  var field12: Int
  var field13: Int
  var field14: Int
  var field15: Int
  var field16: Int
  var field17: Int
  var field18: Int
  var field19: Int
  var field20: Int
  var field21: Int
  var field22: Int
  var field23: Int
  var field24: Int
  var field25: Int
  var field26: Int
  var field27: Int
  var field28: Int
  var field29: Int
  var field30: Int
  var field31: Int
  var field32: Int
  var field33: Int
  var field34: Int
  var field35: Int
  var field36: Int
  var field37: Int
  var field38: Int
  var field39: Int

  // error: list one column for each parameter of the initializer
  static let missing = Table(
    "wide", Wide.init,
    Column("field0", \.field0), Column("field1", \.field1),
    Column("field2", \.field2), Column("field3", \.field3),
    Column("field4", \.field4), Column("field5", \.field5),
    Column("field6", \.field6), Column("field7", \.field7),
    Column("field8", \.field8), Column("field9", \.field9),
    Column("field10", \.field10), Column("field11", \.field11),
    Column("field12", \.field12), Column("field13", \.field13),
    Column("field14", \.field14), Column("field15", \.field15),
    Column("field16", \.field16), Column("field17", \.field17),
    Column("field18", \.field18), Column("field19", \.field19),
    Column("field20", \.field20), Column("field21", \.field21),
    Column("field22", \.field22), Column("field23", \.field23),
    Column("field24", \.field24), Column("field25", \.field25),
    Column("field26", \.field26), Column("field27", \.field27),
    Column("field28", \.field28), Column("field29", \.field29),
    Column("field30", \.field30), Column("field31", \.field31),
    Column("field32", \.field32), Column("field33", \.field33),
    Column("field34", \.field34), Column("field35", \.field35),
    Column("field36", \.field36), Column("field37", \.field37),
    Column("field38", \.field38))
}

func misuses() {
  // error: not sorted in SQL: an enum conforms to SQLComparable
  _ = Item.order { $0.kind }
  // error: requires that 'Decimal' conform to 'SQLComparable'
  _ = Item.order { [$0.price.ascending] }
  // error: not sorted in SQL: an enum conforms to SQLComparable
  _ = Item.where { $0.price > 5 }
  // error: not sorted in SQL: an enum conforms to SQLComparable
  _ = Item.where { $0.kind < .card }
  // error: not calculated with in SQL: an optional gets a value by ??
  _ = Item.where { $0.share / 2 == 1 }
  // error: not calculated with in SQL: an optional gets a value by ??
  _ = Item.where { $0.limit / 2 == 1 }
  // error: not calculated with in SQL: an optional gets a value by ??
  _ = Item.all.group { $0.title }.select { $0.price.sum() }
  // error: rows are chosen by `where`
  _ = Item.filter { $0.title == "Bread" }
  // error: rows are chosen by `where`
  _ = Item.all.filter { $0.title == "Bread" }
}
