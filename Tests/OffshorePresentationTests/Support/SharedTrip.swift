import Foundation
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// A skipper's trip with a mate as its member, each on a separate device.
@MainActor
struct SharedTrip {
  let server: LoopbackServer
  let skipper: SyncService
  let mate: SyncService
  let trip: Trip
  let scope: ScopeID

  /// Invites the mate, who joins by the code.
  init(mateIs role: Role = .editor) async throws {
    server = try LoopbackServer()
    skipper = try await server.device(of: "skipper")
    mate = try await server.device(of: "mate")
    trip = try await skipper.store.addTrip("Kornati")
    scope = try trip.scope
    await skipper.waitForRole(.owner, in: scope)
    let members = MembersModel(scope, skipper)
    await members.load()
    #expect(await members.invite(as: role))
    let joining = JoinModel(mate)
    joining.code = try #require(members.invitation?.code)
    #expect(await joining.join() == scope)
    await mate.waitForRole(role, in: scope)
    for device in [skipper, mate] { await device.waitForMembers(2, of: scope) }
  }

  func setAirplane(_ isOn: Bool) async throws {
    for device in [skipper, mate] { try await device.setAirplane(isOn) }
  }

  func end() async { await server.end(skipper, mate) }
}

extension Trip {
  /// The scope of the trip.
  var scope: ScopeID { get throws { try ScopeID(kind: "trip", value: id.uuidString) } }
}

extension SyncService {
  /// Waits until the account has a role in a scope.
  func waitForRole(_ role: Role, in scope: ScopeID) async {
    let access = access(to: scope)
    await access.load()
    await waitUntil { access.role == role }
  }

  /// Waits until a number of members of a scope have arrived.
  func waitForMembers(_ count: Int, of scope: ScopeID) async {
    let members = liveMembers(of: scope)
    await members.load()
    await waitUntil { members.state.data.flatMap(\.self)?.count == count }
  }
}
