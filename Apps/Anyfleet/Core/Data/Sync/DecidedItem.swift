import Foundation
import OffshoreSync
import OffshoreWire

/// A conflict about one item of a checklist in a charter.
struct DecidedItem {
  let conflict: Conflict
  let itemID: UUID
  let stayed: ItemDecision.Value
  let lost: ItemDecision.Value

  /// Reads a conflict about ticks, whose field names the item.
  init?(tick conflict: Conflict) {
    let field = FieldName(conflict.field)
    guard field.column == "itemStates", let itemID = field.key.flatMap(UUID.init(uuidString:)),
      let lost = Self.tick(conflict.losing)
    else { return nil }
    self.init(conflict, itemID, conflict.winning.map { Self.tick($0) } ?? .cleared, lost)
  }

  /// Reads a conflict about what was noted of an item.
  init?(note conflict: Conflict, of itemID: UUID) {
    guard let lost = Self.remark(conflict.field, conflict.losing) else { return nil }
    let stayed = conflict.winning.map { Self.remark(conflict.field, $0) } ?? .cleared
    self.init(conflict, itemID, stayed, lost)
  }

  private init?(
    _ conflict: Conflict, _ itemID: UUID, _ stayed: ItemDecision.Value?, _ lost: ItemDecision.Value
  ) {
    guard let stayed else { return nil }
    (self.conflict, self.itemID, self.stayed, self.lost) = (conflict, itemID, stayed, lost)
  }

  /// An id that the decision has on every device.
  var id: UUID {
    let (lost, stayed) = (conflict.losingStamp, conflict.winningStamp)
    return UUID(name: "\(conflict.row) \(conflict.field) \(lost) \(stayed)", in: itemID)
  }

  /// - Parameters:
  ///   - device: this device.
  ///   - state: what is said of the item now.
  func decision(on device: DeviceID, now state: ChecklistItemState) -> ItemDecision {
    func version(_ value: ItemDecision.Value, _ stamp: Stamp) -> ItemDecision.Version {
      .init(value: value, date: stamp.date, isFromHere: stamp.device == device)
    }
    return ItemDecision(
      id: id, itemID: itemID, stayed: version(stayed, conflict.winningStamp),
      lost: version(lost, conflict.losingStamp), reason: ItemDecision.Reason(conflict.reason),
      isUsable: !state.says(lost))
  }

  // MARK: - Values

  /// What is read of the value of an item's tick. Its date is of no interest: the stamps have it.
  private struct Tick: Decodable { let checked: Bool }

  private static func tick(_ value: WireValue) -> ItemDecision.Value? {
    if value.isNull { return .cleared }
    return value.string.flatMap { try? JSONDecoder().decode(Tick.self, from: Data($0.utf8)) }
      .map { .tick($0.checked) }
  }

  private static func remark(_ field: String, _ value: WireValue) -> ItemDecision.Value? {
    switch field {
    case "note": .note(value.string)
    case "issue": .issue(value.string.flatMap(ChecklistItemIssue.init))
    default: nil
    }
  }
}

extension DecisionReason {
  init(_ reason: Conflict.Reason) {
    self =
      switch reason {
      case .ended: .ended
      // No field of an item or a charter goes by a rule of its own, or by what reaches the server last.
      case .later, .arrival, .rule: .later
      }
  }
}

extension ChecklistItemState {
  /// Whether the item is as somebody said.
  fileprivate func says(_ value: ItemDecision.Value) -> Bool {
    switch value {
    case .tick(let isOn): isChecked == isOn
    case .note(let text): note == text
    case .issue(let found): issue == found
    case .cleared: !isChecked
    }
  }
}
