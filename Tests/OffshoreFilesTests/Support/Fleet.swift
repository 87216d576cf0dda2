import Foundation
import Offshore
import OffshoreFiles
import Synchronization

/// Two types of elements with a log, for the tests of groups.
struct Boat: LoggedElement {
  let id: UUID
  var name: String

  static let fileName = "boats.json"

  static func edit(_ edit: ElementEdit<Self>) -> FleetEdit { .boat(edit) }

  /// Returns the boat with a number.
  init(_ number: UInt8, _ name: String = "") { self.init(id: UUID(number), name: name) }

  init(id: UUID, name: String) { (self.id, self.name) = (id, name) }
}

struct Port: LoggedElement {
  let id: UUID
  var depth: Double

  static let fileName = "ports.json"

  static func edit(_ edit: ElementEdit<Self>) -> FleetEdit { .port(edit) }

  init(_ number: UInt8, depth: Double = 0) { self.init(id: UUID(number), depth: depth) }

  init(id: UUID, depth: Double) { (self.id, self.depth) = (id, depth) }
}

enum FleetEdit: LoggedEdit {
  case boat(ElementEdit<Boat>)
  case port(ElementEdit<Port>)

  static let elementTypes: [any LoggedElement<FleetEdit>.Type] = [Boat.self, Port.self]

  var typed: any TypedEdit<FleetEdit> {
    switch self {
    case .boat(let edit): edit
    case .port(let edit): edit
    }
  }

  /// Returns an edit of a boat.
  static func boat(_ before: Boat?, _ after: Boat?, at index: Int? = nil) -> FleetEdit {
    .boat(ElementEdit(before, after, at: index))
  }
}

struct FleetChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [FleetEdit]

  static let fileName = "changes.json"
  static let logLimit = 5
}

/// An element that the groups of the fleet do not have.
struct Buoy: LoggedElement {
  let id: UUID
  static let fileName = "buoys.json"

  // NB: Its edits are those of the fleet, which does not list its type.
  static func edit(_ edit: ElementEdit<Self>) -> FleetEdit { .boat(nil, nil) }
}

extension UUID {
  init(_ number: UInt8) { self.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)) }
}

// MARK: - Rows

/// The row of an element of the fleet, as JSON.
struct FleetRow<Element: Codable & Hashable & Identifiable & Sendable>: Record, Identifiable
where Element.ID == UUID {
  let id: UUID
  var json: String
  var position: Int
  /// The number of the transaction in which the row was stored.
  var owner: Int

  static var table: Table<Self> {
    Table(
      "\(Element.self)", Self.init, Column("id", \.id).primaryKey(), Column("json", \.json),
      Column("position", \.position), Column("owner", \.owner))
  }

  static func collection(_ database: Database) -> TableCollection<Element, Self> {
    TableCollection(
      database,
      rows: order {
        $0.position
        $0.id
      }, position: \.position,
      makeRows: { writer in
        let owner = try SQL("SELECT total_changes()").first(writer, as: Int.self) ?? 0
        return { element, position in
          let json = (try? JSONEncoder().encode(element)).map {
            String(decoding: $0, as: UTF8.self)
          }
          return FleetRow(id: element.id, json: json ?? "", position: position, owner: owner)
        }
      }, makeElement: { try JSONDecoder().decode(Element.self, from: Data($0.json.utf8)) })
  }
}

extension Boat: StoredElement {
  static let rows: Table<ElementRow<Boat>> = Table(
    "boats", makeRow, Column("id", \.id).primaryKey(), Column("name", \.element.name),
    Column("position", \.position), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, name: String, position: Int, userID: UUID
  ) -> ElementRow<Boat> {
    ElementRow(Boat(id: id, name: name), position: position, userID: userID)
  }
}

extension Port: StoredElement {
  static let rows: Table<ElementRow<Port>> = Table(
    "ports", makeRow, Column("id", \.id).primaryKey(), Column("depth", \.element.depth),
    Column("position", \.position), Column("userID", \.userID))

  @Sendable private static func makeRow(
    id: UUID, depth: Double, position: Int, userID: UUID
  ) -> ElementRow<Port> {
    ElementRow(Port(id: id, depth: depth), position: position, userID: userID)
  }
}

extension FleetChange: StoredChange {
  static let rows = ChangeRow<FleetChange>.makeTable()
}

/// The kinds of groups, all of which pass the same tests.
enum FleetEngine: CaseIterable {
  case files, shared, table, rows, memory

  /// Whether several groups of one place are independent, as those of several processes are.
  var isSeparate: Bool { self == .files || self == .table || self == .rows }

  /// Returns a place without elements.
  func makePlace() throws -> FleetPlace {
    switch self {
    case .files:
      let folder = try TestFolder()
      return FleetPlace(keeping: folder) { FileGroup<FleetChange>(folder.open()) }
    case .shared:
      let folder = try TestFolder()
      return FleetPlace(keeping: folder) { SharedGroup<FleetChange>(folder.path) }
    case .table:
      let migration = Migration(
        "v1", .create(FleetRow<Boat>.table), .create(FleetRow<Port>.table),
        .create(FleetRow<FleetChange>.table))
      let database = try Database.temporary(migrations: [migration])
      return FleetPlace(keeping: database) {
        TableGroup<FleetChange>(
          database, [FleetRow<Boat>.collection(database), FleetRow<Port>.collection(database)],
          log: FleetRow<FleetChange>.collection(database))
      }
    case .rows:
      let migration = Migration(
        "v1", .create(Boat.rows), .create(Port.rows), .create(FleetChange.rows))
      let database = try Database.temporary(migrations: [migration])
      return FleetPlace(keeping: database) {
        TableGroup<FleetChange>(database, of: [Boat.self, Port.self]) { _ in UUID(77) }
      }
    case .memory:
      let group = MemoryGroup<FleetChange>()
      return FleetPlace(keeping: group) { group }
    }
  }
}

/// A place of a group.
struct FleetPlace {
  /// Opens the place by a new group, as another process does if the groups are separate.
  let open: () -> any CollectionGroup<FleetChange>
  private let owner: Any

  init(keeping owner: Any, open: @escaping () -> any CollectionGroup<FleetChange>) {
    (self.owner, self.open) = (owner, open)
  }
}
