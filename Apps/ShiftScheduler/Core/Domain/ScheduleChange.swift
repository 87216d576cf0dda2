public import Foundation

/// Edits that were made together.
public struct ScheduleChange: Identifiable, Hashable, Sendable, Codable {
  public let id: UUID
  /// The time of the change.
  public var moment: Date
  public var edits: [ScheduleEdit]

  /// The number of changes that a log keeps.
  public static let logLimit = 500

  /// Creates a change.
  public init(id: UUID = UUID(), moment: Date, edits: [ScheduleEdit]) {
    self.id = id
    self.moment = moment
    self.edits = edits
  }
}
