import Offshore
import OffshoreWire

/// The content of a scope beside its rows, which a device removes when its account may not read the scope
/// any more. Use it within one write.
///
/// The title of the scope stays, for the message about its end, and so do the account's own changes.
struct EndedScope {
  let writer: Writer
  let scope: ScopeID

  /// Deletes the names of the members, and the rows by which a deletion of the scope could be undone.
  /// - Parameter isMissing: whether restored data lacks the membership. The rows stay then: the account may
  ///   become a member again.
  func removeSettings(isMissing: Bool) throws {
    guard try Setting.areStored(writer) else { return }
    try ConflictMemory.forgetNames(in: scope, writer)
    if !isMissing { try FormerScopes.forgetRows(of: scope, writer) }
  }

  /// Removes the values of others from the changes that a restored server lacks, and those that the user
  /// has made again.
  /// - Parameter device: the device, whose own values stay.
  func removeLostValues(besides device: DeviceID) throws {
    try SQL("UPDATE _dead SET redone = NULL WHERE scope = \(scope.text)").run(writer)
    let lost = StoredRefusal.where {
      $0.scope == scope && $0.code == Rejection.Code.lostByRestore.rawValue
    }
    for refusal in try lost.all(writer) {
      guard let op = refusal.op, !op.isOwn(of: device) else { continue }
      let base = op.base.filter { $0.value.device == device }
      let fields = op.fields.filter { base[$0.key] != nil }
      if let last = base.values.max(), !fields.isEmpty {
        let own = Op(
          .patch, op.row, generation: op.generation, fields: fields, base: base, stamp: last)
        try refusal.with(own).save(writer)
      } else {
        try StoredRefusal.where { $0.number == refusal.number }.delete(writer)
      }
    }
  }
}
