public import Foundation
package import OffshoreWire

/// A change that the server or this device refused, kept aside until the user decides.
public struct RefusedChange: Hashable, Identifiable, Sendable {
  /// Why a change was refused.
  public enum Reason: Hashable, Sendable {
    /// The changed row was deleted.
    case gone
    /// The row that it refers to was deleted.
    case missingReference
    /// The account may not change it.
    case forbidden
    /// It is larger than is allowed.
    case tooLarge
    /// It builds on a change that was refused.
    case dependency
    /// Changes of others leave no room for it.
    case collision
    /// The account has as much as an account may have.
    case limitReached
    /// Another reason, in the server's words.
    case other(String)
  }

  /// The scope of a change that is not on this device any more.
  public struct End: Hashable, Sendable {
    package let scope: ScopeID
    /// The event that ended the scope.
    public let kind: ScopeEnd.Kind
    /// The title of the thing, if it is known.
    public let title: String?
    /// Whether this device can bring the thing back.
    public let isRestorable: Bool
  }

  /// The number of the change on this device.
  public let id: Int64
  /// The row that was changed.
  public let row: RowName
  /// Why the change was refused.
  public let reason: Reason
  /// The time at which it was refused.
  public let date: Date
  /// Whether the change can be made again. It cannot while its scope is not on this device.
  public let canRetry: Bool
  /// The scope of the change, if it is not on this device any more.
  public let end: End?
  /// The table, the key and the values of the change, by field.
  package let place: RowID
  package let scope: ScopeID?
  package let values: [String: WireValue]
}

extension RefusedChange {
  init(_ letter: DeadLetter, _ names: RowNames, end: End?) throws {
    let row = try names.name(of: letter.row, letter.op?.fields ?? [:])
    self.init(
      id: letter.id, row: row, reason: Reason(letter.rejection),
      date: Date(milliseconds: letter.date), canRetry: letter.op != nil && end == nil, end: end,
      place: letter.row, scope: letter.scope, values: letter.op?.fields ?? [:])
  }
}

extension RefusedChange.Reason {
  fileprivate init(_ rejection: Rejection) {
    self =
      switch rejection.code {
      case .gone: .gone
      case .missingReference: .missingReference
      case .forbidden: .forbidden
      case .tooLarge: .tooLarge
      case .dependency: .dependency
      case .limitReached: .limitReached
      case .collision: .collision
      default: .other(rejection.message)
      }
  }
}
