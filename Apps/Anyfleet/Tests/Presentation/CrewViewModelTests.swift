import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Who has access to a charter, asked of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CrewViewModelTests {
  @Test func `Without a server, and signed out, there is nobody to share with`() async throws {
    let alone = try await AppDependencies.makeForTesting()
    let (charter, _) = try await alone.makeCharter()
    let crew = alone.makeCrew(charter.id)
    await crew.load()
    #expect(crew.sharingState == .noServer && crew.members.isIdle && !crew.canLeave)
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp()
    let (other, _) = try await app.makeCharter()
    let signedOut = app.makeCrew(other.id)
    await signedOut.load()
    #expect(signedOut.sharingState == .signedOut)
    #expect(!signedOut.canManage)
    #expect(await !signedOut.invite(as: .editor))
    #expect(signedOut.error(of: .invitation) == .auth(.notSignedIn))
    await fleet.end(app)
  }

  @Test func `An owner sees who takes part, oneself first, and gives others roles`() async throws {
    let shared = try await SharedCharter(mateIs: .viewer)
    let crew = shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    #expect(crew.charter.data?.name == "Kornati")
    #expect(crew.members.data?.map(\.name) == ["skipper", "mate"])
    #expect(crew.members.data?.map(\.role) == [.owner, .viewer])
    #expect(crew.members.data.map { crew.isOwn($0[0]) && !crew.isOwn($0[1]) } == true)
    #expect(crew.canManage && !crew.canLeave)
    let mate = shared.mate.session.userID
    #expect(await crew.setRole(.editor, of: mate))
    #expect(crew.members.data?.map(\.role) == [.owner, .editor])
    try await shared.mate.waitForRole(.editor, in: shared.charter.id)
    try await shared.tick(0, on: shared.mate)
    #expect(await crew.setRole(.owner, of: mate))
    #expect(crew.canLeave)
    await shared.end()
  }

  @Test func `Who is no owner changes nobody's role and invites nobody`() async throws {
    let shared = try await SharedCharter()
    let crew = shared.mate.makeCrew(shared.charter.id)
    await crew.load()
    let skipper = shared.skipper.session.userID
    #expect(await !crew.setRole(.viewer, of: skipper))
    #expect(crew.error(of: .role(of: skipper)) == .auth(.forbidden))
    #expect(await !crew.invite(as: .viewer))
    #expect(crew.error(of: .invitation) == .auth(.forbidden))
    #expect(crew.error(of: .role(of: skipper)) == nil && crew.invitation == nil)
    let own = shared.skipper.makeCrew(shared.charter.id)
    await own.load()
    #expect(await !own.setRole(.editor, of: skipper))
    #expect(own.error(of: .role(of: skipper)) == .auth(.lastOwner))
    await shared.end()
  }

  @Test func `An owner sees open invitations and takes them back, so that they let nobody in`()
    async throws
  {
    let shared = try await SharedCharter()
    let crew = shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    #expect(crew.pendingInvitations.isEmpty, "the mate's was used")
    #expect(await crew.invite(as: .viewer))
    let code = try #require(crew.invitation?.code)
    let open = try #require(crew.pendingInvitations.first)
    #expect(open.role == .viewer && open.id != code && open.expires == crew.invitation?.expires)
    #expect(await crew.withdraw(open.id))
    #expect(await crew.withdraw(open.id), "it is gone, as is asked for")
    #expect(crew.pendingInvitations.isEmpty)
    let other = try await shared.fleet.makeApp(of: "cook")
    let joining = other.makeJoinCharter()
    joining.code = code
    #expect(await joining.join() == nil && joining.codeError == .auth(.invalidInvitation))
    let mates = shared.mate.makeCrew(shared.charter.id)
    await mates.load()
    #expect(await !mates.withdraw(open.id))
    #expect(mates.error(of: .withdrawal(of: open.id)) == .auth(.forbidden))
    await other.sync.stop()
    await shared.end()
  }

  @Test func `Offline the server is not asked, and what showed stays`() async throws {
    let shared = try await SharedCharter()
    let crew = shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    try await shared.setAirplane(true)
    await crew.load()
    #expect(crew.members.data?.count == 2 && crew.refreshError == .network(.offline))
    let fresh = shared.skipper.makeCrew(shared.charter.id)
    await fresh.load()
    #expect(fresh.members.errorValue == .network(.offline) && fresh.canManage)
    #expect(await !fresh.invite(as: .editor))
    #expect(fresh.error(of: .invitation) == .network(.offline))
    try await shared.setAirplane(false)
    await fresh.load()
    #expect(fresh.members.data?.count == 2)
    await shared.end()
  }

  @Test func `A charter that the server does not have yet can be shared once it does`() async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    try await app.sync.setAirplane(true)
    let (charter, _) = try await app.makeCharter()
    let crew = app.makeCrew(charter.id)
    await crew.load()
    #expect(crew.sharingState == .unsent && !crew.canManage)
    let following = Task { await crew.follow() }
    try await app.sync.setAirplane(false)
    await until { crew.members.data?.map(\.role) == [.owner] }
    #expect(crew.canManage)
    following.cancel()
    await fleet.end(app)
  }
}
