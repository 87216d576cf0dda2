import OffshoreServer
import OffshoreWire
import ServerSupport

/// Checks that devices show changes within a time limit, and that their streams are open.
final class ChangeWatch {
  /// The milliseconds within which a device must show a change, and reopen a stream.
  static let limit: Int64 = 1_000

  /// Whether no disturbance is active. Expectations apply only then.
  var isCalm = false {
    didSet { changes.removeAll() }
  }
  private let time: VirtualTime
  private let server: TimedServer
  private let devices: [TimedDevice]
  private var changes = ExpectedChanges()
  /// The time when the server last granted an account a scope that it could not read before.
  private var newScopes: [AccountID: Int64] = [:]
  /// The time when a device's stream ended, by the device's place.
  private var ends: [Int: Int64] = [:]

  init(_ time: VirtualTime, _ server: TimedServer, _ devices: [TimedDevice]) {
    (self.time, self.server, self.devices) = (time, server, devices)
  }

  // MARK: - Changes

  /// Expects the devices with access to show the changes of a request.
  func expectChanges(
    from before: MemoryState, to after: MemoryState, by author: TimedDevice
  ) {
    for account in server.accounts {
      let last = before.grants(of: account, after: 0).last?.seq ?? 0
      for grant in after.grants(of: account, after: last) {
        expect(grant, of: account, before, after)
      }
    }
    let scopes = Set(server.accounts.flatMap { after.grants(of: $0, after: 0).map(\.scope) })
    for scope in scopes.sorted() where after.hasChanges(in: scope, since: before) {
      let titles = places(in: scope, after: before.scope(scope).head, after)
      for device in devices where device !== author {
        guard after.grant(of: device.account, in: scope)?.role.canRead == true else { continue }
        expect(.titles(titles), in: scope, on: device)
      }
    }
  }

  private func expect(
    _ grant: Grant, of account: AccountID, _ before: MemoryState, _ after: MemoryState
  ) {
    time.count("\(grant.role)")
    time.note("the role \(grant.role) in \(grant.scope.value) for an account")
    let couldRead = before.grant(of: account, in: grant.scope)?.role.canRead == true
    let isNew = grant.role.canRead && !couldRead
    if isNew { newScopes[account] = time.now }
    for device in devices where device.account == account {
      expect(.role(grant.role, seq: grant.seq), in: grant.scope, on: device)
      if isNew, before.scope(grant.scope).head > 0 {
        expect(.titles(places(in: grant.scope, after: 0, after)), in: grant.scope, on: device)
      }
    }
  }

  /// Returns the rows that changed after a number, each with its title's place in its history.
  private func places(
    in scope: ScopeID, after head: Int64, _ state: MemoryState
  ) -> [String: Int] {
    let titles = state.titles(in: scope, after: head)
    return Dictionary(uniqueKeysWithValues: titles.map { ($0, changes.note($1, of: $0)) })
  }

  /// Expects a device to show a change within the limit.
  private func expect(
    _ content: ExpectedChanges.Content, in scope: ScopeID, on device: TimedDevice
  ) {
    guard isCalm else { return }
    let number = changes.add(
      ExpectedChanges.Change(
        device: device.place, list: scope.value, start: time.now, content: content))
    time.after(Self.limit) { try await self.check(number, on: device) }
  }

  private func check(_ number: Int, on device: TimedDevice) async throws {
    guard let change = changes[number],
      try !change.isObsolete(for: device.account, in: server.state)
    else { return }
    let end = start(of: change, on: device) + Self.limit
    guard time.now < end else {
      throw Violation(.promptness, "\(device.name) does not show \(change) within a second.")
    }
    time.at(end) { try await self.check(number, on: device) }
  }

  /// Returns the time from which a device could show a change.
  ///
  /// A device shows all scopes of a pull at once, including scopes that are granted during the
  /// pull.
  private func start(of change: ExpectedChanges.Change, on device: TimedDevice) -> Int64 {
    max(change.start, newScopes[device.account] ?? 0)
  }

  /// Removes the expected changes that a device shows.
  func removeShown(by device: TimedDevice) throws {
    guard isCalm else { return }
    for change in changes.remove(shownBy: device.place, in: try device.view()) {
      let elapsed = max(time.now - start(of: change, on: device), 0)
      time.count("shownWithin.\((elapsed + 99) / 100 * 100)")
    }
  }

  // MARK: - Streams

  /// Expects a device without a stream to have one again within the limit.
  func note(isListening: Bool, _ device: TimedDevice) {
    guard !isListening else {
      ends[device.place] = nil
      return
    }
    guard ends[device.place] == nil else { return }
    let end = time.now
    ends[device.place] = end
    time.after(Self.limit) {
      guard self.isCalm, self.ends[device.place] == end else { return }
      throw Violation(.listening, "\(device.name) has not been listening for a second.")
    }
  }

  // MARK: - Contents

  /// Compares the rows and roles of all devices with the server's.
  func checkContents() async throws {
    let state = server.state
    for device in devices {
      let view = try device.view()
      for grant in state.grants(of: device.account, after: 0) {
        let list = grant.scope.value
        var expected = grant.role == .revoked ? nil : view.lists[list]
        if grant.role.canRead { expected = state.titles(in: grant.scope) }
        guard view.roles[list] == grant.role, view.lists[list] == expected else {
          throw Violation(
            .convergence, "\(device.name) shows other rows of \(list), or has another role there.")
        }
      }
    }
  }
}

extension MemoryState {
  /// Returns whether rows of a list have changed, besides those of its members.
  fileprivate func hasChanges(in scope: ScopeID, since before: MemoryState) -> Bool {
    let head = before.scope(scope).head
    guard self.scope(scope).head > head else { return false }
    return rows(in: scope, after: head, limit: .max).contains {
      $0.row.table != MemberRow.table
    }
  }

  /// Returns the titles of a list's rows that changed after a number, by id.
  fileprivate func titles(in scope: ScopeID, after head: Int64 = 0) -> [String: String] {
    let rows = rows(in: scope, after: head, limit: .max)
      .filter { $0.state.isLiving && $0.row.table != MemberRow.table }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        guard case .text(let title)? = row.state.fields["title"] else { return (row.row.id, "") }
        return (row.row.id, String(decoding: title, as: UTF8.self))
      })
  }
}
