import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A device with its own clock, whose requests a test delivers, loses, or repeats.
final class Ship {
  let device: TestDevice
  let account: AccountID
  let replica: Replica
  private unowned let harbour: Harbour
  /// The milliseconds by which the device's clock is ahead of the server's.
  var clockError: Int64 {
    get { error.now }
    set { error.now = newValue }
  }
  private let error = TestClock(0)
  private let number: Int

  init(
    _ number: Int, in harbour: Harbour, creating tables: [SQL] = [], device: TestDevice? = nil,
    account: AccountID? = nil, schema: SyncSchema? = nil
  ) throws {
    let schema = schema ?? harbour.schema
    self.number = number
    self.harbour = harbour
    var replica = try Replica(
      schema, attemptLimits: harbour.attemptLimits, derivations: harbour.derivations)
    if let rows = harbour.largeScopeRows { replica.largeScopeRows = rows }
    self.replica = replica
    self.account = account ?? AccountID(Self.uuid(2, number))
    if let device {
      self.device = device
    } else {
      self.device = try TestDevice(schema, creating: tables, isInstalled: false)
      try self.device.connection.write {
        try self.replica.outbox.install(
          $0, device: DeviceID(Self.uuid(1, number)),
          now: { [clock = harbour.clock, error] in clock.now + error.now })
      }
    }
  }

  static func uuid(_ kind: Int, _ number: Int) -> UUID {
    UUID(uuidString: String(format: "00000000-0000-000%d-0000-%012d", kind, number)) ?? UUID()
  }

  private var now: Int64 { harbour.now + clockError }

  /// Returns a second device of the account, with a copy of this one's file.
  func copy(_ number: Int) throws -> Ship {
    let copy = try Ship(number, in: harbour, device: try device.copy(), account: account)
    harbour.add(copy)
    return copy
  }

  func run(_ statements: SQL...) throws {
    try device.connection.write { writer in for sql in statements { try sql.run(writer) } }
  }

  // MARK: - Messages

  /// - Parameter bytes: the maximum number of bytes of the batches in the message.
  func nextPush(bytes: Int? = nil) throws -> PushRequest? {
    var limits = SealingLimits()
    if let bytes { limits.messageBytes = bytes }
    return try device.connection.write {
      try replica.nextPush($0, at: now, limits: limits, makeID: device.nextID)
    }
  }

  func take(_ response: PushResponse, to request: PushRequest) throws -> PushReport {
    try device.connection.write {
      try replica.apply(
        response, to: request, at: RequestTimes(sent: now, received: now), $0,
        newDevice: { DeviceID(Ship.uuid(3, number)) }, makeID: device.nextID)
    }
  }

  /// Pushes pending changes; the answer may be lost.
  /// - Returns: The report, or `nil` if nothing is pending or the answer was lost.
  @discardableResult
  func push(losingAnswer: Bool = false) throws -> PushReport? {
    guard let request = try nextPush() else { return nil }
    let response = try harbour.answer(request, of: account)
    return losingAnswer ? nil : try take(response, to: request)
  }

  func nextPull(limit: Int = 10) throws -> PullRequest {
    try device.connection.read { try replica.nextPull($0, limit: limit) }
  }

  func take(_ response: PullResponse, to request: PullRequest) throws -> PullReport {
    try device.connection.write {
      try replica.apply(
        response, to: request, at: RequestTimes(sent: now, received: now), $0, makeID: device.nextID
      )
    }
  }

  @discardableResult
  func pull(limit: Int = 10) throws -> PullReport {
    let request = try nextPull(limit: limit)
    return try take(try harbour.answer(request, of: account), to: request)
  }

  func pullAll(limit: Int = 10) throws {
    for _ in 0..<200 where try !pull(limit: limit).hasMore { return }
    throw ReplicaError(.damaged, "The device never has all that it pulls.")
  }

  // MARK: - Content

  /// Returns the time of the oldest pending change.
  func oldest() throws -> Int64? {
    try device.connection.read { try replica.status($0) }.oldest
  }

  /// Returns the titles of the tasks, by id.
  func titles() throws -> [String: String] {
    let rows = try device.connection.read {
      try SQL("SELECT id, title FROM tasks").all($0, as: String.self, String.self)
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns the row and the code of each refused change.
  func dead() throws -> [String] {
    try device.texts("SELECT tbl || '/' || id || ' ' || code FROM _dead ORDER BY tbl, id, number")
  }

  /// Returns all synced values of all tables as SQL literals.
  func content() throws -> [String] {
    try device.texts(
      """
      SELECT quote(id) || quote(name) FROM charters
      UNION ALL SELECT quote(id) || quote(charterID) || quote(title) || quote(note)
        || quote(hours) || quote(votes) || quote(items) FROM tasks ORDER BY 1
      """)
  }

  /// Whether no change is pending and no row is hidden or staged.
  func isSettled() throws -> Bool {
    try device.number(
      """
      SELECT (SELECT count(*) FROM _outbox) + (SELECT count(*) FROM _batch)
        + (SELECT count(*) FROM _shadow) + (SELECT count(*) FROM _page)
        + (SELECT count(*) FROM _arrival)
      """) == 0
  }
}
