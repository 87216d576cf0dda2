import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWire
import Testing

@testable import Anyfleet

/// The pages of sharing, without the script, on a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CrewPageTests {
  private func path(_ shared: SharedCharter) -> String {
    "/charters/\(shared.charter.id.uuidString)"
  }

  private func crew(_ shared: SharedCharter) -> String {
    "/members/charter/\(shared.charter.id.uuidString)"
  }

  @Test func `The page of a charter links to its crew, and the list of charters to joining`()
    async throws
  {
    let alone = try await Pages()
    let own = try await alone.createCharter()
    let crew = own.replacing("/charters/", with: "/members/charter/")
    #expect(await alone.get(own).text.contains(#"href="\#(crew)""#))
    #expect(await alone.get(crew).text.contains("so charters cannot be shared"))
    #expect(await alone.get("/charters").text.contains(#"href="/join/charter""#))
    let id = UUID().uuidString
    #expect(await alone.get("/members/charter/\(id)").headers["Location"] == "/charters/\(id)")
    // The addresses of earlier versions.
    #expect(await alone.get("\(own)/crew").headers["Location"] == crew)
    #expect(await alone.get("/charters/join").headers["Location"] == "/join/charter")
    #expect(await alone.get("/charters/none/crew").status == .notFound)
  }

  @Test func `An editor can leave a charter but not delete it for all members`() async throws {
    let shared = try await SharedCharter()
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    let page = await mate.get(path(shared)).text
    #expect(page.contains(#"id="menu-leave""#) && page.contains("Leave this charter"))
    #expect(!page.contains("Delete this charter") && !page.contains(#"value="delete""#))
    let refused = await mate.post(path(shared), ["action": "delete"])
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("You are not allowed to do this."))
    #expect(await mate.get(path(shared)).status == .ok)
    let own = await skipper.get(path(shared)).text
    #expect(own.contains("It is deleted for all members"))
    #expect(!own.contains(#"id="menu-leave""#))
    await shared.end()
  }

  @Test func `A removed member sees that the charter was removed from the device`() async throws {
    let shared = try await SharedCharter(mateIs: .viewer)
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    #expect(await mate.get(crew(shared)).text.contains("You may look at this charter"))
    let member = shared.mate.session.userID.uuidString
    #expect(await skipper.get(crew(shared)).text.contains("The charter leaves their devices."))
    let removal: Fields = ["action": "remove", "member": member]
    #expect(await skipper.post(crew(shared), removal).status == .seeOther)
    try await shared.mate.waitUntilGone(shared.charter.id)
    #expect(await mate.get(crew(shared)).headers["Location"] == path(shared))
    let gone = await mate.get(path(shared))
    #expect(gone.status == .notFound && gone.text.contains("it has left this device"))
    await shared.end()
  }

  @Test func `A member who leaves sees the remaining copy, which cannot be changed`()
    async throws
  {
    let shared = try await SharedCharter()
    let mate = Pages(shared.mate)
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    let left = await mate.post(crew(shared), ["action": "leave"])
    #expect(left.headers["Location"] == path(shared))
    let page = await mate.get(path(shared)).text
    #expect(page.contains("Kornati") && page.contains("not synced any more"))
    #expect(!page.contains("/edit\"") && !page.contains("value=\"delete\""))
    #expect(page.contains("Remove the copy"))
    for _ in 1...2 {
      let removed = await mate.post(path(shared), ["action": "remove-copy"])
      #expect(removed.headers["Location"] == "/charters")
    }
    #expect(await mate.get(path(shared)).status == .notFound)
    await shared.end()
  }

  @Test
  func
    `The page of a charter deleted elsewhere says so, and that of one that never existed does not`()
    async throws
  {
    let shared = try await SharedCharter()
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    #expect(await skipper.post(path(shared), ["action": "delete"]).status == .seeOther)
    try await shared.mate.waitUntilGone(shared.charter.id)
    let gone = await mate.get(path(shared))
    #expect(gone.status == .notFound)
    #expect(gone.text.contains("“Kornati” was deleted on another phone"))
    #expect(!gone.text.contains("were not kept"))
    let run = "/checklists/\(shared.checklist.id.uuidString)"
    let history = "\(run)/items/\(shared.item(0).uuidString)/history"
    for page in ["/edit", "/report", run, "\(run)/edit", history] {
      let gone = await mate.get(path(shared) + page)
      #expect(gone.status == .notFound, "\(page)")
      #expect(gone.text.contains("“Kornati” was deleted on another phone"), "\(page)")
    }
    for action in ["archived", "reset", "explode"] {
      let gone = await mate.post(path(shared), ["action": action, "isOn": "true"])
      #expect(gone.status == .notFound, "\(action)")
      #expect(gone.text.contains("“Kornati” was deleted on another phone"), "\(action)")
    }
    try await shared.skipper.waitUntilSent()
    #expect(await skipper.get(path(shared)).text.contains("“Kornati” was deleted here"))
    let never = await mate.get("/charters/\(UUID())")
    #expect(never.status == .notFound && !never.text.contains("deleted"))
    await shared.end()
  }

  @Test func `A viewer's pages show everything and offer no change, and a change is refused`()
    async throws
  {
    let shared = try await SharedCharter(mateIs: .viewer)
    let mate = Pages(shared.mate)
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    let page = await mate.get(path(shared)).text
    #expect(page.contains("You may look at this charter, not change it."))
    for part in ["/edit", "delete", "assign", "unassign", "archived"].map({ "\($0)\"" }) {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(page.contains("value=\"active\"") && page.contains("/report\""))
    let run = "\(path(shared))/checklists/\(shared.checklist.id.uuidString)"
    let items = await mate.get(run).text
    #expect(items.contains("You may look at this charter, not change it."))
    #expect(items.contains(#"aria-checked="true""#) && mate.itemIDs(items).isEmpty)
    #expect(!items.contains("id=\"finish\"") && !items.contains("note-form"))
    let local = shared.mate.local
    func stored() async throws -> [String] {
      let (charter, checklist) = (shared.charter.id, shared.checklist.id)
      return [
        "\(try await local.fetchCharter(id: charter) as Any)",
        "\(try await local.fetchCharterChecklists(charter))",
        "\(try await local.loadExecutionState(checklistID: checklist, charterID: charter) as Any)",
      ]
    }
    let before = try await stored()
    let item = shared.item(1).uuidString
    for form: Fields in [
      .tick(item), .note(item, "x"), .condition(item, "ok"), ["action": "confirm-reset"],
    ] {
      let refused = await mate.post(run, form)
      #expect(refused.status == .unprocessableContent, "\(form)")
      #expect(refused.text.contains("You are not allowed to do this."), "\(form)")
    }
    for action in ["delete", "archived", "assign", "unassign", "move", "check-in", "reset"] {
      let form: Fields = [
        "action": action, "isOn": "true", "checklist": shared.checklist.id.uuidString,
        "place": "1", "checklist-\(UUID().uuidString)": "on",
      ]
      let refused = await mate.post(path(shared), form)
      #expect(refused.status == .unprocessableContent, "\(action)")
    }
    #expect(try await stored() == before)
    #expect(await !mate.get(path(shared) + "/edit").text.contains("editor-form"))
    #expect(await !mate.get(run + "/edit").text.contains("field-title"))
    await shared.end()
  }
}
