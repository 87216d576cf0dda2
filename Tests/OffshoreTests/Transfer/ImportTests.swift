import Foundation
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(5)))
struct ImportTests {
  private let folder: TemporaryFolder
  private let database: Database

  init() async throws {
    folder = try TemporaryFolder()
    database = try Database.temporary()
    try await database.write { writer in
      try writer.run(Charter.creation)
      try Self.existing.insert(writer)
    }
  }

  private static let existing = Charter(
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), name: "existing",
    location: "Vis", startDate: Date(timeIntervalSinceReferenceDate: 0), guests: 6)

  private static let header = "id,name,location,startDate,guests"
  private static let id = "00000000-0000-0000-0000-0000000000AB"
  private static let row = "\(id),Alma,,0.5,6"

  private func write(_ bytes: Data) throws -> String {
    let path = folder.file("rows")
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @discardableResult
  private func load(
    _ text: String, _ format: TableFormat, existing: ExistingRows = .refuse
  ) async throws -> [Charter] {
    let path = try write(Data(text.utf8))
    try await database.importRows(of: Charter.self, from: path, as: format, existing: existing)
    return try await database.read { try Charter.where { $0.name != "existing" }.all($0) }
  }

  /// Returns the error of an import that leaves the table unchanged.
  private func failure(
    _ bytes: Data, _ format: TableFormat, existing: ExistingRows = .refuse
  ) async throws -> DatabaseError? {
    let path = try write(bytes)
    var failure: DatabaseError?
    do {
      try await database.importRows(of: Charter.self, from: path, as: format, existing: existing)
    } catch {
      failure = error as? DatabaseError
    }
    #expect(try await database.read { try Charter.all.all($0) } == [Self.existing])
    #expect(failure?.table == "charters")
    #expect(failure?.message.hasSuffix(" Nothing was imported.") == true)
    return failure
  }

  private func message(_ lines: String..., format: TableFormat) async throws -> String? {
    let text = lines.joined(separator: "\n")
    let failure = try await failure(Data(text.utf8), format)
    #expect(failure?.code == .invalidValue)
    return failure?.message.replacing(" Nothing was imported.", with: "")
  }

  private func csv(_ lines: String...) async throws -> String? {
    try await message(([Self.header] + lines).joined(separator: "\n"), format: .csv)
  }

  private func json(_ lines: String...) async throws -> String? {
    try await message(lines.joined(separator: "\n"), format: .jsonLines)
  }

  private static func object(_ change: (String, String)...) -> String {
    var members = [
      "id": "\"\(id)\"", "name": "\"Alma\"", "location": "null", "startDate": "0.5",
      "guests": "6",
    ]
    for (key, value) in change { members[key] = value }
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  // MARK: - CSV that is accepted

  @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
  func `Lines have either line break, with or without a last one and a byte order mark`(
    end: String, mark: String
  ) async throws {
    let text = mark + Self.header + end + Self.row
    let charters = try await load(text, .csv)
    #expect(charters.map(\.name) == ["Alma"])
    #expect(charters.first?.location == nil && charters.first?.guests == 6)
    #expect(try await load(text + end, .csv, existing: .replace) == charters)
  }

  @Test func `Columns may be in any order, and values in quotes`() async throws {
    let charters = try await load(
      """
      "guests",name,"id",startDate,location

      "6","a ""quoted""
      text, with lines",\(Self.id),1e3,""

      """, .csv)
    #expect(charters.map(\.name) == ["a \"quoted\"\ntext, with lines"])
    #expect(charters.first?.location == "")
    #expect(charters.first?.startDate == Date(timeIntervalSinceReferenceDate: 1000))
  }

  @Test func `A UUID in lower case is stored in upper case`() async throws {
    try await load(Self.header + "\n" + Self.row.lowercased(), .csv)
    let ids = try await database.read { reader in
      try SQL("SELECT id FROM charters ORDER BY id").all(reader, as: String.self)
    }
    #expect(ids.last == Self.id)
  }

  // MARK: - CSV that is refused

  @Test func `A header that does not match the table is an error with the column`() async throws {
    #expect(
      try await message("", format: .csv)
        == "The file is empty. Its first line must name the columns.")
    #expect(
      try await message("id,name,location,startDate\n", format: .csv)
        == "The header does not name column “guests”.")
    #expect(
      try await message(Self.header + ",port\n", format: .csv)
        == "The header names a column “port” that the table does not have.")
    #expect(
      try await message(Self.header + ",id\n", format: .csv)
        == "The header names column “id” twice.")
  }

  @Test func `A record with a wrong number of values is an error with the line`() async throws {
    #expect(try await csv(Self.row, "a,b") == "Line 3 has 2 values for 5 columns.")
    #expect(
      try await csv(Self.row + ",7")
        == "Line 2 has more than 5 values. Put a value with a comma in quotes.")
  }

  @Test func `Misplaced quotes are errors with the line`() async throws {
    #expect(
      try await csv(Self.row, "\(Self.id),\"never\nclosed,,0,6")
        == "Line 3 has a quote on line 3 that is not closed. Close it.")
    #expect(
      try await csv("\(Self.id),Al\"ma,,0,6")
        == "Line 2 has a quote within a value without quotes. Put the value in quotes, and write two "
        + "for one.")
    #expect(
      try await csv("\(Self.id),\"Al\"ma,,0,6")
        == "Line 2 goes on after a quote was closed. Write two quotes for one within a value.")
    #expect(
      try await csv("\(Self.id),Al\rma,,0,6")
        == "Line 2 has a carriage return without a line feed. End lines by both, or put the value in "
        + "quotes.")
  }

  @Test func `An invalid value is an error with line, column, expected and actual value`()
    async throws
  {
    #expect(
      try await csv(Self.row, "\(Self.id),Alma,\"a\nb\",0,many")
        == "Line 3, column “guests”: expected a number, found a text of 4 bytes.")
    #expect(
      try await csv("\(Self.id),Alma,,0,99999999999999999999")
        == "Line 2, column “guests”: expected an integer of 64 bits, found one of 20 digits.")
    #expect(
      try await csv("\(Self.id),Alma,,0,6.5")
        == "Line 2, column “guests”: expected an integer from -9223372036854775808 to "
        + "9223372036854775807, found a real number.")
    #expect(
      try await csv("\(Self.id),,,0,6") == "Line 2, column “name”: expected a value, found NULL.")
    #expect(
      try await csv("7,Alma,,0,6")
        == "Line 2, column “id”: expected a UUID as text, found a text of 1 bytes.")
  }

  @Test(arguments: ["nan", "NaN", "inf", "0x10", "1e999", "--1", "1.5", "+", "٣", " 1", "1e"])
  func `A text that is not a number is refused`(text: String) async throws {
    let message = try await csv("\(Self.id),Alma,,0,\(text)")
    #expect(message?.hasPrefix("Line 2, column “guests”: expected ") == true)
  }

  @Test func `Text that is not UTF-8 is an error`() async throws {
    var bytes = Data((Self.header + "\n\(Self.id),").utf8)
    bytes.append(contentsOf: [0xFF, 0xFE])
    bytes.append(contentsOf: Data(",,0,6".utf8))
    let failure = try await failure(bytes, .csv)
    #expect(failure?.column == "name")
    #expect(
      failure?.message == "Line 2, column “name”: expected a text in UTF-8, found 2 other bytes. "
        + "Nothing was imported.")
    var header = Data([0xFF])
    header.append(contentsOf: Data(Self.header.utf8))
    #expect(try await self.failure(header, .csv)?.code == .invalidValue)
  }

  // MARK: - JSON Lines

  @Test func `Members of objects may be in any order, and lines may be blank`() async throws {
    let charters = try await load(
      "\u{FEFF}\n" + Self.object(("name", "\"\\u00e9 \\ud83c\\udf0a\""), ("startDate", "1"))
        + "\r\n \n",
      .jsonLines)
    #expect(charters.map(\.name) == ["é 🌊"])
    #expect(charters.first?.startDate == Date(timeIntervalSinceReferenceDate: 1))
  }

  @Test func `A line that is not an object is an error`() async throws {
    #expect(try await json("[]") == "Line 1 is not a JSON object: it lacks an object.")
    #expect(
      try await json(Self.object(), Self.object() + "x")
        == "Line 2 is not a JSON object: it goes on after its end.")
    #expect(
      try await json(String(repeating: "{\"id\":", count: 500))?
        .hasPrefix("Line 1 is not a JSON object: it is nested too deep") == true)
    #expect(try await json("{") != nil)
  }

  @Test func `Keys that do not match the table are errors`() async throws {
    #expect(
      try await json(Self.object(("port", "1"))) == "Line 1 has a key “port” that is not a column.")
    #expect(
      try await json(Self.object().dropLast() + ",\"id\":\"\"}") == "Line 1 has the key “id” twice."
    )
    #expect(try await json("{\"id\":\"\(Self.id)\"}") == "Line 1 lacks the key “name”.")
  }

  @Test func `An invalid JSON value is an error`() async throws {
    #expect(
      try await json(Self.object(("guests", "\"6\"")))
        == "Line 1, column “guests”: expected a number, found a text of 1 bytes.")
    #expect(
      try await json(Self.object(("name", "[1]")))
        == "Line 1, column “name”: expected a text, a number or null, found an array.")
    #expect(
      try await json(Self.object(("name", "true")))
        == "Line 1, column “name”: expected a text, a number or null, found a Boolean.")
    #expect(
      try await json(Self.object(("name", "{\"colour\":\"red\"}")))
        == "Line 1, column “name”: expected a text, a number or null, found an object.")
    #expect(
      try await json(Self.object(("name", "{\"base64\":\"?\"}")))
        == "Line 1, column “name”: expected base64, found a text of 1 bytes.")
    #expect(
      try await json(Self.object(("name", "null")))
        == "Line 1, column “name”: expected a value, found NULL.")
    #expect(
      try await json(Self.object(("name", "\"\\ud800\"")))?.hasPrefix("Line 1 ") == true)
    #expect(
      try await json(Self.object(("guests", "18446744073709551616")))
        == "Line 1, column “guests”: expected an integer of 64 bits, found one of 20 digits.")
  }

  @Test func `A Boolean is a number in a column of numbers`() async throws {
    #expect(try await load(Self.object(("guests", "true")), .jsonLines).map(\.guests) == [1])
  }

  // MARK: - Any format

  @Test func `A line beyond the limit is an error`() async throws {
    let long = Data(repeating: 0x78, count: 100_000_000)
    let quoted = Data((Self.header + "\n\"").utf8) + long
    #expect(
      try await failure(quoted, .csv)?.message
        == "Line 2 is longer than 64 MiB. Check that its quotes are closed. Nothing was imported.")
    #expect(
      try await failure(long, .jsonLines)?.message
        == "Line 1 is longer than 64 MiB. Write one object on each line. Nothing was imported.")
  }

  @Test func `A missing file is an error`() async throws {
    do {
      try await database.importRows(
        of: Charter.self, from: folder.file("nowhere"), as: .csv)
      Issue.record("It was imported.")
    } catch let error as DatabaseError {
      #expect(error.code == .cannotOpen)
      #expect(
        error.message
          == "The file to import cannot be opened. Check that it exists and is readable. "
          + "Nothing was imported.")
    }
  }

  @Test func `An existing key is refused with its line`() async throws {
    let text = Self.header + "\n" + Self.row + "\n\(Self.existing.id),new,,1,2"
    let failure = try await failure(Data(text.utf8), .csv)
    #expect(failure?.code == .constraint)
    #expect(failure?.violation == .unique(columns: ["id"]))
    #expect(failure?.message.hasPrefix("Line 3: A constraint refused the change") == true)
  }

  @Test func `An existing key is replaced if the caller asks, and references to it stay`()
    async throws
  {
    try await database.write { writer in
      try writer.run(
        "CREATE TABLE logs (charterID TEXT REFERENCES charters ON DELETE CASCADE)")
      try writer.run("INSERT INTO logs VALUES (\(Self.existing.id))")
    }
    let text = Self.header + "\n\(Self.existing.id),new,,1,2\n" + Self.row
    #expect(try await load(text, .csv, existing: .replace).map(\.name).sorted() == ["Alma", "new"])
    #expect(try await database.read { try $0.integers("SELECT count(*) FROM logs") } == [1])
  }

  @Test func `Rows can be replaced only in a table with a primary key`() async throws {
    struct Loose: Record {
      var text: String
      static let table = Table("loose", Loose.init(text:), Column("text", \.text))
    }

    try await database.write { try $0.create(Loose.table) }
    let path = try write(Data("text\na\n".utf8))
    do {
      try await database.importRows(of: Loose.self, from: path, as: .csv, existing: .replace)
      Issue.record("It was imported.")
    } catch let error as DatabaseError {
      #expect(error.code == .declaration)
    }
    #expect(try await database.importRows(of: Loose.self, from: path, as: .csv) == 1)
  }

  @Test func `A long import is one change to observations, however many rows it has`()
    async throws
  {
    let rows = (0..<3000).map { _ in "\(UUID()),Alma,,0,6" }
    let path = try write(Data(([Self.header] + rows).joined(separator: "\n").utf8))
    var counts: [Int] = []
    for try await charters in database.values(of: Charter.all) {
      counts.append(charters.count)
      if counts.count == 1 {
        try await database.importRows(of: Charter.self, from: path, as: .csv)
      } else {
        break
      }
    }
    #expect(counts == [1, 3001])
  }

  @Test func `A cancelled import changes nothing`() async throws {
    let (reached, goOn) = (Gate(), Gate())
    try await database.write { writer in
      writer.addPause(reached, goOn)
      try writer.run(
        """
        CREATE TEMP TRIGGER paused AFTER INSERT ON charters WHEN new.name = 'wait'
        BEGIN SELECT pause(); END
        """)
    }
    let rows = ["\(UUID()),wait,,0,6"] + (0..<2000).map { _ in "\(UUID()),Alma,,0,6" }
    let path = try write(Data(([Self.header] + rows).joined(separator: "\n").utf8))
    let importing = Task {
      try await database.importRows(of: Charter.self, from: path, as: .csv)
    }
    await reached.opened()
    importing.cancel()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await importing.value }
    #expect(try await database.read { try Charter.all.count($0) } == 1)
  }
}
