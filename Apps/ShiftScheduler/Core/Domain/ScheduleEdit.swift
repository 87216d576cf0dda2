package import Foundation

/// The change of one record, with its values before and after.
///
/// An inserted record has no value before, and a removed one none after. For these, the index is the
/// record's place among those of its kind, so that a removal can be undone in the same place.
public enum ScheduleEdit: Hashable, Sendable, Codable {
  case location(before: Location?, after: Location?, index: Int? = nil)
  case shiftType(before: ShiftType?, after: ShiftType?, index: Int? = nil)
  case shift(before: ScheduledShift?, after: ScheduledShift?, index: Int? = nil)

  /// The edit that reverts this one.
  public var inverse: ScheduleEdit {
    switch self {
    case .location(let before, let after, let index):
      .location(before: after, after: before, index: index)
    case .shiftType(let before, let after, let index):
      .shiftType(before: after, after: before, index: index)
    case .shift(let before, let after, let index):
      .shift(before: after, after: before, index: index)
    }
  }

  /// The id of the record; `nil` if both values are missing.
  package var recordID: UUID? {
    switch self {
    case .location(let before, let after, _): (before ?? after)?.id
    case .shiftType(let before, let after, _): (before ?? after)?.id
    case .shift(let before, let after, _): (before ?? after)?.id
    }
  }

  /// The edit without the place of its record.
  package var withoutIndex: ScheduleEdit {
    switch self {
    case .location(let before, let after, _): .location(before: before, after: after)
    case .shiftType(let before, let after, _): .shiftType(before: before, after: after)
    case .shift(let before, let after, _): .shift(before: before, after: after)
    }
  }
}

/// A record of which edits are made.
package protocol ScheduleElement: Codable, Identifiable, Hashable, Sendable where ID == UUID {
  /// Returns an edit of a record of this type.
  static func edit(_ before: Self?, _ after: Self?, at index: Int?) -> ScheduleEdit
  /// Returns the values of an edit; `nil` if it is one of another type.
  static func sides(of edit: ScheduleEdit) -> (before: Self?, after: Self?, index: Int?)?
}

extension Location: ScheduleElement {
  package static func edit(_ before: Self?, _ after: Self?, at index: Int?) -> ScheduleEdit {
    .location(before: before, after: after, index: index)
  }

  package static func sides(of edit: ScheduleEdit) -> (before: Self?, after: Self?, index: Int?)? {
    if case .location(let before, let after, let index) = edit {
      (before, after, index)
    } else {
      nil
    }
  }
}

extension ShiftType: ScheduleElement {
  package static func edit(_ before: Self?, _ after: Self?, at index: Int?) -> ScheduleEdit {
    .shiftType(before: before, after: after, index: index)
  }

  package static func sides(of edit: ScheduleEdit) -> (before: Self?, after: Self?, index: Int?)? {
    if case .shiftType(let before, let after, let index) = edit {
      (before, after, index)
    } else {
      nil
    }
  }
}

extension ScheduledShift: ScheduleElement {
  package static func edit(_ before: Self?, _ after: Self?, at index: Int?) -> ScheduleEdit {
    .shift(before: before, after: after, index: index)
  }

  package static func sides(of edit: ScheduleEdit) -> (before: Self?, after: Self?, index: Int?)? {
    if case .shift(let before, let after, let index) = edit { (before, after, index) } else { nil }
  }
}

extension Sequence where Element: ScheduleElement {
  /// Returns the edits that lead from these records to others: removals, changes, and insertions.
  ///
  /// The removals are in descending order, so that their inverses insert the records in ascending order.
  package func edits(to others: some Collection<Element>) -> [ScheduleEdit] {
    let former = Dictionary(map { ($0.id, $0) }) { first, _ in first }
    let kept = Set(others.map(\.id))
    let removals = enumerated().filter { !kept.contains($0.element.id) }
      .map { Element.edit($0.element, nil, at: $0.offset) }
    var (changes, insertions): ([ScheduleEdit], [ScheduleEdit]) = ([], [])
    for (index, record) in others.enumerated() {
      if let before = former[record.id] {
        if before != record { changes.append(Element.edit(before, record, at: nil)) }
      } else {
        insertions.append(Element.edit(nil, record, at: index))
      }
    }
    return removals.reversed() + changes + insertions
  }
}
