public import Foundation
package import OffshoreWire

/// A change that the server or this device refused, stored until the user retries or discards it.
public struct RefusedChange: Hashable, Identifiable, Sendable {
  /// The reason for a refusal.
  public enum Reason: Hashable, Sendable {
    /// The changed row was deleted.
    case gone
    /// A row that the changed row refers to was deleted.
    case missingReference
    /// The account may not change the row.
    case forbidden
    /// The change is larger than allowed.
    case tooLarge
    /// The change builds on a refused change.
    case dependency
    /// The row violates a constraint because of changes that others made.
    case collision
    /// The account has reached a limit.
    case limitReached
    /// The scope would have no owner.
    case lastOwner
    /// The scope has as many members as its kind allows.
    case scopeFull
    /// The account has as many memberships in scopes of the kind as allowed.
    case accountFull
    /// The server's data was restored from a copy that lacks the change, and no device has brought
    /// it back yet. The change may be that of another device.
    case lostByRestore
    /// Another reason, in the server's words.
    case other(String)
  }

  /// The reason why the scope of a refused change is not on this device any more, and whether the
  /// user can restore it.
  public struct End: Hashable, Sendable {
    package let scope: ScopeID
    /// The event by which the scope was removed from this device.
    public let kind: ScopeEnd.Kind
    /// The title that the scope's root row had before it was removed, if it is known.
    public let title: String?
    /// Whether this device can restore the scope, by `SyncModel` of `OffshorePresentation`, as the
    /// page of changes of `OffshorePages` offers.
    ///
    /// It can if another device has deleted the scope's root row while this one had pending or
    /// refused changes in the scope: the rows were then stored. Restoring inserts them again, and
    /// retries the refused changes, except rows that only others may write. It cannot if only others
    /// may write the root row. If the server had reported all these changes as conflicts, and
    /// refused none, there is no refused change with this property; see
    /// ``ScopeEnd/hasLostChanges``.
    public let isRestorable: Bool
  }

  /// The number of the change on this device.
  public let id: Int64
  /// The row that was changed.
  public let row: RowName
  /// The reason for the refusal.
  public let reason: Reason
  /// The time of the refusal.
  public let date: Date
  /// Whether the change can be retried. It cannot be if its edit is unknown, or if its scope is not
  /// on this device.
  public let canRetry: Bool
  /// The reason why the change's scope is not on this device any more; `nil` if the scope's root
  /// row is on this device, or if the reason is not known.
  public let end: End?
  /// The command about a member, or `nil` for a change of a row. ``row`` then names the member, and the
  /// title of the scope as its whole.
  public let member: MemberChange?
  /// Whether it is an insertion whose row has stayed in its place; see `keepsRefused` of ``SyncTable``.
  public let isInPlace: Bool
  /// The table and the key of the row.
  package let place: RowID
  /// The scope of the change, if it is known.
  package let scope: ScopeID?
  /// The values of the change, by field.
  package let values: [String: WireValue]
}

extension RefusedChange {
  init(
    _ deadLetter: DeadLetter, _ schema: SyncSchema, _ names: RowNames, by account: UUID?,
    end: End?, isInPlace: Bool
  ) throws {
    let (place, fields) = (schema.present(deadLetter.row), deadLetter.op?.fields ?? [:])
    let member = MemberChange(deadLetter.op, by: account)
    let row =
      member == nil
      ? try names.name(of: deadLetter.row, fields)
      : try names.name(ofMember: deadLetter.row, in: deadLetter.scope)
    self.init(
      id: deadLetter.id, row: row, reason: Reason(deadLetter.rejection),
      date: Date(milliseconds: deadLetter.date), canRetry: deadLetter.op != nil && end == nil,
      end: end, member: member, isInPlace: isInPlace,
      place: place, scope: deadLetter.scope,
      values: Dictionary(
        fields.map { (schema.presentField($0.key, of: place.table), $0.value) },
        uniquingKeysWith: { first, _ in first }))
  }
}

extension RefusedChange.Reason {
  init(_ rejection: Rejection) {
    self =
      switch rejection.code {
      case .gone: .gone
      case .missingReference: .missingReference
      case .forbidden: .forbidden
      case .tooLarge: .tooLarge
      case .lastOwner: .lastOwner
      case .scopeFull: .scopeFull
      case .accountFull: .accountFull
      case .dependency: .dependency
      case .limitReached: .limitReached
      case .collision: .collision
      case .lostByRestore: .lostByRestore
      default: .other(rejection.message)
      }
  }
}
