import Foundation
public import Offshore

/// A ``CollectionGroup`` in the tables of a database, of which only rows that differ are written.
///
/// ```swift
/// let group = TableGroup<FleetChange>(database, [charters, harbors], log: changes)
/// ```
public final class TableGroup<Change: LoggedChange>: CollectionGroup {
  private let database: Database
  private let members: GroupMembers
  private let log: any RowStore<Change>
  private let stamp: ChangeStamp

  /// Creates a group of tables.
  /// - Parameters:
  ///   - collections: A ``TableCollection`` of the database for each type of element.
  ///   - log: The collection of the changes.
  public init<Row>(
    _ database: Database, _ collections: [any ElementStore], log: TableCollection<Change, Row>,
    stamp: ChangeStamp = ChangeStamp()
  ) {
    (self.database, self.log, self.stamp) = (database, log, stamp)
    members = GroupMembers(collections)
  }

  private func table<Element: LoggedElement>(
    _ type: Element.Type
  ) throws -> any RowStore<Element> {
    try members.store(of: type, as: (any RowStore<Element>).self)
  }

  // MARK: - Loading

  public func load<Element: LoggedElement<Change.Edit>>(
    _ type: Element.Type
  ) async throws -> [Element] {
    try await table(type).load()
  }

  public func loadChanges() async throws -> [Change] { try await log.load() }

  public func content() async throws -> GroupContent<Change> {
    try await database.read { reader in
      var content = GroupContent<Change>()
      for type in Change.Edit.elementTypes { try self.read(type, into: &content, reader) }
      content.changes = try self.log.elements(reader)
      return content
    }
  }

  private func read<Element: LoggedElement>(
    _ type: Element.Type, into content: inout GroupContent<Change>, _ reader: Reader
  ) throws {
    content[type] = try table(type).elements(reader)
  }

  // MARK: - Changing

  public func replaceLoaded<Element: LoggedElement<Change.Edit>>(
    _ elements: [Element]
  ) async throws {
    let (new, table) = (try ElementList(elements), try table(Element.self))
    let known = table.knownElements
    try await database.write { [log, stamp] writer in
      let (_, replaced) = try table.change(writer) { $0 = known.merging(new, into: $0) }
      let edits = replaced.before.edits(to: replaced.after, at: replaced.places)
      if !edits.isEmpty { try log.log(stamp.change(edits), keeping: Change.logLimit, writer) }
    }
    table.didReplace(by: new)
  }

  @discardableResult
  public func perform(_ change: ElementChange<Change.Edit>) async throws -> Change? {
    let made = try await database.write { [members, log, stamp] writer in
      var transaction = TableTransaction(writer: writer, members: members, changes: log)
      return try transaction.make(change, stamp)
    }
    for edit in made?.edits ?? [] { try record(edit.typed) }
    return made
  }

  private func record<Edit: TypedEdit<Change.Edit>>(_ edit: Edit) throws {
    guard let id = edit.values.id else { return }
    try table(Edit.Element.self).didChange(id, exists: edit.values.after != nil)
  }

  public func replaceAll(_ content: GroupContent<Change>) async throws {
    try await database.write { writer in
      for type in Change.Edit.elementTypes { try self.replace(type, by: content, writer) }
      _ = try self.log.change(writer) { $0 = content.changes }
    }
    for type in Change.Edit.elementTypes { try didReplace(type, by: content) }
  }

  private func replace<Element: LoggedElement>(
    _ type: Element.Type, by content: GroupContent<Change>, _ writer: Writer
  ) throws {
    _ = try table(type).change(writer) { $0 = content[type] }
  }

  private func didReplace<Element: LoggedElement>(
    _ type: Element.Type, by content: GroupContent<Change>
  ) throws {
    try table(type).didReplace(by: content[type])
  }

  // MARK: - Observation

  public func signals<Element: LoggedElement<Change.Edit>>(
    of type: Element.Type
  ) -> StoredValues<Void> {
    StoredValues { try table(type).signals }
  }

  public func changeSignals() -> StoredValues<Void> { log.signals }
}

/// The tables of a group inside of one transaction.
private struct TableTransaction<Change: LoggedChange>: GroupTransaction {
  let writer: Writer
  let members: GroupMembers
  let changes: any RowStore<Change>

  private func table<Element: LoggedElement>(
    _ type: Element.Type
  ) throws -> any RowStore<Element> {
    try members.store(of: type, as: (any RowStore<Element>).self)
  }

  func find<Element: LoggedElement>(_ id: UUID, as type: Element.Type) throws -> Element? {
    try table(type).find(id, writer)?.element
  }

  func make(
    _ edits: [Change.Edit]
  ) throws -> (made: [Change.Edit], refused: [Change.Edit]) {
    var (made, refused): ([Change.Edit], [Change.Edit]) = ([], [])
    for edit in edits { try make(edit.typed, &made, &refused) }
    return (made, refused)
  }

  private func make<Edit: TypedEdit<Change.Edit>>(
    _ edit: Edit, _ made: inout [Change.Edit], _ refused: inout [Change.Edit]
  ) throws {
    typealias Element = Edit.Element
    let (before, after) = (edit.values.before, edit.values.after)
    guard before != after, let id = edit.values.id else { return }
    let rows = try table(Element.self)
    let found = try rows.find(id, writer)
    guard found?.element == before, after.map({ $0.id == id }) ?? true else {
      return refused.append(Element.edit(ElementEdit(before, found?.element)))
    }
    if let after {
      let place = try rows.put(after, at: edit.values.index, writer)
      made.append(Element.edit(ElementEdit(before, after, at: before == nil ? place : nil)))
    } else {
      try rows.delete(id, writer)
      made.append(Element.edit(ElementEdit(before, nil, at: found?.place)))
    }
  }

  func log(_ change: Change) throws {
    try changes.log(change, keeping: Change.logLimit, writer)
  }
}

/// A collection in a table, as the changes of a group use it.
protocol RowStore<Element>: ElementStore where Element: Equatable {
  func elements(_ reader: Reader) throws -> ElementList<Element>
  /// Returns an element with its position, or `nil`.
  func find(_ id: Element.ID, _ reader: Reader) throws -> (element: Element, place: Int)?
  /// Replaces the element with the same id, or inserts it at a position, by default the last one.
  /// - Returns: The position of the element.
  func put(_ element: Element, at position: Int?, _ writer: Writer) throws -> Int
  func delete(_ id: Element.ID, _ writer: Writer) throws
  /// Appends an element, and deletes the first ones beyond a number.
  func log(_ element: Element, keeping limit: Int, _ writer: Writer) throws
  /// Changes the elements, and stores the rows that differ.
  /// - Returns: The result of the closure, and the former and the new elements with their positions.
  func change<Result>(
    _ writer: Writer, _ change: (inout ElementList<Element>) throws -> Result
  ) throws -> (Result, ReplacedElements<Element>)

  /// The elements that the user knows.
  var knownElements: KnownElements<Element.ID> { get }
  func didReplace(by elements: ElementList<Element>)
  func didChange(_ id: Element.ID, exists: Bool)

  /// A value at once, and one after each commit that changes rows.
  var signals: StoredValues<Void> { get }
}

typealias ReplacedElements<Element: Identifiable> = (
  before: ElementList<Element>, after: ElementList<Element>, places: [Element.ID: Int]
)
