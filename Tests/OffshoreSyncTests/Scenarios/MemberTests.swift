import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// The members of scopes on devices.
struct MemberTests {
  private let harbour: Harbour
  private let scope: ScopeID
  /// The time of the first change, in milliseconds since 1970.
  private let begun: Int64
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withAnnaAndBen()
    scope = try ScopeID("charter/c1")
    try harbour.grant(.owner, to: harbour.ships[0], "c1")
    try harbour.settle()
    try harbour.ships[0].run("INSERT INTO charters VALUES ('c1', 'Kornati')")
    try harbour.ships[0].push()
    begun = harbour.now
    try harbour.settle()
  }

  private func members(on ship: Ship) throws -> [String] {
    try ship.device.connection.read { try ship.replica.members(of: scope, $0) }
      .map { "\($0.name) \($0.role.name)" }
  }

  private func since(_ place: Int) throws -> Date? {
    try anna.device.connection.read { try anna.replica.members(of: scope, $0) }[place].since
  }

  @Test func `The first change of a scope brings its members`() throws {
    #expect(try members(on: anna) == ["anna owner"])
    #expect(try members(on: ben) == [])
    #expect(try since(0) == Date(timeIntervalSince1970: Double(begun) / 1_000))
  }

  @Test func `Each device of a scope knows each change of a role`() throws {
    harbour.now += 50_000
    try harbour.grant(.editor, to: ben, "c1")
    let joined = harbour.now
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try members(on: ship) == ["anna owner", "ben editor"])
    }
    #expect(try since(1) == Date(timeIntervalSince1970: Double(joined) / 1_000))
    try harbour.grant(.viewer, to: ben, "c1")
    try harbour.settle()
    #expect(try members(on: anna) == ["anna owner", "ben viewer"])
    #expect(try since(1) == Date(timeIntervalSince1970: Double(joined) / 1_000))
    let digests = try anna.device.connection.write { try anna.replica.digests($0) }
    #expect(digests[scope] == harbour.server.scope(scope).digest)
  }

  @Test func `Who is removed knows no members any more, and who leaves those of that time`() throws
  {
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    try harbour.grant(.left, to: ben, "c1")
    try harbour.settle()
    #expect(try members(on: anna) == ["anna owner"])
    #expect(try members(on: ben) == ["anna owner", "ben editor"])
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    try harbour.grant(.revoked, to: ben, "c1")
    try harbour.settle()
    #expect(try members(on: anna) == ["anna owner"])
    #expect(try members(on: ben) == [])
  }

  @Test func `A member whose row was lost on a device is noticed, and is back`() throws {
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    let row = MemberRow.id(of: ben.account.uuid).id
    try anna.run(
      "DELETE FROM _row WHERE substr(tbl, 1, 8) = '_members' AND id = \(row)",
      "UPDATE _cursor SET digest = 1")
    #expect(try members(on: anna) == ["anna owner"])
    try ben.run("UPDATE charters SET name = 'Hvar'")
    try harbour.settle()
    #expect(try members(on: anna) == ["anna owner", "ben editor"])
    #expect(try anna.device.number("SELECT sum(repairs) FROM _cursor") > 0)
    let digests = try anna.device.connection.write { try anna.replica.digests($0) }
    #expect(digests[scope] == harbour.server.scope(scope).digest)
  }

  @Test func `No device can write the row of a member`() throws {
    let row = MemberRow(
      account: ben.account.uuid, name: "ben", role: .owner, since: nil)
    let device = DeviceID(Ship.uuid(9, 9))
    let op = Op(
      .put, MemberRow.id(of: ben.account.uuid), fields: row.fields,
      stamp: Stamp(milliseconds: harbour.now, device: device))
    let request = PushRequest(
      device: device, epoch: 0, manifestVersion: 1,
      batches: [Batch(scope, number: 1, id: UUID(), ops: [op])])
    let response = try harbour.answer(request, of: anna.account)
    guard case .rejected(let rejection, _)? = response.results.first?.outcome else {
      Issue.record("\(response.results)")
      return
    }
    #expect(rejection.code == .unknownTable)
    #expect(try members(on: anna) == ["anna owner"])
  }
}
