import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// The members of a scope, pulled from a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct MembersModelTests {
  @Test func `Without a server, and signed out, a scope has no members`() async throws {
    let alone = try await Journey.open().sync(with: nil)
    let members = MembersModel(try await alone.store.addTrip("Kornati").scope, alone)
    await members.load()
    #expect(members.sharing == .noServer && members.members.isIdle && !members.canLeave)
    let server = try LoopbackServer()
    let device = try await server.device()
    let signedOut = MembersModel(try await device.store.addTrip("Vis").scope, device)
    await signedOut.load()
    #expect(signedOut.sharing == .signedOut && !signedOut.canManage)
    #expect(await !signedOut.invite(as: .editor))
    #expect(signedOut.error(of: .invitation) == .auth(.notSignedIn))
    await server.end(device)
  }

  @Test func `An owner sees the members, with the own account first, and grants roles`()
    async throws
  {
    let shared = try await SharedTrip(mateIs: .viewer)
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(members.title.data == "Kornati")
    #expect(members.members.data?.map(\.name) == ["skipper", "mate"])
    #expect(members.members.data?.map(\.role) == [.owner, .viewer])
    #expect(members.members.data.map { members.isOwn($0[0]) && !members.isOwn($0[1]) } == true)
    #expect(members.canManage && !members.canLeave && members.heir == nil)
    let mate = shared.mate.session.userID
    #expect(await members.setRole(.editor, of: mate))
    #expect(members.members.data?.map(\.role) == [.owner, .editor])
    #expect(members.canLeave && members.heir?.name == "mate")
    await shared.mate.waitForRole(.editor, in: shared.scope)
    #expect(await members.setRole(.owner, of: mate))
    #expect(members.canLeave && members.heir == nil)
    await shared.end()
  }

  @Test func `The owner of a scope without changes is listed, before the server adds members`()
    async throws
  {
    let server = try LoopbackServer()
    let skipper = try await server.device(of: "skipper")
    let mate = try await server.device(of: "mate")
    let scope = try ScopeID(kind: "trip", value: UUID().uuidString)
    for (device, role) in [(skipper, Role.owner), (mate, .editor)] {
      let account = AccountID(device.session.userID)
      _ = try await server.storage.write { log in try log.grant(role, to: account, in: scope) }
      await device.syncNow()
      await device.waitForRole(role, in: scope)
    }
    let members = MembersModel(scope, skipper)
    await members.load()
    await waitUntil { members.members.isKnown }
    #expect(members.members.data?.map(\.name) == ["skipper"])
    #expect(members.members.data?.map(\.role) == [.owner])
    #expect(members.members.data?.map(\.isPending) == [false])
    let others = MembersModel(scope, mate)
    await others.load()
    #expect(others.members.isLoading)
    await server.end(skipper, mate)
  }

  @Test func `The members are loading until the rows of the scope are here, or cannot arrive`()
    async throws
  {
    let shared = try await SharedTrip()
    // Nothing is pulled while syncing is stopped.
    await shared.mate.stop()
    try await shared.mate.store.run("UPDATE _cursor SET epoch = 0")
    let members = MembersModel(shared.scope, shared.mate)
    await members.load()
    #expect(members.sharing == .shared(.editor) && members.members.isLoading)
    try await shared.mate.setAirplane(true)
    #expect(members.members.errorValue == .network(.offline))
    try await shared.mate.store.run("UPDATE _cursor SET epoch = 1")
    await waitUntil { members.members.data?.map(\.name) == ["mate", "skipper"] }
    await shared.end()
  }

  @Test func `No account is offered while it may be a member that has not arrived`() async throws {
    let shared = try await SharedTrip()
    let scope = try await shared.skipper.store.addTrip("Vis").scope
    await shared.skipper.waitForRole(.owner, in: scope)
    await shared.skipper.waitForMembers(1, of: scope)
    await shared.skipper.stop()
    try await shared.skipper.store.run("UPDATE _cursor SET epoch = 0")
    let members = MembersModel(scope, shared.skipper)
    await members.load()
    #expect(members.canManage && members.members.isLoading && members.knownAccounts.isEmpty)
    try await shared.skipper.store.run("UPDATE _cursor SET epoch = 1")
    await waitUntil { members.knownAccounts.map(\.name) == ["mate"] }
    await shared.end()
  }

  @Test func `A member who is not an owner grants no role and invites no account`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.mate)
    await members.load()
    let skipper = shared.skipper.session.userID
    #expect(await !members.setRole(.viewer, of: skipper))
    #expect(members.error(of: .role(of: skipper)) == .auth(.forbidden))
    #expect(await !members.invite(as: .viewer))
    #expect(members.error(of: .invitation) == .auth(.forbidden))
    #expect(members.error(of: .role(of: skipper)) == nil && members.invitation == nil)
    let own = MembersModel(shared.scope, shared.skipper)
    await own.load()
    #expect(await !own.setRole(.editor, of: skipper))
    #expect(own.error(of: .role(of: skipper)) == .auth(.lastOwner))
    await shared.end()
  }

  @Test func `A withdrawn invitation is not valid any more`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(members.openInvitations.isEmpty, "the mate has accepted the first one")
    #expect(await members.invite(as: .viewer))
    let code = try #require(members.invitation?.code)
    let open = try #require(members.openInvitations.first)
    #expect(open.role == .viewer && open.id != code)
    #expect(open.expires == members.invitation?.expires)
    #expect(await members.withdraw(open.id))
    #expect(await members.withdraw(open.id), "it is withdrawn already")
    #expect(members.openInvitations.isEmpty)
    let other = try await shared.server.device(of: "cook")
    let joining = JoinModel(other)
    joining.code = code
    #expect(await joining.join() == nil && joining.codeError == .auth(.invalidInvitation))
    let mates = MembersModel(shared.scope, shared.mate)
    await mates.load()
    #expect(await !mates.withdraw(open.id))
    #expect(mates.error(of: .withdrawal(of: open.id)) == .auth(.forbidden))
    await other.stop()
    await shared.end()
  }

  @Test func `An observing owner sees a new member, and the used code disappears`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    let following = Task { await members.observeChanges() }
    #expect(await members.invite(as: .viewer))
    let other = try await shared.server.device(of: "cook")
    let joining = JoinModel(other)
    joining.code = try #require(members.invitation?.code)
    #expect(await joining.join() == shared.scope)
    await waitUntil { members.members.data?.map(\.name) == ["skipper", "cook", "mate"] }
    await waitUntil { members.invitation == nil && members.openInvitations.isEmpty }
    // A member who leaves disappears, too, without an action of the owner.
    let cooks = MembersModel(shared.scope, other)
    await cooks.load()
    #expect(await cooks.leave())
    await waitUntil { members.members.data?.map(\.name) == ["skipper", "mate"] }
    following.cancel()
    await other.stop()
    await shared.end()
  }

  @Test func `Offline, the members are shown, and requests fail`() async throws {
    let shared = try await SharedTrip()
    await shared.skipper.waitForMembers(2, of: shared.scope)
    try await shared.setAirplane(true)
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(members.members.data?.map(\.name) == ["skipper", "mate"] && members.canManage)
    #expect(members.refreshError == .network(.offline), "of the invitations")
    #expect(await !members.invite(as: .editor))
    #expect(members.error(of: .invitation) == .network(.offline))
    let mates = MembersModel(shared.scope, shared.mate)
    await mates.load()
    #expect(mates.members.data?.map(\.name) == ["mate", "skipper"])
    #expect(mates.refreshError == nil, "only owners have invitations")
    try await shared.setAirplane(false)
    await members.load()
    #expect(members.refreshError == nil)
    await shared.end()
  }

  @Test func `A scope that is not sent yet is shared once the server has it`() async throws {
    let server = try LoopbackServer()
    let device = try await server.device(of: "skipper")
    try await device.setAirplane(true)
    let members = MembersModel(try await device.store.addTrip("Kornati").scope, device)
    await members.load()
    #expect(members.sharing == .unsent && !members.canManage)
    let following = Task { await members.observeChanges() }
    try await device.setAirplane(false)
    await waitUntil { members.members.data?.map(\.role) == [.owner] }
    #expect(members.canManage)
    following.cancel()
    await server.end(device)
  }

  @Test func `After leaving, a readable copy stays until it is removed`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.mate)
    await members.load()
    #expect(members.canLeave)
    #expect(await members.leave())
    let access = shared.mate.access(to: shared.trip.id, of: "trip")
    #expect(access.role == .left && !access.canEdit)
    #expect(members.sharing == .shared(.left) && !members.canLeave)
    #expect(members.title.data == "Kornati")
    try await access.removeCopy()
    await waitUntil { members.title.errorValue == .database(.notFound) }
    await #expect(throws: AppError.database(.notFound)) { try await access.removeCopy() }
    await shared.end()
  }

  @Test func `If the last owner leaves, the other member becomes an owner`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(members.heir?.name == "mate" && members.canLeave)
    #expect(await members.leave())
    await shared.mate.waitForRole(.owner, in: shared.scope)
    let others = MembersModel(shared.scope, shared.mate)
    await others.load()
    await waitUntil { others.members.data?.map(\.role) == [.owner] }
    #expect(others.canManage && !others.canLeave)
    await shared.end()
  }

  @Test func `A removed member loses the rows, and sees the reason`() async throws {
    let shared = try await SharedTrip()
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(await members.remove(shared.mate.session.userID))
    await shared.mate.waitForRole(.revoked, in: shared.scope)
    let end = try await shared.mate.store.end(of: shared.scope)
    #expect(end == ScopeEnd(kind: .revoked, hasLostChanges: false))
    #expect(try await shared.skipper.store.end(of: shared.scope) == nil)
    await shared.end()
  }

  // MARK: - Access

  @Test func `A scope without a role may be changed`() async throws {
    let shared = try await SharedTrip(mateIs: .viewer)
    let own = shared.mate.access(to: UUID(), of: "trip")
    await own.load()
    #expect(own.role == nil && own.canEdit && own.error == nil)
    let access = shared.mate.access(to: shared.scope)
    #expect(access.role == .viewer && !access.canEdit, "all roles of a kind are read at once")
    await shared.end()
  }

  @Test func `A role that cannot be read permits nothing`() async throws {
    let sync = try await Journey.open().sync(with: nil)
    let access = sync.access(to: UUID(), of: "trip")
    #expect(access.canEdit, "nothing was read yet")
    await sync.store.close()
    await access.load()
    #expect(access.role == nil && !access.canEdit && access.error != nil)
  }
}
