package import Foundation

/// A change of a membership, which a device sends among its other changes: as a batch with a single op
/// on the table of members.
///
/// So it is numbered, repeated and answered like the other batches of its scope, and takes effect once.
package struct MemberCommand: Hashable, Sendable {
  /// The account whose membership changes.
  package let account: UUID
  /// The new role. An account ends its own membership by `left`, to retain read-only copies on its
  /// devices, or by `revoked`, to retain nothing. An owner ends that of another account by `revoked`.
  package let role: Role
  /// Whether an account is added that is not a member.
  package let isAddition: Bool

  private static let field = "role"

  /// Creates a command.
  package init(_ role: Role, of account: UUID, isAddition: Bool = false) {
    (self.role, self.account, self.isAddition) = (role, account, isAddition)
  }

  /// Parses a batch.
  /// - Returns: `nil` if the batch is not a command.
  package init?(_ batch: Batch) {
    guard batch.ops.count == 1, let op = batch.ops.first else { return nil }
    self.init(op)
  }

  /// Parses the op of a command.
  /// - Returns: `nil` if the op is not one.
  package init?(_ op: Op) {
    guard op.row.table == MemberRow.table, op.kind == .patch || op.kind == .put,
      let account = UUID(sent: op.row.id), op.fields.count == 1,
      case .integer(let number)? = op.fields[Self.field],
      let role = UInt8(exactly: number).flatMap(Role.init(rawValue:))
    else { return nil }
    self.init(role, of: account, isAddition: op.kind == .put)
  }

  /// Returns the op of the command.
  package func op(at stamp: Stamp) -> Op {
    Op(
      isAddition ? .put : .patch, MemberRow.id(of: account),
      fields: [Self.field: .integer(Int64(role.rawValue))],
      stamp: stamp)
  }
}
