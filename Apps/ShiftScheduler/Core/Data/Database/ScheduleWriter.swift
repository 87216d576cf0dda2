import Foundation
import Offshore
import OffshoreSync

/// The records of a database inside of one transaction.
struct ScheduleWriter {
  private let writer: Writer
  private let userID: UUID
  /// The edits that were made.
  private(set) var made: [ScheduleEdit] = []

  init(_ writer: Writer) throws {
    self.writer = writer
    userID = try SyncedStore.userID(writer)
  }

  /// Returns all rows of a type in their order.
  static func rows<Element>(_: Element.Type, _ reader: Reader) throws -> [StoredRow<Element>] {
    try StoredRow<Element>.order {
      $0.position
      $0.id
    }.all(reader)
  }

  /// Replaces all records of a type, except those that are not known, and logs the differences.
  mutating func replace<Element: StoredElement>(
    by elements: [Element], known: Set<UUID>?, _ stamp: ChangeStamp
  ) throws {
    let rows = try Self.rows(Element.self, writer)
    let before = rows.map(\.element)
    let new = Set(elements.map(\.id))
    let unknown = before.filter { known?.contains($0.id) == false && !new.contains($0.id) }
    let after = elements + unknown
    let places = try store(after, over: rows)
    let edits = before.edits(to: after).map { edit in
      guard let (before, after, index) = Element.sides(of: edit), index != nil else { return edit }
      return Element.edit(before, after, at: edit.recordID.flatMap { places[$0] })
    }
    if !edits.isEmpty { try log(stamp.change(edits)) }
  }

  /// - Returns: The positions of the elements, and the former ones of removed elements.
  private func store<Element: StoredElement>(
    _ elements: [Element], over rows: [StoredRow<Element>]
  ) throws -> [UUID: Int] {
    let former = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    let kept = Set(elements.map(\.id))
    for row in rows where !kept.contains(row.id) { try row.delete(writer) }
    var inserted: [StoredRow<Element>] = []
    var places = former.mapValues(\.position)
    for (element, position) in zip(elements, Self.positions(of: elements, former)) {
      places[element.id] = position
      let row = StoredRow(element: element, position: position, userID: userID)
      if let old = former[element.id] {
        try old.update(changing: row, writer)
      } else {
        inserted.append(row)
      }
    }
    try StoredRow.insert(contentsOf: inserted, writer)
    return places
  }

  /// Returns the positions of elements: the former ones if they are still in order and all new elements follow
  /// them, or else new ones.
  private static func positions<Element: StoredElement>(
    of elements: [Element], _ former: [UUID: StoredRow<Element>]
  ) -> [Int] {
    var positions: [Int] = []
    var isAppending = false
    for element in elements {
      let old = former[element.id]?.position
      let last = positions.last ?? -1
      guard old.map({ !isAppending && $0 > last }) ?? true else {
        return Array(0..<elements.count)
      }
      isAppending = old == nil
      positions.append(old ?? last + 1)
    }
    return positions
  }
}

extension ScheduleWriter: ScheduleTransaction {
  func find<Element: StoredElement>(_ id: UUID, as type: Element.Type) throws -> (Element, Int)? {
    try StoredRow<Element>.find(id).first(writer).map { ($0.element, $0.position) }
  }

  func put<Element: StoredElement>(_ element: Element, at index: Int?) throws -> Int {
    let former = try StoredRow<Element>.find(element.id).first(writer)
    let position = try former?.position ?? index ?? nextPosition(in: Element.rows.name)
    let row = StoredRow(element: element, position: position, userID: userID)
    if let former { try former.update(changing: row, writer) } else { try row.insert(writer) }
    return position
  }

  func remove<Element: StoredElement>(_ id: UUID, as type: Element.Type) throws {
    try StoredRow<Element>.find(id).delete(writer)
  }

  mutating func log(_ change: ScheduleChange) throws {
    made += change.edits
    let position = try nextPosition(in: ChangeRow.table.name)
    try ChangeRow(change, position: position, userID: userID).insert(writer)
    try SQL(
      """
      DELETE FROM changes WHERE id IN (
        SELECT id FROM changes ORDER BY position DESC, moment DESC, id DESC
        LIMIT -1 OFFSET \(ScheduleChange.logLimit))
      """
    ).run(writer)
  }

  private func nextPosition(in table: String) throws -> Int {
    try SQL("SELECT coalesce(max(position) + 1, 0) FROM \(identifier: table)")
      .first(writer, as: Int.self) ?? 0
  }
}
