package import Foundation
package import OffshoreWire

/// A storage of a server's data: changes, accounts, invitations, and the entries of blobs.
///
/// The rules of the server are written once, over the transactions of any storage:
///
/// ```swift
/// let storage = try SQLiteStorage(path, epoch: epoch)
/// let answer = try await storage.write { transaction in
///   try pushRules.apply(push, of: account, at: now, to: &transaction)
/// }
/// ```
///
/// Writes are serialized, at least those to the same scope. So the sequence numbers of its changes
/// have no gaps, and a reader that sees a number sees all lower ones too.
package protocol ServerStorage: Sendable {
  /// The size of the data on this machine in bytes, or `nil` if it is unknown.
  var byteCount: Int64? { get }

  /// Runs a closure that sees one immutable state of the data.
  /// - Throws: the error of the closure, or an error of the storage.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a closure that reads a few rows by their keys, and never waits for other reads.
  ///
  /// Access tokens are read in this way, so that slow reads delay no request that needs none.
  /// - Throws: the error of the closure, or an error of the storage.
  func readPromptly<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a closure and commits its changes together, or none of them if it throws.
  ///
  /// A storage may run the closure again if another write was in its way, so the closure has no
  /// other effects.
  /// - Throws: the error of the closure, or an error of the storage.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result

  /// Calls a closure with the result of a read, and again with each different result after commits,
  /// also those of other processes.
  ///
  /// It returns when the task is cancelled. A storage whose data no other process can change returns at
  /// once.
  /// - Throws: the error of the read, or an error of the storage, for example after ``close()``.
  func observe<Result: Equatable & Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result,
    _ receive: @Sendable (Result) -> Void
  ) async throws

  /// Completes the pending work and ends the access to the data. Later work is refused.
  func close() async
}

extension ServerStorage {
  package func observe<Result: Equatable & Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result,
    _ receive: @Sendable (Result) -> Void
  ) async throws {}
}

/// Access to the data of a server within one closure.
///
/// A write reads its own changes. Each function throws the errors of its storage. Values are stored
/// unchecked: the rules ensure that sequence numbers have no gaps and that digests are correct.
/// Each change of rows names their scope, so a storage can divide the data by scopes.
package protocol StorageTransaction: BlobTransaction {
  /// The changes so far from which access and hints follow. A transaction begins with none.
  var changes: GrantChanges { get set }

  // MARK: Epoch and manifest

  /// Returns the epoch of the data, which new scopes start with.
  func epoch() throws -> UInt64

  /// Replaces the epoch of the data and of each scope.
  mutating func setEpoch(_ epoch: UInt64) throws

  /// Returns the manifest that the data was last served under, or `nil` if it was never served.
  func manifest() throws -> Manifest?

  /// Replaces the manifest that the data is served under.
  mutating func setManifest(_ manifest: Manifest) throws

  // MARK: Scopes and rows

  /// Returns the state of a scope. A scope without any change has no rows.
  func scope(_ scope: ScopeID) throws -> ScopeState

  /// Replaces the state of a scope.
  mutating func setScope(_ scope: ScopeID, _ state: ScopeState) throws

  /// Returns a row or its tombstone, or `nil` if the scope has neither.
  func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow?

  /// Returns whether a row exists or why it does not, without reading its values; `nil` if the
  /// scope has neither the row nor its tombstone.
  func presence(of row: RowID, in scope: ScopeID) throws -> RowState.Presence?

  /// Returns the first rows and tombstones with a sequence number greater than `seq`, in the order
  /// of their sequence numbers.
  /// - Parameter bytes: about how many bytes of rows are read. The row that reaches this size is
  ///   the last one, so the result has at least one row if any follows.
  func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) throws -> RowRun

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`, in the
  /// order of their `RowID`s.
  /// - Parameter bytes: about how many bytes of rows are read. The row that reaches this size is
  ///   the last one.
  func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) throws -> RowRun

  /// Returns the first rows and tombstones of one table after an id, in the order of their ids. No
  /// id precedes the empty one.
  /// - Parameter bytes: about how many bytes of rows are read. The row that reaches this size is
  ///   the last one.
  func rows(
    of table: String, in scope: ScopeID, after id: String, limit: Int, bytes: Int
  ) throws -> RowRun

  /// Replaces a row or a tombstone. Rows of synced tables are replaced by
  /// ``StorageTransaction/store(_:over:in:_:at:)``.
  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) throws

  /// Returns rows with keys of JSON columns that were removed at or before a time, in milliseconds
  /// since 1970 by the stamps of the removals, those with the oldest removal first.
  ///
  /// A row that was stored before this was recorded is found after its next change.
  func rowsWithRemovedKeys(before time: Int64, limit: Int) throws -> [(scope: ScopeID, row: RowID)]

  /// Removes the rows, references, conflicts, marks, devices, batches, invitations and blobs of a scope.
  ///
  /// Its state and the grants in it stay, and so do idempotency records until they expire.
  /// - Parameter retainsResults: whether the devices and the results of batches stay, to repeat them.
  /// - Returns: the hashes of the blobs.
  mutating func removeContents(
    of scope: ScopeID, retainingResults retainsResults: Bool
  ) throws -> Set<ContentHash>

  /// Returns the first scopes of a kind with changes that follow another one, or the first of all if
  /// that is `nil`, in the order of their values.
  func scopes(ofKind kind: String, after last: ScopeID?, limit: Int) throws -> [ScopeID]

  /// Returns the rows and bytes of all scopes whose ``ScopeState/payer`` is an account.
  func usage(of account: AccountID) throws -> StorageUsage

  // MARK: References

  /// Returns the first rows that are recorded as referring to a row and follow another row, or the
  /// first of all if that is `nil`, in the order of their `RowID`s.
  func referrers(
    of row: RowID, in scope: ScopeID, after last: RowID?, limit: Int
  ) throws -> [RowID]

  /// Records that a row refers to another, unless that is recorded already.
  mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Removes the record that a row refers to another.
  mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Removes the records that rows refer to rows of a table, in all scopes.
  mutating func removeReferences(to table: String) throws

  // MARK: Conflicts

  /// Returns the conflicts of a row, in the order of their numbers.
  func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict]

  /// Returns the first conflicts of a scope with a number greater than `number`, in the order of
  /// their numbers.
  /// - Parameter bytes: about how many bytes of values are read. The conflict that reaches this
  ///   size is the last one.
  func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) throws -> [NumberedConflict]

  /// Stores a conflict under a number that the scope has not used.
  /// - Parameter time: the server's clock, in milliseconds since 1970.
  mutating func addConflict(
    _ conflict: NumberedConflict, in scope: ScopeID, at time: Int64) throws

  /// Removes the oldest conflicts that were stored at or before a time.
  /// - Returns: the number of removed conflicts, at most `limit`.
  mutating func removeConflicts(before time: Int64, limit: Int) throws -> Int

  // MARK: Tombstones

  /// Returns the sequence number of the last tombstone of each scope that has one.
  func lastTombstones() throws -> [ScopeID: Int64]

  /// Removes the first tombstones with a sequence number up to `seq`.
  /// - Returns: the number of removed tombstones, at most `limit`.
  @discardableResult
  mutating func removeTombstones(in scope: ScopeID, upTo seq: Int64, limit: Int) throws -> Int

  /// Returns all marks of tombstones, in the order of scopes and numbers.
  func tombstoneMarks() throws -> [TombstoneMark]

  /// Stores a mark for a scope and a number that have none.
  mutating func addTombstoneMark(_ mark: TombstoneMark) throws

  /// Removes the marks of a scope up to a number.
  mutating func removeTombstoneMarks(in scope: ScopeID, upTo seq: Int64) throws

  // MARK: Devices

  /// Returns the state of a device. An unknown device has sent nothing.
  func device(_ device: DeviceID, in scope: ScopeID) throws -> StoredDevice

  /// Returns the account of a device, recorded by a push to any scope, or `nil` if it is unknown.
  func owner(of device: DeviceID) throws -> AccountID?

  /// Returns how many devices in a scope belong to an account.
  func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int

  /// Returns the devices that have pushed to a scope, with their accounts. Devices of unknown
  /// accounts are left out.
  func devices(in scope: ScopeID) throws -> [DeviceID: AccountID]

  /// Replaces the state of a device.
  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: StoredDevice) throws

  /// Resets the acknowledged sequence number of every device to 0.
  mutating func resetAcknowledgements() throws

  // MARK: Batches

  /// Returns the final result of a device's batch, or `nil` if the batch has none.
  func result(of number: Int64, by device: DeviceID, in scope: ScopeID) throws -> StoredResult?

  /// Returns the number and the final result of a device's batch with an id, or `nil` if no such
  /// batch is stored.
  func result(
    withID id: UUID, by device: DeviceID, in scope: ScopeID
  ) throws -> (number: Int64, result: StoredResult)?

  /// Returns the first devices with results from a time or before, except for the last `count`
  /// batches of each.
  func sendersOfResults(
    before time: Int64, keeping count: Int64, limit: Int
  ) throws -> [BatchSender]

  /// Removes the first results of a device that were stored at or before a time, except for its
  /// last `count` batches.
  /// - Returns: the number of removed results, at most `limit`.
  mutating func removeResults(
    of sender: BatchSender, before time: Int64, keeping count: Int64, limit: Int
  ) throws -> Int

  /// Stores the final result of a batch that has none yet.
  mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID) throws

  /// Returns the ops on a row from a device's rejected batches, in the order of arrival.
  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) throws -> [Refusal]

  /// Stores an op of a rejected batch.
  mutating func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) throws

  /// Removes the stored ops of a device's rejected batches that are for a row and have a stamp.
  mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID) throws

  // MARK: Grants

  /// Returns the grant of an account in a scope, or `nil` if it never had one.
  func grant(of account: AccountID, in scope: ScopeID) throws -> Grant?

  /// Returns whether any account ever had a grant in a scope.
  func hasGrants(in scope: ScopeID) throws -> Bool

  /// Returns the grants of an account with a number greater than `seq`, in the order of their
  /// numbers.
  func grants(of account: AccountID, after seq: Int64) throws -> [Grant]

  /// Returns the number of the account's last grant, or 0 if it never had one.
  func lastGrant(of account: AccountID) throws -> Int64

  /// Returns how many scopes of a kind an account may read.
  func membershipCount(of account: AccountID, ofKind kind: String) throws -> Int

  /// Returns how many scopes an account has ever claimed.
  func claimCount(of account: AccountID) throws -> Int

  /// Adds 1 to the number of scopes that an account has claimed.
  mutating func addClaim(of account: AccountID) throws

  /// Returns the accounts that have or had a role in a scope, with the current role, in the order
  /// of their names.
  func members(of scope: ScopeID) throws -> [Member]

  /// Replaces an account's grant in a scope.
  /// - Parameter start: the place from which the account reads the scope; ignored if it may not.
  mutating func setGrant(_ grant: Grant, of account: AccountID, start: ReadingStart) throws

  /// Returns the grant of an account that may read a scope, and the place from which it reads the scope;
  /// `nil` if it may not.
  func reading(
    of account: AccountID, in scope: ScopeID
  ) throws -> (grant: Grant, start: ReadingStart)?

  // MARK: Accounts

  /// Returns the account with an id, or `nil` if it does not exist.
  func account(_ id: AccountID) throws -> Account?

  /// Returns the account with a name, or `nil` if it does not exist.
  func account(named name: AccountName) throws -> Account?

  /// Returns the first accounts that follow another one, or the first of all if that is `nil`, in the
  /// order of their ids.
  func accounts(after last: AccountID?, limit: Int) throws -> [AccountID]

  /// Adds or replaces an account.
  mutating func setAccount(_ account: Account) throws

  /// Removes an account that exists, with its tokens, invitations, uploads, grants and claims.
  ///
  /// Its id is recorded, for ``isRemoved(_:)``. Rows of scopes that counted for it count for no account.
  mutating func removeAccount(_ id: AccountID) throws

  /// Returns whether an account with an id existed and was removed.
  func isRemoved(_ id: AccountID) throws -> Bool

  /// Returns the access token with the hash of a secret, even if it has expired.
  func token(_ hash: ContentHash) throws -> AccessToken?

  /// Returns the access tokens of an account in the order of their creation, including expired
  /// ones.
  func tokens(of account: AccountID) throws -> [AccessToken]

  /// Adds an access token.
  mutating func addToken(_ token: AccessToken) throws

  /// Removes an access token, if it exists.
  mutating func removeToken(_ hash: ContentHash) throws

  // MARK: Invitations

  /// Returns the invitation with the hash of a code, even if it has expired.
  func invitation(_ hash: ContentHash) throws -> Invitation?

  /// Returns the invitations to a scope in the order in which they expire, including expired ones.
  func invitations(to scope: ScopeID) throws -> [Invitation]

  /// Adds an invitation.
  mutating func addInvitation(_ invitation: Invitation) throws

  /// Removes an invitation, if it exists.
  mutating func removeInvitation(_ hash: ContentHash) throws

  /// Removes all invitations to a scope.
  mutating func removeInvitations(to scope: ScopeID) throws

  /// Removes the access tokens of all accounts.
  /// - Returns: the number of removed tokens, including expired ones.
  mutating func removeAllTokens() throws -> Int

  /// Removes the invitations to all scopes.
  /// - Returns: the number of removed invitations, including expired ones.
  mutating func removeAllInvitations() throws -> Int

  /// Removes the access tokens and invitations that have expired by a time, in milliseconds since
  /// 1970.
  mutating func removeExpired(at now: Int64) throws

  // MARK: Idempotency keys

  /// Returns the record of an idempotency key, even if it has expired.
  func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord?

  /// Stores a record, and replaces an older one of the same key.
  mutating func setIdempotencyRecord(_ record: IdempotencyRecord) throws

  /// Removes the records that have expired by a time, in milliseconds since 1970.
  mutating func removeIdempotencyRecords(at now: Int64) throws
}
