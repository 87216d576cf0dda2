import Offshore
import OffshoreWire
import TestSupport

/// A row that refers to a file, which every device with the row has.
struct Photo: Record {
  let id: String
  let boardID: String
  let title: String
  let file: String?

  static let name = "photos"

  static let table = Table(
    name, Photo.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("file", \.file))

  /// The statements that create the table, and that of settings, in which the queue of files looks for
  /// references.
  static let creation: [SQL] = [
    """
    CREATE TABLE photos (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      title TEXT NOT NULL, file TEXT)
    """,
    "CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)",
  ]
}

/// The work of a user on photos.
extension LocalWork {
  mutating func makePhoto(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "f\(device.text().dropFirst())"
    let file = addFile()
    let title = text(Photo.name, id, "title")
    try SQL("INSERT INTO photos VALUES (\(id), \(board), \(title), \(file.text))").run(writer)
    say("make photos/\(id) of \(file.spelled) in \(board)")
  }

  mutating func changePhoto(_ writer: Writer) throws {
    guard let id = try pick(Photo.name, writer) else { return }
    switch random.number(below: 6) {
    case 0:
      let title = text(Photo.name, id, "title")
      try SQL("UPDATE photos SET title = \(title) WHERE id = \(id)").run(writer)
      say("change photos/\(id)")
    case 1:
      try SQL("UPDATE photos SET file = NULL WHERE id = \(id)").run(writer)
      say("change photos/\(id) to no file")
    default:
      let file = addFile()
      try SQL("UPDATE photos SET file = \(file.text) WHERE id = \(id)").run(writer)
      say("change photos/\(id) to \(file.spelled)")
    }
  }

  mutating func movePhoto(_ writer: Writer) throws {
    guard let id = try pick(Photo.name, writer),
      let from = try SQL("SELECT boardID FROM photos WHERE id = \(id)").first(
        writer, as: String.self),
      let board = try pick("boards", writer, where: "id <> \(from)")
    else { return }
    try SQL("UPDATE photos SET boardID = \(board) WHERE id = \(id)").run(writer)
    say("move photos/\(id) from \(from) to \(board)")
  }

  mutating func deletePhoto(_ writer: Writer) throws { try delete(Photo.name, writer) }

  /// Adds a file to the device. Some contents are added again, also by other devices.
  private mutating func addFile() -> BlobReference {
    let content = random.chance(25) ? "shared \(random.number(below: 3))" : device.text()
    return device.folder.add(Array(content.utf8), at: time)
  }
}

extension BlobReference {
  /// The first digits of the hash, for a trace.
  var spelled: String { hash.spelled }

  /// The file to which a value of a file column refers.
  init?(_ value: WireValue?) {
    guard let text = value?.string else { return nil }
    self.init(text)
  }
}

extension ContentHash {
  /// The first digits, for a trace.
  var spelled: String { String(description.prefix(6)) }
}

extension Op {
  /// The files to which the edit refers.
  var files: [ContentHash] {
    row.table == Photo.name ? [BlobReference(fields["file"])].compactMap { $0?.hash } : []
  }
}
