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
  fileprivate static let list = SharedKind("list", in: "lists") { "/lists/\($0.uuidString)" }
  fileprivate static let bag = SharedKind("bag", in: "lists") { "/bags/\($0.uuidString)" }
}

/// The pages for members and for joining, without the script, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct MembersPageTests {
  private func makeApp(
    of name: String? = nil, server: LoopbackServer? = nil, language: Language = .english,
    sleep: @escaping @Sendable (Duration) async throws -> Void = waitUntilCancelled
  ) async throws -> SampleApp {
    let app = try await SampleApp(
      server: server?.url, language: language, sleep: sleep,
      addPages: { router, frame in
        router.addMembers(of: frame, .list, .bag)
        router.get("links") { request in
          try await frame.tabs.open(request) { LinksPage(frame: frame) }
        }
      })
    if let name { try await app.sync.signUp(name: name, password: "correct horse") }
    return app
  }

  /// A page with the links to the members of a list and to joining.
  struct LinksPage: LivePage {
    let frame: AppFrame
    func page(_ tab: Tab) -> Page {
      frame.page(tab, "Links", in: "lists") {
        MembersLink(frame, .list, of: .sample)
        JoinLink(frame, .list)
        ReadOnlyNotice(.viewer, frame, .list)
        ReadOnlyNotice(.editor, frame, .list)
      }
    }
  }

  /// Shares a bag, and makes codes by which others join it.
  private func shareBag(of app: SampleApp, codes: Int) async throws -> (id: UUID, codes: [String]) {
    let bag = Bag(id: UUID(), litres: 40)
    try await app.store.write { try bag.insert($0) }
    let access = app.sync.access(to: bag.id, of: "bag")
    await access.load()
    await waitUntil { access.role == .owner }
    var made: [String] = []
    for _ in 0..<codes {
      let answer = await app.post(
        SharedKind.bag.membersAddress(of: bag.id), ["action": "invite", "role": "viewer"])
      made.append(
        try #require(
          answer.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/).map { String($0.1) }))
    }
    return (bag.id, made)
  }

  @Test func `A code leads to the thing that it is for, whichever page it is entered on`()
    async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let (id, codes) = try await shareBag(of: owner, codes: 2)
    let joined = await mate.post(SharedKind.list.joinAddress, ["action": "join", "code": codes[0]])
    #expect(joined.status == .seeOther)
    #expect(joined.headers["Location"] == "/bags/\(id.uuidString)")
    // The pages of this app know no bags.
    let other = try await makeApp(of: "other", server: server)
    let page = JoinPage(other.frame, [.list], at: .list)
    let outcome = try await page.perform(PageForm(["action": "join", "code": codes[1]]))
    #expect(outcome == .go(to: "/") && page.model.codeError == nil)
    await server.end(owner, mate, other)
  }

  @Test func `The page of a link does not wait for the preview, which comes later`() async throws {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    // No delay takes any time on this device.
    let mate = try await makeApp(of: "mate", server: server, sleep: { _ in })
    let (_, codes) = try await shareBag(of: owner, codes: 1)
    server.gate.close()
    let page = await mate.get("\(SharedKind.bag.joinAddress)?code=\(codes[0])")
    #expect(page.text.contains("Looking up the invitation…") && page.text.contains("join-form"))
    #expect(!page.text.contains("owner invites you"))
    server.gate.open()
    let change = await mate.change(of: try #require(mate.tabID(page)), with: "owner invites you")
    #expect(change.contains("owner invites you"))
    await server.end(owner, mate)
  }

  /// Waits until the server has a list.
  private func waitUntilShared(_ list: PackingList, of app: SampleApp) async {
    let access = app.sync.access(to: list.id, of: "list")
    await access.load()
    await waitUntil { access.role == .owner }
  }

  @Test func `Without a server and without an account the pages say so`() async throws {
    let alone = try await makeApp()
    let list = try await alone.addList("Weekend")
    let address = SharedKind.list.membersAddress(of: list.id)
    #expect(await alone.get(address).text.contains("started without a server"))
    #expect(await alone.get(SharedKind.list.joinAddress).text.contains("started without a server"))
    let server = try LoopbackServer()
    let app = try await makeApp(server: server)
    let other = try await app.addList("Weekend")
    let members = await app.get(SharedKind.list.membersAddress(of: other.id)).text
    #expect(members.contains("Sign in to share"))
    let then = (["then": SharedKind.list.membersAddress(of: other.id)] as Fields).encoded
    #expect(members.contains(#"href="/profile/account?\#(then)""#))
    let join = await app.get("\(SharedKind.list.joinAddress)?code=7").text
    #expect(join.contains("Sign in to join"))
    let invitation = (["then": "\(SharedKind.list.joinAddress)?code=7"] as Fields).encoded
    #expect(join.contains(#"href="/profile/account?\#(invitation)""#))
    await server.end(app)
  }

  @Test func `The members of a list that is not here are explained on its own page`() async throws {
    let app = try await makeApp()
    let id = UUID()
    let answer = await app.get(SharedKind.list.membersAddress(of: id))
    #expect(answer.status == .seeOther)
    #expect(answer.headers["Location"] == "/lists/\(id.uuidString)")
    #expect(await app.get("/members/boat/\(UUID().uuidString)").status == .notFound)
    #expect(await app.get("/join/boat").status == .notFound)
  }

  @Test func `Links lead to the pages, with the user's own permissions`() async throws {
    let page = try await makeApp().get("/links").text
    #expect(page.contains(#"href="/members/list/00000000-0000-0000-0000-000000000000""#))
    #expect(page.contains("On this device alone.") && page.contains(#"href="/join/list""#))
    #expect(page.matches(of: /id="look-only"/).count == 1)
    #expect(page.contains("You may look at this, not change it."))
  }

  @Test func `An owner invites by a code, manages the member, and the member leaves`() async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let list = try await owner.addList("Weekend")
    await waitUntilShared(list, of: owner)
    let address = SharedKind.list.membersAddress(of: list.id)

    let answer = await owner.post(address, ["action": "invite", "role": "viewer"])
    #expect(answer.status == .ok && answer.text.contains("Valid until"))
    #expect(answer.text.contains("under Lists, Join by code"))
    let code = try #require(
      answer.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/).map { String($0.1) })
    let members = await owner.get(address).text
    #expect(!members.contains(code) && members.contains("Open invitations"))
    for fields: Fields in [
      ["action": "invite", "role": "owner"], ["action": "invite"], ["action": "set-role"], [:],
    ] {
      #expect(await owner.post(address, fields).status == .badRequest)
    }

    let wrong = await mate.post(SharedKind.list.joinAddress, ["action": "join", "code": "wrong"])
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains("field-code-error") && wrong.text.contains(#"value="wrong""#))
    let joined = await mate.post(SharedKind.list.joinAddress, ["action": "join", "code": code])
    #expect(joined.headers["Location"] == "/lists/\(list.id.uuidString)")
    let own = await mate.get(address).text
    #expect(own.contains("Weekend") && own.contains("You may look at this, not change it."))
    #expect(!own.contains("set-role") && !own.contains(#"id="invite""#))

    let member = mate.sync.session.userID.uuidString
    let role: Fields = ["action": "set-role", "member": member, "role": "editor"]
    #expect(await owner.post(address, role).headers["Location"] == address)
    let access = mate.sync.access(to: list.id, of: "list")
    await waitUntil { access.role == .editor }
    let left = await mate.post(address, ["action": "leave"])
    #expect(left.headers["Location"] == "/lists/\(list.id.uuidString)")
    #expect(await mate.get(address).text.contains("This copy stays as it was"))
    await server.end(owner, mate)
  }

  private func members(of list: PackingList, on app: SampleApp) async throws -> MembersModel {
    let model = MembersModel(try ScopeID(kind: "list", value: list.id.uuidString), app.sync)
    await model.load()
    return model
  }

  /// Returns a list that a mate shares as an editor.
  private func shareList(
    _ title: String = "Weekend", of owner: SampleApp, with mate: SampleApp
  ) async throws -> PackingList {
    let list = try await owner.addList(title)
    await waitUntilShared(list, of: owner)
    let address = SharedKind.list.membersAddress(of: list.id)
    let answer = await owner.post(address, ["action": "invite", "role": "editor"])
    let code = try #require(
      answer.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/).map { String($0.1) })
    _ = await mate.post(SharedKind.list.joinAddress, ["action": "join", "code": code])
    let members = try await members(of: list, on: owner)
    await waitUntil { members.members.data?.count == 2 }
    return list
  }

  @Test func `An invitation for several people has a note, and its preview says who invites`()
    async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let list = try await owner.addList("Weekend")
    await waitUntilShared(list, of: owner)
    let address = SharedKind.list.membersAddress(of: list.id)
    let answer = await owner.post(
      address,
      ["action": "invite", "role": "viewer", "uses": "5", "days": "30", "label": "the crew"])
    let code = try #require(
      answer.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/).map { String($0.1) })
    let members = await owner.get(address).text
    #expect(members.contains("the crew") && members.contains("Viewer · 5 people · Valid until"))
    for (uses, days, label) in [
      ("0", "7", ""), ("101", "7", ""), ("x", "7", ""), ("1", "0", ""), ("1", "91", ""),
      ("1", "7", String(repeating: "a", count: 81)),
    ] {
      let fields: Fields = [
        "action": "invite", "role": "viewer", "uses": uses, "days": days, "label": label,
      ]
      #expect(await owner.post(address, fields).status == .badRequest)
    }
    let join = SharedKind.list.joinAddress
    let asking = await mate.get("\(join)?code=\(code)").text
    #expect(asking.contains("owner invites you to “Weekend”."))
    #expect(
      asking.contains("1 member · Your role: Viewer") && !asking.contains(#"value="look-up""#))
    let shown = await mate.post(join, ["action": "look-up", "code": code])
    #expect(shown.status == .ok && shown.text.contains("owner invites you to “Weekend”."))
    #expect(await mate.get(SharedKind.list.membersAddress(of: list.id)).status == .seeOther)
    let wrong = await mate.post(join, ["action": "look-up", "code": "wrong"])
    #expect(wrong.status == .unprocessableContent && wrong.text.contains("field-code-error"))
    let joined = await mate.post(join, ["action": "join", "code": code])
    #expect(joined.headers["Location"] == "/lists/\(list.id.uuidString)")
    let one = try await self.members(of: list, on: owner)
    await waitUntil { one.openInvitations.first?.uses == 4 }
    await server.end(owner, mate)
  }

  @Test func `Without a network a change of a role is marked, listed and cancelled`() async throws {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let list = try await shareList(of: owner, with: mate)
    let address = SharedKind.list.membersAddress(of: list.id)
    try await owner.sync.setAirplane(true)
    let role: Fields = [
      "action": "set-role", "member": mate.sync.session.userID.uuidString, "role": "viewer",
    ]
    #expect(await owner.post(address, role).status == .seeOther)
    #expect(await owner.get(address).text.contains("<small>Not sent yet</small>"))
    let waiting = await owner.get(SystemRoute.sync.address).text
    #expect(waiting.contains("mate") && waiting.contains("Weekend · becomes a viewer"))
    let change = try #require(waiting.firstMatch(of: /name="change" value="(_member-[0-9A-F-]+)"/))
      .1
    let cancelled: Fields = ["action": "cancel", "change": String(change)]
    #expect(await owner.post(SystemRoute.sync.address, cancelled).status == .seeOther)
    #expect(await !owner.get(address).text.contains("Not sent yet"))
    #expect(await !owner.get(SystemRoute.sync.address).text.contains("becomes a viewer"))
    await server.end(owner, mate)
  }

  @Test func `A known person is added without a code, and can leave without a copy`()
    async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    _ = try await shareList(of: owner, with: mate)
    let other = try await owner.addList("Winter")
    await waitUntilShared(other, of: owner)
    let address = SharedKind.list.membersAddress(of: other.id)
    let own = try await members(of: other, on: owner)
    await waitUntil { own.members.isKnown }
    let page = await owner.get(address).text
    #expect(page.contains("Add a person you know") && page.contains(">mate</option>"))
    let id = mate.sync.session.userID.uuidString
    #expect(
      await owner.post(address, ["action": "add", "account": id, "role": "editor"]).status
        == .seeOther)
    #expect(await !owner.get(address).text.contains("Add a person you know"))
    let access = mate.sync.access(to: other.id, of: "list")
    await access.load()
    await waitUntil { access.role == .editor }
    let mates = try await members(of: other, on: mate)
    await waitUntil { mates.title.data != nil && mates.members.data?.count == 2 }
    #expect(await mate.get(address).text.contains("Also remove the copy"))
    let left = await mate.post(address, ["action": "leave", "remove-copy": "on"])
    #expect(left.headers["Location"] == "/lists/\(other.id.uuidString)")
    #expect(access.role == .revoked)
    #expect(await mate.get(address).status == .seeOther, "the list is not here any more")
    #expect(
      await owner.post(address, ["action": "add", "account": "x", "role": "editor"]).status
        == .badRequest)
    await server.end(owner, mate)
  }

  @Test func `Members that have not arrived are not shown as missing`() async throws {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let list = try await shareList(of: owner, with: mate)
    let address = SharedKind.list.membersAddress(of: list.id)
    // Nothing is pulled while syncing is stopped.
    await mate.sync.stop()
    try await mate.store.write { try SQL("UPDATE _cursor SET epoch = 0").run($0) }
    let page = await mate.get(address).text
    #expect(page.contains("Asking who takes part…") && !page.contains(#"id="members""#))
    try await mate.sync.setAirplane(true)
    let offline = await mate.get(address).text
    #expect(offline.contains("There is no connection.") && offline.contains("Try again"))
    #expect(!offline.contains("Asking who takes part…") && !offline.contains(#"id="members""#))
    await server.end(owner, mate)
  }

  @Test func `An invitation is a code, a link and a picture, and the link asks before it joins`()
    async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let mate = try await makeApp(of: "mate", server: server)
    let (id, codes) = try await shareBag(of: owner, codes: 1)
    let link = "packing://join?code=\(codes[0])"
    let page = await owner.post(
      SharedKind.bag.membersAddress(of: id), ["action": "invite", "role": "viewer"])
    let made = try #require(page.text.firstMatch(of: /data-copy="(packing:[^"]+)"/)).1
    #expect(made.count == link.count && page.text.contains(">\(made)</code>"))
    #expect(page.text.contains("Join me in Packing: \(made)"))
    #expect(page.text.contains(try QRCode(String(made), label: "").html.description.suffix(300)))
    let opened = await mate.get("/open?" + (["link": link] as Fields).encoded)
    let target = try #require(opened.headers["Location"])
    #expect(target == "/join?code=\(codes[0])")
    let asking = await mate.get(target)
    #expect(asking.status == .ok && asking.text.contains(#"value="\#(codes[0])""#))
    #expect(asking.text.contains(#"id="invited""#))
    #expect(await mate.get("/bags/\(id.uuidString)").status == .notFound)
    let joined = await mate.post(target, ["action": "join", "code": codes[0]])
    #expect(joined.headers["Location"] == "/bags/\(id.uuidString)")
    await server.end(owner, mate)
  }

  @Test func `An owner withdraws an invitation and removes a member`() async throws {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server, language: .russian)
    let mate = try await makeApp(of: "mate", server: server)
    let list = try await shareList("Выходные", of: owner, with: mate)
    let address = SharedKind.list.membersAddress(of: list.id)
    _ = await owner.post(address, ["action": "invite", "role": "viewer"])
    let page = await owner.get(address).text
    let open = try #require(page.firstMatch(of: /name="invitation" value="([^"]+)"/)).1
    let withdrawal: Fields = ["action": "withdraw", "invitation": String(open)]
    #expect(await owner.post(address, withdrawal).headers["Location"] == address)
    #expect(await !owner.get(address).text.contains("Открытые приглашения"))
    let member = mate.sync.session.userID.uuidString
    #expect(page.contains(#"name="member" value="\#(member)""#))
    let removal: Fields = ["action": "remove", "member": member]
    #expect(await owner.post(address, removal).status == .seeOther)
    #expect(await !owner.get(address).text.contains(member))
    await server.end(owner, mate)
  }

  @Test func `Offline, members are shown, and a request is refused beside its field`() async throws
  {
    let server = try LoopbackServer()
    let owner = try await makeApp(of: "owner", server: server)
    let list = try await owner.addList("Weekend")
    await waitUntilShared(list, of: owner)
    try await owner.sync.pull()
    try await owner.sync.setAirplane(true)
    let address = SharedKind.list.membersAddress(of: list.id)
    let page = await owner.get(address)
    #expect(page.status == .ok && page.text.contains(#"class="notices""#))
    let member = owner.sync.session.userID
    #expect(page.text.contains("You own this:") && page.text.contains(#"id="member-\#(member)""#))
    let refused = await owner.post(address, ["action": "invite", "role": "viewer"])
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("invited-role-error"))
    #expect(refused.text.contains(#"value="viewer" selected"#))
    await server.end(owner)
  }
}
