import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Conflicts about one thing of a charter, decided at once: mostly one, for its days up to two.
struct DecidedCharter {
  let conflicts: [Conflict]
  let subject: CharterDecision.Subject
  let stayed: CharterDecision.Value
  let lost: CharterDecision.Value

  /// An id that the decision has on every device.
  func id(in charterID: UUID) -> UUID {
    let names = conflicts.map { "\($0.row) \($0.field) \($0.losingStamp) \($0.winningStamp)" }
    return UUID(name: names.joined(separator: " "), in: charterID)
  }

  /// What was decided, as this device tells it.
  func decision(
    in charterID: UUID, on device: DeviceID, isUsable: Bool
  ) -> CharterDecision? {
    guard let first = conflicts.first else { return nil }
    func version(_ value: CharterDecision.Value, _ stamp: Stamp) -> CharterDecision.Version {
      .init(value: value, date: stamp.date, isFromHere: stamp.device == device)
    }
    return CharterDecision(
      id: id(in: charterID), subject: subject, stayed: version(stayed, first.winningStamp),
      lost: version(lost, first.losingStamp), reason: DecisionReason(first.reason),
      isUsable: isUsable)
  }
}

/// Reads the conflicts of a charter's scope.
struct CharterConflicts {
  /// What the charter's checklists are called, by the ids of their rows.
  let titles: [String: String]
  /// What checklists are called, by their own ids.
  let checklists: [UUID: String]

  /// What the conflicts tell of the charter and its checklists, oldest first. Where both say the same,
  /// there is nothing to tell.
  func decided(_ conflicts: [Conflict]) -> [DecidedCharter] {
    let conflicts = conflicts.filter { $0.losing != $0.winning }
    return conflicts.compactMap { conflict in
      switch conflict.row.table {
      case CharterRow.table.name: ofCharter(conflict, among: conflicts)
      case CharterChecklistRow.table.name: ofChecklist(conflict)
      default: nil
      }
    }
  }

  // MARK: - The charter

  private func ofCharter(_ conflict: Conflict, among all: [Conflict]) -> DecidedCharter? {
    if let days = days(conflict, among: all) { return days.isTold ? days.decided : nil }
    return decided(conflict, .charter) { charterValue(conflict.field, $0) }
  }

  /// Both days, where they were decided together; the last one is told with the first.
  private func days(
    _ conflict: Conflict, among all: [Conflict]
  ) -> (isTold: Bool, decided: DecidedCharter?)? {
    let fields = ["startDate", "endDate"]
    guard fields.contains(conflict.field) else { return nil }
    let both = fields.compactMap { field in
      all.first {
        $0.row == conflict.row && $0.field == field && $0.losingStamp == conflict.losingStamp
          && $0.winningStamp == conflict.winningStamp
      }
    }
    guard both.count == 2 else { return nil }
    let (lost, stayed) = (both.map { date($0.losing) }, both.map { date($0.winning ?? .null) })
    guard let first = lost[0], let last = lost[1], let start = stayed[0], let end = stayed[1] else {
      return nil
    }
    return (
      conflict.field == fields[0],
      DecidedCharter(
        conflicts: both, subject: .charter, stayed: .days(start, end), lost: .days(first, last))
    )
  }

  private func charterValue(_ field: String, _ value: WireValue) -> CharterDecision.Value? {
    switch field {
    case "name": value.string.map { .name($0) }
    case "boatName": .boat(value.string)
    case "location": .destination(value.string)
    case "region": .region(value.string)
    case "startDate": date(value).map { .firstDay($0) }
    case "endDate": date(value).map { .lastDay($0) }
    case "checkInChecklistID":
      .checkIn(
        isChosen: !value.isNull,
        title: value.string.flatMap(UUID.init(uuidString:)).flatMap { checklists[$0] })
    case "guests": number(value).map { .guests($0) }
    case "crew": json([CrewMember].self, value).map { .crew($0) }
    case "budget": value.isNull ? .budget(nil) : json(CharterBudget.self, value).map { .budget($0) }
    case "isArchived": number(value).map { .archived($0 != 0) }
    default: nil
    }
  }

  // MARK: - Its checklists

  private func ofChecklist(_ conflict: Conflict) -> DecidedCharter? {
    let subject = CharterDecision.Subject.checklist(title: titles[conflict.row.id])
    guard conflict.field == "sections" else {
      return decided(conflict, subject) { checklistValue(conflict.field, $0) }
    }
    let sides = [conflict.losing, conflict.winning ?? .null].map { items($0) }
    return decided(conflict, subject) { value in
      let (own, other) = value == conflict.losing ? (sides[0], sides[1]) : (sides[1], sides[0])
      return own.map { own in
        let known = Set(other ?? [])
        return .items(count: own.count, own: own.filter { !known.contains($0) })
      }
    }
  }

  private func checklistValue(_ field: String, _ value: WireValue) -> CharterDecision.Value? {
    switch field {
    case "title": value.string.map { .title($0) }
    case "description": .description(value.string)
    case "position": number(value).map { .place($0 + 1) }
    default: nil
    }
  }

  private func items(_ value: WireValue) -> [String]? {
    json([ChecklistSection].self, value)?.flatMap(\.items).map(\.title)
  }

  // MARK: - Values

  /// What cannot be read is not told.
  private func decided(
    _ conflict: Conflict, _ subject: CharterDecision.Subject,
    _ value: (WireValue) -> CharterDecision.Value?
  ) -> DecidedCharter? {
    guard let lost = value(conflict.losing),
      let stayed = conflict.winning.map(value) ?? .removed
    else { return nil }
    return DecidedCharter(conflicts: [conflict], subject: subject, stayed: stayed, lost: lost)
  }

  private func date(_ value: WireValue) -> Date? {
    guard case .real(let seconds) = value, seconds.isFinite else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func number(_ value: WireValue) -> Int? {
    if case .integer(let number) = value { Int(exactly: number) } else { nil }
  }

  private func json<Value: Decodable>(_: Value.Type, _ value: WireValue) -> Value? {
    value.string.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
  }
}
