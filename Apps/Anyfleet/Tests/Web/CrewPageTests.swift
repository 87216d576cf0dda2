import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet

/// The pages of sharing, without the script, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CrewPageTests {
  private func path(_ shared: SharedCharter) -> String {
    "/charters/\(shared.charter.id.uuidString)"
  }

  @Test("Without an account the page says so and leads to signing in")
  func signedOut() async throws {
    let alone = try await Pages()
    let own = try await alone.createCharter()
    #expect(await alone.get(own).text.contains(#"href="\#(own)/crew""#))
    #expect(await alone.get(own + "/crew").text.contains("started without a server"))
    #expect(await alone.get("/charters/join").text.contains("started without a server"))
    let fleet = try SyncedFleet()
    let pages = Pages(try await fleet.makeApp())
    let crew = await pages.get(try await pages.createCharter() + "/crew").text
    #expect(crew.contains("Sign In to Share") && crew.contains(#"href="/profile/account""#))
    #expect(await pages.get("/charters/join").text.contains(#"href="/profile/account""#))
    #expect(await pages.get("/charters/\(UUID())/crew").status == .notFound)
    await fleet.end(pages.dependencies)
  }

  @Test("An owner invites by a code that shows once, and the other comes to the charter")
  func invites() async throws {
    let fleet = try SyncedFleet()
    let skipper = Pages(try await fleet.makeApp(of: "skipper"))
    let mate = Pages(try await fleet.makeApp(of: "mate"))
    let (charter, _) = try await skipper.dependencies.makeCharter()
    try await skipper.dependencies.waitForRole(.owner, in: charter.id)
    let path = "/charters/\(charter.id.uuidString)"
    let answer = await skipper.post(path + "/crew/invite", ["role": "viewer"])
    #expect(answer.status == .ok && answer.text.contains("Valid until"))
    let code = try #require(
      answer.text.firstMatch(of: /id="invitation-code">([^<]+)</).map { String($0.1) })
    #expect(await !skipper.get(path + "/crew").text.contains(code))
    #expect(await skipper.post(path + "/crew/invite", ["role": "owner"]).status == .badRequest)

    _ = await skipper.post(path + "/crew/invite", ["role": "editor"])
    let open = await skipper.get(path + "/crew").text
    let withdrawals = open.matches(of: /action="([^"]+\/withdraw)"/).map { String($0.1) }
    #expect(open.contains("Open invitations") && withdrawals.count == 2)
    #expect(await skipper.post(withdrawals[1], [:]).headers["Location"] == path + "/crew")
    #expect(await skipper.get(path + "/crew").text.matches(of: /\/withdraw"/).count == 1)

    let wrong = await mate.post("/charters/join", ["code": "wrong"])
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains("field-code-error") && wrong.text.contains(#"value="wrong""#))
    let joined = await mate.post("/charters/join", ["code": code])
    #expect(joined.status == .seeOther && joined.headers["Location"] == path)
    #expect(await mate.get(path).text.contains("Kornati"))
    #expect(await mate.get("/charters").text.contains(#"href="/charters/join""#))
    await fleet.end(skipper.dependencies, mate.dependencies)
  }

  @Test("An owner gives a role and takes it away; others see no form for that")
  func manages() async throws {
    let shared = try await SharedCharter(mateIs: .viewer)
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    let crew = path(shared) + "/crew"
    let member = "\(crew)/members/\(shared.mate.session.userID.uuidString)"
    let page = await skipper.get(crew).text
    #expect(page.contains("mate") && page.contains("Viewer") && page.contains("\(member)/role"))
    #expect(await skipper.post("\(member)/role", ["role": "editor"]).headers["Location"] == crew)
    try await shared.mate.waitForRole(.editor, in: shared.charter.id)
    let others = await mate.get(crew).text
    #expect(others.contains("skipper") && !others.contains("/members/"))
    #expect(others.contains("You may look at this charter and change it."))
    let own = "\(crew)/members/\(shared.skipper.session.userID.uuidString)/role"
    let refused = await skipper.post(own, ["role": "viewer"])
    #expect(refused.status == .unprocessableContent)
    #expect(await skipper.post("\(member)/remove", [:]).status == .seeOther)
    #expect(await !skipper.get(crew).text.contains("\(member)/role"))
    try await shared.mate.waitUntilGone(shared.charter.id)
    let gone = await mate.get(path(shared))
    #expect(gone.status == .notFound && gone.text.contains("it has left this device"))
    await shared.end()
  }

  @Test("Offline the page is calm, and what is asked for is refused beside its field")
  func offline() async throws {
    let shared = try await SharedCharter()
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    try await shared.setAirplane(true)
    let crew = path(shared) + "/crew"
    let page = await skipper.get(crew)
    #expect(page.status == .ok && page.text.contains("No Connection"))
    #expect(page.text.contains("You own this charter") && page.text.contains("Try Again"))
    let refused = await skipper.post(crew + "/invite", ["role": "viewer"])
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("invited-role-error"))
    #expect(refused.text.contains(#"value="viewer" selected"#))
    let stays = await mate.post(crew + "/leave", [:])
    #expect(stays.status == .unprocessableContent && stays.text.contains("There is no connection."))
    await shared.end()
  }

  @Test("Who leaves comes to the copy that stays, on which nothing can be changed")
  func leaves() async throws {
    let shared = try await SharedCharter()
    let mate = Pages(shared.mate)
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    let left = await mate.post(path(shared) + "/crew/leave", [:])
    #expect(left.headers["Location"] == path(shared))
    let page = await mate.get(path(shared)).text
    #expect(page.contains("Kornati") && page.contains("not synced any more"))
    #expect(!page.contains("/edit\"") && !page.contains("/delete\""))
    #expect(page.contains("Remove the Copy"))
    for _ in 1...2 {
      let removed = await mate.post(path(shared) + "/remove-copy", [:])
      #expect(removed.headers["Location"] == "/charters")
    }
    #expect(await mate.get(path(shared)).status == .notFound)
    await shared.end()
  }

  @Test("The page of a charter that was deleted elsewhere says so; one that never was says nothing")
  func deletedElsewhere() async throws {
    let shared = try await SharedCharter()
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    #expect(await skipper.post(path(shared) + "/delete", [:]).status == .seeOther)
    try await shared.mate.waitUntilGone(shared.charter.id)
    let gone = await mate.get(path(shared))
    #expect(gone.status == .notFound)
    #expect(gone.text.contains("It was deleted on another phone, "))
    #expect(!gone.text.contains("did not stay"))
    let run = "/checklists/\(shared.checklist.id.uuidString)"
    let history = "\(run)/items/\(shared.item(0).uuidString)/history"
    for page in ["/edit", "/report", "/crew", run, "\(run)/edit", history] {
      let gone = await mate.get(path(shared) + page)
      #expect(gone.status == .notFound, "\(page)")
      #expect(gone.text.contains("It was deleted on another phone, "), "\(page)")
    }
    try await shared.skipper.waitUntilSent()
    #expect(await skipper.get(path(shared)).text.contains("It was deleted here, "))
    let never = await mate.get("/charters/\(UUID())")
    #expect(never.status == .notFound && !never.text.contains("deleted"))
    await shared.end()
  }

  @Test("A viewer's pages show all and offer no change, and refuse one")
  func views() async throws {
    let shared = try await SharedCharter(mateIs: .viewer)
    let mate = Pages(shared.mate)
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    let page = await mate.get(path(shared)).text
    #expect(page.contains("You may look at this charter, not change it."))
    for part in ["/edit\"", "/delete\"", "/assigned", "/archived\""] {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(page.contains("/active\"") && page.contains("/report\""))
    let run = "\(path(shared))/checklists/\(shared.checklist.id.uuidString)"
    let items = await mate.get(run).text
    #expect(items.contains("You may look at this charter, not change it."))
    #expect(items.contains(#"aria-checked="true""#) && mate.itemPaths(items).isEmpty)
    #expect(!items.contains("/finish\"") && !items.contains("remarks-form"))
    let item = "\(run)/items/\(shared.item(1).uuidString)"
    let refused = await mate.post(item, ["isOn": "true"])
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("You are not allowed to do this."))
    #expect(await mate.post(path(shared) + "/delete", [:]).status == .unprocessableContent)
    #expect(await !mate.get(path(shared) + "/edit").text.contains("edit-charter"))
    #expect(await !mate.get(run + "/edit").text.contains("field-title"))
    await shared.end()
  }
}
