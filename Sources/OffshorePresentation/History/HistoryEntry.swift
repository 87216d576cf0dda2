public import Foundation
public import OffshoreWire

/// A conflict in a history: the value that stayed, and the losing value.
public struct HistoryEntry: Hashable, Identifiable, Sendable {
  /// A value with the date and the device of its edit.
  public struct Side: Hashable, Sendable {
    /// The value.
    public let value: HistoryValue
    /// The date of the edit.
    public let date: Date
    /// Whether the edit was made on this device.
    public let isFromHere: Bool

    init(_ value: HistoryValue, at date: Date, isFromHere: Bool) {
      self.value = value
      self.date = date
      self.isFromHere = isFromHere
    }
  }

  /// An id that the conflict has on every device.
  public let id: UUID
  /// The place of the value.
  public let place: HistoryPlace
  /// The row in a history of several rows: its title in quotation marks, or its kind.
  public let row: LocalizedText?
  /// The label of the field.
  public let label: LocalizedText
  /// The value that stayed.
  public let winning: Side
  /// The value that did not stay.
  public let losing: Side
  /// The reason why the losing value did not stay.
  public let reason: Conflict.Reason
  /// Whether both values mean the same, as two ticks at two times. Values that differ may still be shown alike.
  public let areSame: Bool
  /// Whether the losing value can be used: the row does not have it now, and is valid with it.
  public let isUsable: Bool
}

/// The entries of a history, and its heading.
public struct HistoryContent: Hashable, Sendable {
  /// The heading of a history.
  public struct Heading: Hashable, Sendable {
    /// The title of the thing; empty if it has none.
    public let title: String
    /// The title of the page on which the thing is shown.
    public let back: String

    /// Names the thing, and the page on which it is shown.
    public init(_ title: String, back: String) {
      self.title = title
      self.back = back
    }
  }

  /// The heading.
  public let heading: Heading
  /// The entries, the newest first.
  public let entries: [HistoryEntry]
}
