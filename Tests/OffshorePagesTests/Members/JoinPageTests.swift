import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePages

extension SharedKind {
  fileprivate static let bag = SharedKind("bag", in: "lists") { "/bags/\($0.uuidString)" }
}

/// The sentence and the button of each state of joining, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct JoinPageTests {
  private let server: LoopbackServer
  private let owner: SampleApp
  private let mate: SampleApp

  private static let address = SharedKind.bag.joinAddress
  private static let again = ">Try again</button>"
  private static let join = ">Join</button>"

  init() async throws {
    server = try LoopbackServer()
    owner = try await Self.makeApp(server)
    try await owner.sync.signUp(name: "owner", password: "correct horse")
    mate = try await Self.makeApp(server)
    try await mate.sync.signUp(name: "mate", password: "correct horse")
  }

  private static func makeApp(
    _ server: LoopbackServer,
    sleep: @escaping @Sendable (Duration) async throws -> Void = waitUntilCancelled
  ) async throws -> SampleApp {
    try await SampleApp(
      server: server.url, sleep: sleep,
      addPages: { router, frame in router.addMembers(of: frame, .bag) })
  }

  /// Adds a bag, and waits until the server has it.
  private func addBag(_ app: SampleApp) async throws -> UUID {
    let bag = Bag(id: UUID(), litres: 40)
    try await app.store.write { try bag.insert($0) }
    let access = app.sync.access(to: bag.id, of: "bag")
    await access.load()
    await waitUntil { access.role == .owner }
    return bag.id
  }

  /// Shares a new bag of the owner.
  private func share() async throws -> (bag: UUID, members: MembersModel, code: String) {
    let bag = try await addBag(owner)
    let members = MembersModel(try ScopeID(kind: "bag", value: bag.uuidString), owner.sync)
    await members.load()
    #expect(await members.invite(as: .editor))
    return (bag, members, try #require(members.invitation?.code))
  }

  private func post(_ action: String, _ code: String, by app: SampleApp) async -> Response {
    await app.post(Self.address, ["action": action, "code": code])
  }

  @Test func `A link asks first, and can be declined`() async throws {
    let (_, _, code) = try await share()
    let asking = await mate.get("\(Self.address)?code=\(code)").text
    #expect(asking.contains("Nothing is joined before you press the button."))
    #expect(asking.contains(Self.join))
    #expect(asking.contains(#"<a class="button plain" href="/">Not now</a>"#))
    #expect(await !mate.get(Self.address).text.contains("Not now"))
    await server.end(owner, mate)
  }

  @Test func `A code that was withdrawn, was used or never was is refused with the remedy`()
    async throws
  {
    let withdrawn = try await share()
    let open = try #require(withdrawn.members.openInvitations.first)
    #expect(await withdrawn.members.withdraw(open.id))
    let used = try await share()
    let other = try await Self.makeApp(server)
    try await other.sync.signUp(name: "other", password: "correct horse")
    #expect(await post("join", used.code, by: other).status == .seeOther)
    for code in [withdrawn.code, used.code, "wrong"] {
      for action in ["join", "look-up"] {
        let refused = await post(action, code, by: mate)
        #expect(refused.status == .unprocessableContent)
        #expect(
          refused.text.contains(
            "This invitation was used, was withdrawn, has expired, or is not complete. "
              + "Ask for a new one."))
        #expect(refused.text.contains(Self.join) && !refused.text.contains(Self.again))
      }
    }
    await server.end(owner, mate, other)
  }

  @Test func `A full account sees that it has to leave another thing first`() async throws {
    for _ in 0..<2 { _ = try await addBag(mate) }
    let refused = await post("join", try await share().code, by: mate)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("One account cannot take part in more of these."))
    #expect(refused.text.contains("Leave one of them, and try again."))
    #expect(refused.text.contains(Self.join))
    await server.end(owner, mate)
  }

  @Test func `Without a network the button tries again, and a preview does not change it`()
    async throws
  {
    let (bag, _, code) = try await share()
    try await mate.sync.setAirplane(true)
    let previewed = await post("look-up", code, by: mate).text
    #expect(previewed.contains("There is no connection.") && previewed.contains(Self.join))
    #expect(previewed.contains(">Show who invites</button>") && !previewed.contains(Self.again))
    let refused = await post("join", code, by: mate)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("There is no connection."))
    #expect(refused.text.contains("The invitation may still be open. Try again."))
    #expect(refused.text.contains(Self.again) && !refused.text.contains(Self.join))
    try await mate.sync.setAirplane(false)
    let joined = await post("join", code, by: mate)
    #expect(joined.headers["Location"] == "/bags/\(bag.uuidString)")
    await server.end(owner, mate)
  }

  @Test func `A device that was signed out elsewhere is asked to sign in`() async throws {
    let code = try await share().code
    let other = try await Self.makeApp(server)
    try await other.sync.signIn(name: "mate", password: "correct horse")
    for device in try await other.sync.session.devices() where !device.isCurrent {
      try await other.sync.session.signOut(device)
    }
    let refused = await post("join", code, by: mate).text
    #expect(refused.contains("Your sign-in has expired."))
    #expect(refused.contains(#"href="/profile/account?then="#) && refused.contains(">Sign in</a>"))
    await server.end(owner, mate, other)
  }

  @Test func `A new member sees that the rows are on their way, why not, and that they are here`()
    async throws
  {
    let (bag, _, code) = try await share()
    // No delay takes any time on this device.
    let late = try await Self.makeApp(server, sleep: { _ in })
    try await late.sync.signUp(name: "late", password: "correct horse")
    // Nothing is pulled while syncing is stopped.
    await late.sync.stop()
    let page = JoinPage(late.frame, [.bag], at: .bag)
    #expect(try await page.perform(PageForm(["action": "join", "code": code])) == .drafted)
    func text() async throws -> String {
      try await late.frame.tabs.open(Request(.get, Self.address)) { page }.text
    }
    let arriving = try await text()
    #expect(arriving.contains("You take part now.") && !arriving.contains("join-form"))
    #expect(arriving.contains(#"href="/">Show “Lists”</a>"#))
    try await late.sync.setAirplane(true)
    let offline = try await text()
    #expect(offline.contains("There is no connection.") && offline.contains("You take part now."))
    try await late.sync.setAirplane(false)
    await waitUntil { page.model.title != nil }
    let arrived = try await text()
    #expect(arrived.contains("<h2>You take part</h2>"))
    #expect(arrived.contains(#"href="/bags/\#(bag.uuidString)">Show</a>"#))
    await server.end(owner, mate, late)
  }
}
