public import Foundation
import OffshoreWire

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

  /// The number of the change on this device.
  public let id: Int64
  /// The row that was changed.
  public let row: RowName
  /// Why the change was refused.
  public let reason: Reason
  /// The time at which it was refused.
  public let date: Date
  /// Whether the change can be made again.
  public let canRetry: Bool

  /// Describes a change.
  public init(id: Int64, row: RowName, reason: Reason, date: Date, canRetry: Bool) {
    self.id = id
    self.row = row
    self.reason = reason
    self.date = date
    self.canRetry = canRetry
  }
}

extension RefusedChange {
  init(_ letter: DeadLetter, _ names: RowNames) throws {
    self.init(
      id: letter.id, row: try names.name(of: letter.row, letter.op?.fields ?? [:]),
      reason: Reason(letter.rejection), date: Date(milliseconds: letter.date),
      canRetry: letter.op != nil)
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
