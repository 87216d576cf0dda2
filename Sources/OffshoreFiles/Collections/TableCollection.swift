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
  /// All rows in their order.
  private let rows: Query<Row>
  private let position: any KeyPath<Row, Int> & Sendable
  private let makeRows: @Sendable (Writer) throws -> (Element, Int) -> Row
  private let makeElement: @Sendable (Row) throws -> Element
  private let known = Mutex(KnownElements<Element.ID>())

  /// Creates a collection of all rows of a table.
  /// - Parameters:
  ///   - position: The property by which the rows are ordered. The table needs an index of it only if
  ///     it is read in pages.
  ///   - makeRow: Returns the row of an element at a position.
  ///   - makeElement: Returns the element of a row.
  public convenience init(
    _ database: Database, position: any KeyPath<Row, Int> & Sendable,
    makeRow: @escaping @Sendable (Element, Int) -> Row,
    makeElement: @escaping @Sendable (Row) throws -> Element
  ) {
    self.init(
      database, rows: Row.order { $0[dynamicMember: position] }, position: position,
      makeRows: { _ in makeRow }, makeElement: makeElement)
  }

  /// Creates a collection of rows that have further columns, such as the id of their owner.
  /// - Parameters:
  ///   - rows: All rows of the table, in the order of the property `position`. Further terms order
  ///     rows with the same position.
  ///   - makeRows: Returns a function for one transaction, which returns the row of an element at a
  ///     position.
  ///   - makeElement: Returns the element of a row.
  public init(
    _ database: Database, rows: Query<Row>, position: any KeyPath<Row, Int> & Sendable,
    makeRows: @escaping @Sendable (Writer) throws -> (Element, Int) -> Row,
    makeElement: @escaping @Sendable (Row) throws -> Element
  ) {
    self.database = database
    self.rows = rows
    self.position = position
    self.makeRows = makeRows
    self.makeElement = makeElement
  }

  // MARK: - Loading

  /// Loads the elements in their order.
  /// - Throws: `DatabaseError`; ``FileError`` with the code `duplicateID` if two rows have the same
  ///   id, which the primary key of the table should refuse.
  public func load() async throws -> [Element] {
    didLoad(try await database.read { try self.elements($0) })
  }

  /// Loads the elements in their order, as ``load()`` does.
  public func reload() async throws -> [Element] { try await load() }

  private func didLoad(_ elements: ElementList<Element>) -> [Element] {
    known.withLock { $0.replace(by: elements) }
    return Array(elements)
  }

  func elements(_ reader: Reader) throws -> ElementList<Element> {
    try ElementList(rows.all(reader).map(makeElement))
  }

  // MARK: - Changing

  /// Loads the elements, changes them, and stores the rows that differ, in one transaction.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or `DatabaseError`.
  @discardableResult
  public func update<Result: Sendable>(
    _ change: @escaping @Sendable (inout ElementList<Element>) throws -> Result
  ) async throws -> Result {
    let (result, replaced) = try await database.write { try self.change($0, change) }
    known.withLock { $0.record(replaced.before, replaced.after) }
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
      for element in elements { _ = try self.put(element, at: nil, writer) }
    }
    known.withLock { known in
      for element in elements { known.insert(element.id) }
    }
  }

  /// Deletes the rows of the elements with these ids.
  /// - Throws: `DatabaseError`.
  public func remove(_ ids: [Element.ID]) async throws {
    try await database.write { writer in
      for id in ids { try self.delete(id, writer) }
    }
    known.withLock { known in
      for id in ids { known.remove(id) }
    }
  }

  // MARK: - Rows

  func find(_ id: Element.ID, _ reader: Reader) throws -> (element: Element, place: Int)? {
    try Row.find(id).first(reader).map { (try makeElement($0), $0[keyPath: position]) }
  }

  func put(_ element: Element, at position: Int?, _ writer: Writer) throws -> Int {
    let former = try Row.find(element.id).first(writer)
    let position =
      try former?[keyPath: self.position] ?? position ?? nextPosition(writer)
    let row = try makeRows(writer)(element, position)
    if let former { try former.update(changing: row, writer) } else { try row.insert(writer) }
    return position
  }

  func delete(_ id: Element.ID, _ writer: Writer) throws {
    try Row.find(id).first(writer)?.delete(writer)
  }

  func log(_ element: Element, keeping limit: Int, _ writer: Writer) throws {
    try makeRows(writer)(element, nextPosition(writer)).insert(writer)
    let excess = try Row.all.count(writer) - limit
    guard excess > 0 else { return }
    for row in try rows.limit(excess).all(writer) { try row.delete(writer) }
  }

  /// The position after the last row.
  private func nextPosition(_ reader: Reader) throws -> Int {
    let last = try Row.all.max(reader) { $0[dynamicMember: self.position] }
    return last.map { $0 &+ 1 } ?? 0
  }

  func change<Result>(
    _ writer: Writer, _ change: (inout ElementList<Element>) throws -> Result
  ) throws -> (Result, ReplacedElements<Element>) {
    let rows = try rows.all(writer)
    let before = try ElementList(rows.map(makeElement))
    var after = before
    let result = try change(&after)
    return (result, (before, after, try store(after, over: rows, writer)))
  }

  /// - Returns: The positions of the elements, and the former ones of removed elements.
  private func store(
    _ elements: ElementList<Element>, over rows: [Row], _ writer: Writer
  ) throws -> [Element.ID: Int] {
    let former = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    for row in rows where elements[id: row.id] == nil { try row.delete(writer) }
    let makeRow = try makeRows(writer)
    var places = former.mapValues { $0[keyPath: position] }
    var inserted: [Row] = []
    for (element, position) in zip(elements, positions(of: elements, former)) {
      places[element.id] = position
      let row = makeRow(element, position)
      if let old = former[element.id] {
        try old.update(changing: row, writer)
      } else {
        inserted.append(row)
      }
    }
    try Row.insert(contentsOf: inserted, writer)
    return places
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
      positions.append(old ?? last &+ 1)
    }
    return positions
  }

  // MARK: - Observation

  /// Observes the elements: the current ones, and those after each commit that changes them.
  public func values() -> StoredValues<[Element]> {
    StoredValues(database.values { try self.elements($0) }) { self.didLoad($0) }
  }
}

extension TableCollection: RowStore {
  var knownElements: KnownElements<Element.ID> { known.withLock { $0 } }

  func didReplace(by elements: ElementList<Element>) {
    known.withLock { $0.replace(by: elements) }
  }

  func didChange(_ id: Element.ID, exists: Bool) {
    known.withLock { exists ? $0.insert(id) : $0.remove(id) }
  }

  var signals: StoredValues<Void> {
    // Each fetch has another value, so that each commit is delivered, and reads all columns.
    let fetches = Mutex(0)
    let values = database.values { reader in
      _ = try Row.all.limit(1).all(reader)
      return fetches.withLock { count in
        count += 1
        return count
      }
    }
    return StoredValues(values) { _ in }
  }
}
