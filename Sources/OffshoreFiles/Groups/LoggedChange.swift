public import Foundation

/// Edits that were made together, as an entry of a log.
public protocol LoggedChange<Edit>: Codable, Hashable, Identifiable, Sendable where ID == UUID {
  associatedtype Edit: LoggedEdit

  /// The name of the file of the log, in a group of files.
  static var fileName: String { get }
  /// The number of changes that a log keeps. The oldest ones are removed.
  static var logLimit: Int { get }

  /// The time of the change.
  var moment: Date { get }
  var edits: [Edit] { get }

  init(id: UUID, moment: Date, edits: [Edit])
}

extension LoggedChange {
  /// The edits that revert the change.
  public var inverseEdits: [Edit] { edits.reversed().map(\.inverse) }
}

/// The error of edits that are not made, because their elements have changed meanwhile.
public struct RefusedEdits<Edit: LoggedEdit>: Error, Hashable, Sendable {
  /// Each edit that does not fit, with the stored value in place of the one after.
  public let differences: [Edit]

  /// Creates an error.
  public init(differences: [Edit]) { self.differences = differences }
}

@_documentation(visibility: internal)
extension RefusedEdits: CustomStringConvertible, CustomDebugStringConvertible {
  /// The number of the elements, without their values.
  public var description: String {
    let count = differences.count
    return count == 1 ? "1 element has changed since" : "\(count) elements have changed since"
  }

  public var debugDescription: String {
    ([description] + differences.map { String(reflecting: $0) }).joined(separator: "\n")
  }
}

/// The source of the times and the ids of logged changes.
public struct ChangeStamp: Sendable {
  private let now: @Sendable () -> Date
  private let makeID: @Sendable () -> UUID

  /// Creates a source, by default of the current time and random ids.
  public init(
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    (self.now, self.makeID) = (now, makeID)
  }

  /// Returns a change with edits, at the current time in whole seconds.
  func change<Change: LoggedChange>(_ edits: [Change.Edit]) -> Change {
    let seconds = now().timeIntervalSinceReferenceDate.rounded(.down)
    return Change(
      id: makeID(), moment: Date(timeIntervalSinceReferenceDate: seconds), edits: edits)
  }
}

extension ElementList where Element: LoggedChange {
  /// Appends a change, and removes the oldest ones beyond the limit of the log.
  mutating func log(_ change: Element) {
    upsert(change)
    guard count > Element.logLimit else { return }
    remove(prefix(count - Element.logLimit).map(\.id))
  }
}
