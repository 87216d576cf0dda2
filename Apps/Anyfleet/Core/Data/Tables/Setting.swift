import Offshore

/// A fact about this device, by a name of the source code.
struct Setting: Equatable, Sendable {
  var name: String
  var value: String
}

extension Setting: Record {
  static let table = Table(
    "settings", Setting.init,
    Column("name", \.name).primaryKey(),
    Column("value", \.value))
}

extension Setting: Identifiable {
  var id: String { name }
}
