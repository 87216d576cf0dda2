import Foundation
import Offshore
import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport

/// The users of a timed schedule.
struct TimedUsers {
  let time: VirtualTime
  let network: TimedNetwork
  let server: TimedServer
  let drivers: [TimedDriver]

  /// Performs a random action of a user.
  func act() async throws {
    let driver = time.random.pick(drivers)
    let state = server.state
    switch time.random.number(below: 13) {
    case 0...2: try await makeLists(driver)
    case 3...6: try await edit(driver)
    case 7...9: try await invite(state)
    case 10: changeRole(state)
    case 11: remove(state)
    default: leave(driver, state)
    }
  }

  // MARK: - Rows

  /// Creates one list, or ten in a row.
  private func makeLists(_ driver: TimedDriver) async throws {
    let count = !server.endsStreams && time.random.chance(10) ? 10 : 1
    for number in 1...count {
      if number > 1 { try await time.run(for: Int64(time.random.number(in: 0...100))) }
      let device = driver.device
      let (list, item) = (device.id("l"), device.id("i"))
      time.note("\(driver.name) makes \(list)")
      try write(
        driver,
        "INSERT INTO lists VALUES (\(list), \(device.title()))",
        "INSERT INTO items VALUES (\(item), \(list), \(device.title()))")
    }
  }

  /// Adds an item to a list, or changes a row. If the user has no list, creates one.
  private func edit(_ driver: TimedDriver) async throws {
    let (device, view) = (driver.device, try driver.device.view())
    guard !view.writable.isEmpty else { return try await makeLists(driver) }
    let list = time.random.pick(view.writable)
    let row = time.random.pick((view.lists[list] ?? [:]).keys.sorted())
    time.note("\(driver.name) edits \(row) of \(list)")
    if time.random.chance(50) {
      let item = device.id("i")
      try write(driver, "INSERT INTO items VALUES (\(item), \(list), \(device.title()))")
    } else {
      let table = row == list ? "lists" : "items"
      try write(
        driver, "UPDATE \(identifier: table) SET title = \(device.title()) WHERE id = \(row)")
    }
  }

  /// Writes to a device's file. Its driver notices shortly after.
  private func write(_ driver: TimedDriver, _ statements: SQL...) throws {
    try driver.device.connection.write { writer in for sql in statements { try sql.run(writer) } }
    time.after(Int64(time.random.number(below: 6))) { driver.handle(.changesCaptured) }
  }

  // MARK: - Members

  /// Has an owner invite an account without access to a list. The account accepts.
  private func invite(_ state: MemoryState) async throws {
    guard let (scope, owner) = pickOwned(state) else {
      return try await makeLists(time.random.pick(drivers))
    }
    let strangers = drivers.filter {
      state.grant(of: $0.device.account, in: scope)?.role.canRead != true
    }
    guard !strangers.isEmpty else { return }
    let stranger = time.random.pick(strangers)
    let role = time.random.pick(["editor", "editor", "viewer"])
    time.note("\(owner.name) invites \(stranger.name) to \(scope.value)")
    network.exchange(
      .post, "\(Self.path(scope))/invitations", Self.json("role", role), owner
    ) { response in
      guard let response, response.status == .created else { return }
      let code = try JSONDecoder().decode(Code.self, from: Data(response.bytes)).code
      network.exchange(.post, "/v1/invitations", Self.json("code", code), stranger) { _ in }
    }
  }

  private struct Code: Decodable { let code: String }

  private func changeRole(_ state: MemoryState) {
    guard let (scope, owner, member) = pickMember(state) else { return }
    let role = time.random.pick(["owner", "editor", "viewer"])
    time.note("\(owner.name) makes \(member.name) \(role) of \(scope.value)")
    network.exchange(.put, Self.path(scope, member), Self.json("role", role), owner) { _ in }
  }

  private func remove(_ state: MemoryState) {
    guard let (scope, owner, member) = pickMember(state) else { return }
    time.note("\(owner.name) removes \(member.name) from \(scope.value)")
    network.exchange(.delete, Self.path(scope, member), [], owner) { _ in }
  }

  private func leave(_ driver: TimedDriver, _ state: MemoryState) {
    let grants = state.grants(of: driver.device.account, after: 0)
      .filter { $0.role == .editor || $0.role == .viewer }
    guard !grants.isEmpty else { return }
    let scope = time.random.pick(grants).scope
    time.note("\(driver.name) leaves \(scope.value)")
    network.exchange(.delete, Self.path(scope, driver), [], driver) { _ in }
  }

  /// Draws a scope, with the device of an owner.
  private func pickOwned(_ state: MemoryState) -> (ScopeID, TimedDriver)? {
    let owned = drivers.flatMap { driver in
      state.grants(of: driver.device.account, after: 0).filter { $0.role == .owner }
        .map { ($0.scope, driver) }
    }
    return owned.isEmpty ? nil : time.random.pick(owned)
  }

  /// Draws a scope, with the device of an owner and the device of another member.
  private func pickMember(_ state: MemoryState) -> (ScopeID, TimedDriver, TimedDriver)? {
    let members = drivers.flatMap { owner in
      state.grants(of: owner.device.account, after: 0).filter { $0.role == .owner }.flatMap {
        grant in
        drivers.filter {
          $0.device.account != owner.device.account
            && state.grant(of: $0.device.account, in: grant.scope)?.role.canRead == true
        }.map { (grant.scope, owner, $0) }
      }
    }
    return members.isEmpty ? nil : time.random.pick(members)
  }

  private static func path(_ scope: ScopeID, _ member: TimedDriver? = nil) -> String {
    let path = "/v1/scopes/\(scope.kind)/\(scope.value)"
    return member.map { "\(path)/members/\($0.device.account)" } ?? path
  }

  private static func json(_ name: String, _ value: String) -> [UInt8] {
    Array(#"{"\#(name)":"\#(value)"}"#.utf8)
  }
}
