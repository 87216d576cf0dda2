package import Offshore
import OffshoreWire

// The tables of accounts, grants, single rows and blobs in a server's file. `RowTables.swift` has
// the others.

/// The grant of an account in a scope.
struct GrantRecord: Record {
  static let table = Table(
    "grant", GrantRecord.init,
    Column("account", \.account, as: .stored()).primaryKey(),
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("role", \.role, as: .stored()),
    Column("seq", \.seq),
    Column("start", \.start),
    Column("conflicts", \.conflicts).default(0)
  ).index(\.account, \.seq, name: "grant_seq", isUnique: true)
    .index(\.scope, name: "grant_scope").strict().withoutRowID()

  let account: AccountID
  let scope: ScopeID
  let role: Role
  let seq: Int64
  /// The head of the scope when the account began to read it by a rule, or `nil` for a member.
  let start: Int64?
  /// The number of conflicts that the scope had when the account began to read it.
  let conflicts: Int64

  var grant: Grant { Grant(scope, role, seq: seq) }

  /// Returns how many scopes of a kind an account may read.
  static func membershipCount(
    of account: AccountID, ofKind kind: String, _ reader: Reader
  ) throws -> Int {
    let range = ScopeRecord.range(ofKind: kind)
    let count = try SQL(
      """
      SELECT count(*) FROM \(identifier: "grant") WHERE account = \(account.stored)
      AND scope > \(range.lowerBound) AND scope < \(range.upperBound)
      AND role NOT IN (\(Role.revoked.stored), \(Role.left.stored))
      """
    ).first(reader, as: Int.self)
    return count ?? 0
  }
}

/// The number of scopes that an account has claimed, including those that it has left.
struct ClaimRecord: Record {
  static let table = Table(
    "claim", ClaimRecord.init,
    Column("account", \.account, as: .stored()).primaryKey(),
    Column("count", \.count)
  ).strict().withoutRowID()

  let account: AccountID
  let count: Int
}

extension Account: Record {
  package static let table = Table(
    "account",
    { Account(id: $0, name: $1, password: $2, created: $3, isDisabled: $4) },
    Column("id", \.id, as: .stored()).primaryKey(),
    Column("name", \.name, as: .stored()).unique(),
    Column("password", \.password, as: .stored()),
    Column("created", \.created),
    Column("disabled", \.isDisabled).default(false)
  ).strict()
}

/// The id of an account that was removed, which no other account gets.
struct RemovedAccountRecord: Record {
  static let table = Table(
    "removed_account", RemovedAccountRecord.init,
    Column("id", \.id, as: .stored()).primaryKey()
  ).strict().withoutRowID()

  let id: AccountID
}

extension AccessToken: Record {
  package static let table = Table(
    "token", AccessToken.init,
    Column("hash", \.hash, as: .stored()).primaryKey(),
    Column("account", \.account, as: .stored()).references("account", onDelete: .cascade),
    Column("label", \.label),
    Column("created", \.created),
    Column("expires", \.expires)
  ).index(\.account, name: "token_account").index(\.expires, name: "token_expires")
    .strict().withoutRowID()
}

extension Invitation: Record {
  package static let table = Table(
    "invitation", Invitation.init,
    Column("hash", \.hash, as: .stored()).primaryKey(),
    Column("scope", \.scope, as: .stored()),
    Column("role", \.role, as: .stored()),
    Column("inviter", \.inviter, as: .stored()).references("account", onDelete: .cascade),
    Column("expires", \.expires),
    Column("uses", \.uses).default(1),
    Column("label", \.label),
    Column("title", \.title)
  ).index(\.scope, name: "invitation_scope").index(\.inviter, name: "invitation_inviter")
    .index(\.expires, name: "invitation_expires").strict().withoutRowID()
}

// MARK: - Single rows and blobs

extension IdempotencyRecord: Record {
  package static let table = Table(
    "idempotency",
    {
      IdempotencyRecord(
        key: $0, request: $1, scope: $2, row: RowID(table: $3, id: $4), expires: $5)
    },
    Column("key", \.key, as: .stored()).primaryKey(),
    Column("request", \.request, as: .stored()),
    Column("scope", \.scope, as: .stored()),
    Column("tbl", \.row.table),
    Column("id", \.row.id),
    Column("expires", \.expires)
  ).index(\.expires, name: "idempotency_expires").strict().withoutRowID()
}

extension StoredBlob: Record {
  package static let table = Table(
    "blob", StoredBlob.init,
    Column("hash", \.hash, as: .stored()).primaryKey(),
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("account", \.account, as: .stored()),
    Column("bytes", \.byteCount),
    Column("unused", \.unused)
  ).index(\.account, \.byteCount, name: "blob_account").index(
    \.scope, \.byteCount, name: "blob_scope"
  )
  .index(\.unused, name: "blob_unused").strict().withoutRowID()
}

extension StoredBlob {
  /// The statement that returns the blobs that have been unused since a time or longer.
  static func unused(since time: Int64, limit: Int) -> SQL {
    """
    SELECT \(columns: StoredBlob.self) FROM blob WHERE unused <= \(time)
    ORDER BY unused, hash, scope LIMIT \(limit)
    """
  }
}

/// The reference of a living row to a blob, by a file column.
struct BlobReferenceRecord: Record {
  static let table = Table(
    "blob_reference", BlobReferenceRecord.init,
    Column("scope", \.scope, as: .stored()).primaryKey(),
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("col", \.column).primaryKey(),
    Column("hash", \.hash, as: .stored())
  ).index(\.scope, \.hash, name: "blob_reference_hash").strict().withoutRowID()

  let scope: ScopeID
  let tableName: String
  let id: String
  let column: String
  let hash: ContentHash
}

extension BlobUpload: Record {
  package static let table = Table(
    "upload", { BlobUpload(hash: $1, account: $0, byteCount: $2, expires: $3) },
    Column("account", \.account, as: .stored()).primaryKey(),
    Column("hash", \.hash, as: .stored()).primaryKey(),
    Column("bytes", \.byteCount),
    Column("expires", \.expires)
  ).index(\.expires, name: "upload_expires").strict().withoutRowID()
}
