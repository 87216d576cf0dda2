import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import OffshorePresentation

/// Changes of members without a network, obeyed by a real server at the next contact.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct OfflineMembersTests {
  private let shared: SharedTrip
  private let members: MembersModel
  private let outgoing: SyncModel
  private var mateID: UUID { shared.mate.session.userID }

  init() async throws {
    shared = try await SharedTrip()
    members = MembersModel(shared.scope, shared.skipper)
    outgoing = SyncModel(shared.skipper)
    try await shared.skipper.setAirplane(true)
    await members.load()
    await outgoing.load()
  }

  private func pending() async -> [PendingChange] {
    await outgoing.load()
    return outgoing.pending.data?.listed ?? []
  }

  @Test func `A member is removed here at once, and on the server at the next contact`()
    async throws
  {
    #expect(await members.remove(mateID))
    #expect(members.members.data?.map(\.name) == ["skipper"])
    #expect(shared.mate.access(to: shared.scope).role == .editor)
    try await shared.skipper.setAirplane(false)
    await shared.mate.waitForRole(.revoked, in: shared.scope)
    await waitUntil { shared.skipper.storeStatus.pendingCount == 0 }
    #expect(members.members.data?.map(\.name) == ["skipper"])
    await shared.end()
  }

  @Test func `A change of a role is listed, and can be cancelled`() async throws {
    #expect(await members.setRole(.viewer, of: mateID))
    #expect(members.members.data?.map(\.isPending) == [false, true])
    let change = try #require(await pending().first)
    #expect(change.row == RowName(table: RowName.members, title: "mate", whole: "Kornati"))
    #expect(change.member == MemberChange(role: .viewer, isOwn: false))
    #expect(change.action == .changed && !change.isBeingSent)
    #expect(await outgoing.cancel(change.id))
    #expect(await pending().isEmpty)
    await members.load()
    #expect(members.members.data?.map(\.role) == [.owner, .editor])
    try await shared.skipper.setAirplane(false)
    try await shared.skipper.drain()
    #expect(shared.mate.access(to: shared.scope).role == .editor)
    await shared.end()
  }

  @Test func `The last owner leaves, and the mate owns the trip at the next contact`() async throws
  {
    try await shared.skipper.store.run("UPDATE trips SET name = 'Vis'")
    #expect(await members.leave())
    #expect(members.sharing == .shared(.left) && !members.canLeave)
    #expect(await pending().map(\.member) == [nil, MemberChange(role: .left, isOwn: true)])
    try await shared.skipper.setAirplane(false)
    await shared.mate.waitForRole(.owner, in: shared.scope)
    try await shared.mate.store.wait(for: "SELECT name FROM trips", toBe: ["Vis"])
    await shared.end()
  }

  @Test func `An account that leaves and retains nothing has no rows from then on`() async throws {
    #expect(await members.leave(retainingCopy: false))
    #expect(try await shared.skipper.store.texts("SELECT name FROM trips") == [])
    #expect(try await shared.skipper.store.end(of: shared.scope)?.kind == .revoked)
    try await shared.skipper.setAirplane(false)
    await shared.mate.waitForRole(.owner, in: shared.scope)
    await waitUntil { shared.skipper.storeStatus.pendingCount == 0 }
    #expect(try await shared.skipper.store.texts("SELECT name FROM trips") == [])
    #expect(shared.skipper.storeStatus.refusedCount == 0)
    await shared.end()
  }

  @Test func `Leaving with nothing can be cancelled, and the rows are back`() async throws {
    #expect(await members.leave(retainingCopy: false))
    let change = try #require(await pending().first)
    #expect(await outgoing.cancel(change.id))
    #expect(try await shared.skipper.store.texts("SELECT name FROM trips") == ["Kornati"])
    await shared.skipper.waitForRole(.owner, in: shared.scope)
    await shared.end()
  }

  @Test func `A known account is added to a trip that the server does not have yet`() async throws {
    let trip = try await shared.skipper.store.addTrip("Vis")
    let accounts = try await shared.skipper.store.read { [store = shared.skipper.store] in
      try store.knownAccounts(notIn: trip.scope, $0)
    }
    #expect(accounts.map(\.name) == ["mate"])
    let scope = try trip.scope
    try await shared.skipper.store.addMember(mateID, as: .viewer, to: scope)
    let shown = try await shared.skipper.store.read { [store = shared.skipper.store] in
      try store.members(of: scope, $0)
    }
    #expect(shown.map(\.name) == ["mate"] && shown.allSatisfy(\.isPending))
    try await shared.skipper.setAirplane(false)
    await shared.mate.waitForRole(.viewer, in: scope)
    try await shared.mate.store.wait(
      for: "SELECT name FROM trips ORDER BY name", toBe: ["Kornati", "Vis"])
    await shared.end()
  }

  @Test func `A refused command is listed with its reason, and can be retried`() async throws {
    #expect(await members.setRole(.viewer, of: mateID))
    let second = try await shared.server.device(of: "skipper")
    await second.waitForRole(.owner, in: shared.scope)
    await second.waitForMembers(2, of: shared.scope)
    let online = MembersModel(shared.scope, second)
    await online.load()
    #expect(await online.setRole(.owner, of: mateID))
    #expect(await online.setRole(.editor, of: shared.skipper.session.userID))
    await shared.mate.waitForRole(.owner, in: shared.scope)
    // The role is shown before the server has received it.
    await second.waitForRole(.editor, in: shared.scope)
    try await second.store.waitUntilSent()
    try await shared.skipper.setAirplane(false)
    await waitUntil { shared.skipper.storeStatus.refusedCount == 1 }
    await outgoing.load()
    let refused = try #require(outgoing.refused.data?.first?.change)
    #expect(refused.member == MemberChange(role: .viewer, isOwn: false))
    #expect(refused.reason == .forbidden && refused.canRetry)
    #expect(refused.row == RowName(table: RowName.members, title: "mate", whole: "Kornati"))
    let mates = MembersModel(shared.scope, shared.mate)
    await mates.load()
    #expect(await mates.setRole(.owner, of: shared.skipper.session.userID))
    await shared.skipper.waitForRole(.owner, in: shared.scope)
    #expect(await outgoing.retry(refused.id))
    await shared.mate.waitForRole(.viewer, in: shared.scope)
    #expect(shared.skipper.storeStatus.refusedCount == 0)
    await second.stop()
    await shared.end()
  }

  @Test func `What this device knows to be impossible is refused at once`() async throws {
    let stranger = UUID()
    #expect(await !members.setRole(.viewer, of: stranger))
    #expect(members.error(of: .role(of: stranger)) == .auth(.forbidden))
    #expect(await !members.remove(shared.skipper.session.userID))
    #expect(await members.setRole(.viewer, of: mateID))
    #expect(await !members.leave())
    #expect(members.error(of: .leaving) == .auth(.lastOwner))
    let mates = MembersModel(shared.scope, shared.mate)
    await mates.load()
    #expect(await !mates.remove(shared.skipper.session.userID))
    #expect(mates.error(of: .removal(of: shared.skipper.session.userID)) == .auth(.forbidden))
    #expect(await pending().count == 1)
    await shared.end()
  }
}
