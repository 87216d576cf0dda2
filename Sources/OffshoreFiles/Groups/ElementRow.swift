public import Foundation
public import Offshore

/// An element of a ``TableGroup`` whose rows are of the type ``ElementRow``.
///
/// ```swift
/// extension Harbor: StoredElement {
///   static let rows: Table<ElementRow<Harbor>> = Table(
///     "harbors", makeRow, Column("id", \.id).primaryKey(), Column("name", \.element.name),
///     Column("position", \.position).indexed(), Column("userID", \.userID))
///
///   @Sendable private static func makeRow(
///     id: UUID, name: String, position: Int, userID: UUID
///   ) -> ElementRow<Harbor> {
///     ElementRow(Harbor(id: id, name: name), position: position, userID: userID)
///   }
/// }
/// ```
public protocol StoredElement<Edit>: LoggedElement {
  /// The table of the elements.
  static var rows: Table<ElementRow<Self>> { get }
}

/// The row of an element, in the order of positions.
public struct ElementRow<Element: StoredElement>: Record, Identifiable, Equatable {
  // NB: Stored, because queries of all types find the column by its key path.
  public let id: UUID
  public let element: Element
  public var position: Int
  /// The id of the user who owns the row.
  public var userID: UUID

  public static var table: Table<Self> { Element.rows }

  /// Creates the row of an element.
  public init(_ element: Element, position: Int, userID: UUID) {
    id = element.id
    self.element = element
    self.position = position
    self.userID = userID
  }
}

/// A change whose log in a ``TableGroup`` has rows of the type ``ChangeRow``.
///
/// ```swift
/// extension FleetChange: StoredChange {
///   static let rows = ChangeRow<FleetChange>.makeTable()
/// }
/// ```
public protocol StoredChange<Edit>: LoggedChange {
  /// The table of the log.
  static var rows: Table<ChangeRow<Self>> { get }
}

/// A change in a log, in the order of positions.
public struct ChangeRow<Change: StoredChange>: Record, Identifiable, Equatable {
  public let id: UUID
  public var moment: Date
  public var edits: [Change.Edit]
  public var position: Int
  /// The id of the user who owns the row.
  public var userID: UUID

  public static var table: Table<Self> { Change.rows }

  /// Creates the declaration of a table.
  public static func makeTable(_ name: String = "changes") -> Table<Self> {
    Table(
      name, Self.init,
      Column("id", \.id).primaryKey(), Column("moment", \.moment),
      Column("edits", \.edits, as: .json), Column("position", \.position).indexed(),
      Column("userID", \.userID))
  }
}

extension ChangeRow {
  init(_ change: Change, position: Int, userID: UUID) {
    self.init(
      id: change.id, moment: change.moment, edits: change.edits, position: position,
      userID: userID)
  }
}

extension TableGroup where Change: StoredChange {
  /// Creates a group of the tables that the types of its elements and its change declare.
  /// - Parameters:
  ///   - types: The types of the elements.
  ///   - userID: Returns the id of the user who owns new rows.
  public convenience init(
    _ database: Database, of types: [any StoredElement<Change.Edit>.Type],
    stamp: ChangeStamp = ChangeStamp(), userID: @escaping @Sendable (Reader) throws -> UUID
  ) {
    func collection<Element: StoredElement>(_ type: Element.Type) -> any ElementStore {
      TableCollection<Element, ElementRow<Element>>(
        database,
        rows: ElementRow<Element>.order {
          $0.position
          $0.id
        }, position: \.position,
        makeRows: { writer in
          let userID = try userID(writer)
          return { ElementRow($0, position: $1, userID: userID) }
        }, makeElement: \.element)
    }
    // Two devices may have given their changes the same positions.
    let log = ChangeRow<Change>.order {
      $0.position
      $0.moment
      $0.id
    }
    self.init(
      database, types.map { collection($0) },
      log: TableCollection(
        database, rows: log, position: \.position,
        makeRows: { writer in
          let userID = try userID(writer)
          return { ChangeRow($0, position: $1, userID: userID) }
        }, makeElement: { Change(id: $0.id, moment: $0.moment, edits: $0.edits) }),
      stamp: stamp)
  }
}
