public import Foundation

/// The choice for the records that use a removed one.
public enum Replacement: Hashable, Sendable {
  /// Shift types are without a location; shifts are removed, too.
  case clear
  /// They use another record.
  case move(to: UUID)
}

/// A record that others use.
public enum UsedRecord: Hashable, Sendable {
  case location(Location.ID)
  case shiftType(ShiftType.ID)
}

extension Location {
  /// Returns the shift types that use the location.
  package func uses(in shiftTypes: [ShiftType]) -> [ShiftType] {
    shiftTypes.filter { $0.locationID == id }
  }

  /// Returns the edits that remove the location.
  /// - Parameters:
  ///   - shiftTypes: All shift types.
  ///   - choice: The choice for those that use the location.
  /// - Returns: The edits; `nil` if the location is in use and there is no choice.
  package func removal(
    from shiftTypes: [ShiftType], _ choice: Replacement?
  ) -> [ScheduleEdit]? {
    let users = uses(in: shiftTypes)
    guard users.isEmpty || choice != nil else { return nil }
    let changes = users.map { type in
      var changed = type
      changed.locationID = if case .move(let id) = choice { id } else { nil }
      return ScheduleEdit.shiftType(before: type, after: changed)
    }
    return changes + [.location(before: self, after: nil)]
  }
}

extension ShiftType {
  /// Returns the shifts that are of this type.
  package func uses(in shifts: [ScheduledShift]) -> [ScheduledShift] {
    shifts.filter { $0.shiftTypeID == id }
  }

  /// Returns the edits that remove the shift type.
  /// - Parameters:
  ///   - shifts: All shifts, in their order.
  ///   - choice: The choice for those of this type.
  /// - Returns: The edits; `nil` if the type is in use and there is no choice.
  package func removal(
    from shifts: [ScheduledShift], _ choice: Replacement?
  ) -> [ScheduleEdit]? {
    guard choice != nil || uses(in: shifts).isEmpty else { return nil }
    let changes = shifts.enumerated().reversed().filter { $0.element.shiftTypeID == id }
      .map { index, shift in
        guard case .move(let other) = choice else {
          return ScheduleEdit.shift(before: shift, after: nil, index: index)
        }
        var moved = shift
        moved.shiftTypeID = other
        return ScheduleEdit.shift(before: shift, after: moved)
      }
    return changes + [.shiftType(before: self, after: nil)]
  }
}
