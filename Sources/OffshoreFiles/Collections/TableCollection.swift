public import Offshore
import Synchronization

/// An ordered collection of elements with different ids in a table of a database.
///
/// ```swift
/// let charters = TableCollection(
///   database, position: \CharterRow.position,
///   makeRow: { CharterRow($0, position: $1) }, makeElement: \.charter)
/// try await files.copy(to: charters)
/// ```
///
/// Each element is a row, and a column has its position. The rows that do not differ are not
/// written. Elements that are appended or removed do not change the positions of others.
public final class TableCollection<Element, Row>: ElementStore
where
  Element: Identifiable & Equatable & Sendable, Element.ID: Sendable,
  Row: Record & Identifiable, Row.ID == Element.ID
{
  private let database: Database
  private let position: any KeyPath<Row, Int> & Sendable
  private let makeRow: @Sendable (Element, Int) -> Row
  private let makeElement: @Sendable (Row) throws -> Element
  private let known = Mutex(KnownElements<Element.ID>())

  /// Creates a collection of all rows of a table.
  /// - Parameters:
  ///   - position: The property by which the rows are ordered. The table needs an index of it only if
  ///     it is read in pages.
  ///   - makeRow: Returns the row of an element at a position.
  ///   - makeElement: Returns the element of a row.
  public init(
    _ database: Database, position: any KeyPath<Row, Int> & Sendable,
    makeRow: @escaping @Sendable (Element, Int) -> Row,
    makeElement: @escaping @Sendable (Row) throws -> Element
  ) {
    self.database = database
    self.position = position
    self.makeRow = makeRow
    self.makeElement = makeElement
  }

  // MARK: - Loading

  /// Loads the elements in their order.
  /// - Throws: `DatabaseError`; ``FileError`` with the code `duplicateID` if two rows have the same
  ///   id, which the primary key of the table should refuse.
  public func load() async throws -> [Element] {
    let elements = try await database.read { try self.elements($0).list }
    return didLoad(elements)
  }

  /// Loads the elements in their order, as ``load()`` does.
  public func reload() async throws -> [Element] { try await load() }

  private func didLoad(_ elements: ElementList<Element>) -> [Element] {
    known.withLock { $0.replace(by: elements) }
    return Array(elements)
  }

  private func elements(_ reader: Reader) throws -> (list: ElementList<Element>, rows: [Row]) {
    let rows = try Row.order { $0[dynamicMember: self.position] }.all(reader)
    return (try ElementList(rows.map(makeElement)), rows)
  }

  // MARK: - Changing

  /// Loads the elements, changes them, and stores the rows that differ, in one transaction.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or `DatabaseError`.
  @discardableResult
  public func update<Result: Sendable>(
    _ change: @escaping @Sendable (inout ElementList<Element>) throws -> Result
  ) async throws -> Result {
    let (result, before, after) = try await database.write { writer in
      let (before, rows) = try self.elements(writer)
      var after = before
      let result = try change(&after)
      try self.store(after, over: rows, writer)
      return (result, before, after)
    }
    known.withLock { $0.record(before, after) }
    return result
  }

  /// Replaces all elements.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id, or
  ///   `DatabaseError`.
  public func replaceAll(_ elements: [Element]) async throws {
    let new = try ElementList(elements)
    try await update { $0 = new }
    known.withLock { $0.replace(by: new) }
  }

  /// Replaces the elements, except those that another process or object has added since this one was
  /// last loaded; see ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id, or
  ///   `DatabaseError`.
  public func replaceLoaded(_ elements: [Element]) async throws {
    let (new, known) = (try ElementList(elements), known.withLock { $0 })
    try await update { $0 = known.merging(new, into: $0) }
    self.known.withLock { $0.replace(by: new) }
  }

  /// Replaces the rows of the elements with the same ids, and appends the others.
  /// - Throws: `DatabaseError`.
  public func upsert(_ elements: [Element]) async throws {
    try await database.write { writer in
      for element in elements where try !self.update(element, writer) {
        try self.makeRow(element, self.nextPosition(writer)).insert(writer)
      }
    }
    known.withLock { known in
      for element in elements { known.insert(element.id) }
    }
  }

  /// Deletes the rows of the elements with these ids.
  /// - Throws: `DatabaseError`.
  public func remove(_ ids: [Element.ID]) async throws {
    try await database.write { writer in
      for id in ids { try Row.find(id).first(writer)?.delete(writer) }
    }
    known.withLock { known in
      for id in ids { known.remove(id) }
    }
  }

  // MARK: - Rows

  /// Updates the row of an element.
  /// - Returns: Whether the row exists.
  private func update(_ element: Element, _ writer: Writer) throws -> Bool {
    guard let row = try Row.find(element.id).first(writer) else { return false }
    try row.update(changing: makeRow(element, row[keyPath: position]), writer)
    return true
  }

  /// The position after the last row.
  private func nextPosition(_ reader: Reader) throws -> Int {
    let last = try Row.order { $0[dynamicMember: self.position].descending }.first(reader)
    return last.map { $0[keyPath: position] + 1 } ?? 0
  }

  private func store(
    _ elements: ElementList<Element>, over rows: [Row], _ writer: Writer
  ) throws {
    let former = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    for row in rows where elements[id: row.id] == nil { try row.delete(writer) }
    let positions = positions(of: elements, former)
    for (element, position) in zip(elements, positions) {
      let row = makeRow(element, position)
      if let old = former[element.id] {
        try old.update(changing: row, writer)
      } else {
        try row.insert(writer)
      }
    }
  }

  /// Returns the positions of elements: the former ones if they are still in order and all new
  /// elements follow them, or else new ones.
  private func positions(of elements: ElementList<Element>, _ former: [Row.ID: Row]) -> [Int] {
    var positions: [Int] = []
    var isAppending = false
    for element in elements {
      let old = former[element.id].map { $0[keyPath: position] }
      let last = positions.last ?? -1
      guard old.map({ !isAppending && $0 > last }) ?? true else {
        return Array(0..<elements.count)
      }
      isAppending = old == nil
      positions.append(old ?? last + 1)
    }
    return positions
  }

  // MARK: - Observation

  /// Observes the elements: the current ones, and those after each commit that changes them.
  public func values() -> StoredValues<[Element]> {
    let values = database.values { try self.elements($0).list }
    return StoredValues(values) { self.didLoad($0) }
  }
}
