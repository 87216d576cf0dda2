import Anyfleet
import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreWire
import TestSupport
import Testing

@testable import AnyfleetWeb

/// Reviewed snapshots of every page in English, and of one in Russian.
@MainActor
struct PageSnapshotTests {
  private func pages(in language: Language) async throws -> Pages {
    try await Pages { environment in
      SampleFleet.surround(&environment)
      environment.preferredLanguage = language
    }
  }

  /// Compares a page, or one of its regions if the rest is the same on another page.
  private func expect(
    _ response: Response, _ name: String, _ language: Language, region: String? = nil
  ) throws {
    let markup = try region.map { try Self.region($0, of: response.text) } ?? response.text
    try HTMLSnapshot(name: "\(name).\(language.code)").expect(markup)
  }

  static func region(_ id: String, of page: String) throws -> String {
    let start = try #require(page.firstRange(of: #"<div id="\#(id)" data-region>"#)).lowerBound
    var depth = 0
    for tag in page[start...].matches(of: /<div\b|<\/div>/) {
      depth += tag.0 == "</div>" ? -1 : 1
      if depth == 0 { return String(page[start..<tag.range.upperBound]) }
    }
    return try #require(nil as String?, "The region \(id) does not end.")
  }

  @Test(arguments: Language.allCases) func `Every page equals its snapshot`(_ language: Language)
    async throws
  {
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    for page in fleet.pages where language == .english || page.name == "charter" {
      let response = await pages.get(page.path)
      #expect(response.status == .ok, "\(page.name)")
      try expect(response, page.name, language)
    }
  }

  @Test func `The pages of an empty app equal their snapshots`() async throws {
    let language = Language.english
    let pages = try await pages(in: language)
    let library = pages.dependencies.libraryRepository
    for checklist in try await library.fetchUserChecklists() {
      try await library.deleteChecklist(checklist.id)
    }
    for (name, path) in [
      ("home", "/"), ("charters", "/charters"), ("library", "/library"),
      ("library-guides", "/library?part=guides"), ("library-decks", "/library?part=decks"),
      ("charter-new", "/charters/new"),
    ] {
      let response = await pages.get(path)
      #expect(response.status == .ok, "\(name)")
      try expect(response, "\(name)-empty", language)
    }
  }

  @Test func `The answers of pages equal their snapshots`() async throws {
    let language = Language.english
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    let path = { (name: String) in fleet.pages.first { $0.name == name }?.path ?? "" }
    for question in ["finish", "reset"] {
      let asked = await pages.post(path("run"), ["action": question])
      try expect(asked, "run-\(question)-asks", language, region: "ending")
    }
    try expect(await pages.get("/open?link="), "open-without-link", language)
    for name in ["guide-new", "checklist-new", "deck-new"] {
      let sent = try pages.sent(by: await pages.get(path(name)).text)
      try expect(refused(await pages.post(path(name), sent)), "\(name)-refused", language)
    }
    var nameless = pages.changed("name", " ")
    nameless.set("entry", FixedIDs(from: 2000).next().uuidString)
    let answer = await pages.post(path("charter-new"), nameless)
    try expect(refused(answer), "charter-new-refused", language)
  }

  private func refused(_ response: Response) throws -> Response {
    try #require(response.status == .unprocessableContent)
    return response
  }

  @Test func `Pages of a shared charter equal their snapshots`() async throws {
    let language = Language.english
    let shared = try await SharedCharter(mateIs: .viewer) { environment in
      SampleFleet.surround(&environment)
      environment.sleep = waitUntilCancelled
      environment.preferredLanguage = language
    } mateApp: { environment in
      SampleFleet.surround(&environment)
      environment.sleep = waitUntilCancelled
      let ids = FixedIDs(from: 5000)
      environment.makeID = { ids.next() }
      environment.preferredLanguage = language
    }
    let charter = "/charters/\(shared.charter.id.uuidString)"
    let crew = "/members/charter/\(shared.charter.id.uuidString)"
    let (skipper, mate) = (Pages(shared.skipper), Pages(shared.mate))
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    try expect(await skipper.get(crew), "crew-of-owner", language)
    try expect(await mate.get(crew), "crew-of-viewer", language)
    try expect(await mate.get(charter), "charter-of-viewer", language)
    let run = "\(charter)/checklists/\(shared.checklist.id.uuidString)"
    try expect(await mate.get(run), "run-of-viewer", language, region: "progress")
    try expect(await mate.get("/join/charter"), "charter-join-signed-in", language)
    // Nothing is pulled while syncing is stopped.
    await shared.mate.sync.stop()
    try await shared.mate.database.database.write {
      _ = try SQL("UPDATE _cursor SET epoch = 0").run($0)
    }
    try expect(await mate.get(crew), "crew-arriving", language, region: "access")
    await shared.end()
  }

  @Test func `The history of a charter equals its snapshot`() async throws {
    let language = Language.english
    let conflicts = try await ConflictFixture { environment in
      SampleFleet.surround(&environment)
      environment.preferredLanguage = language
    }
    try await conflicts.addManyConflicts()
    let page = await Pages(conflicts.app).get("/history/charter/\(conflicts.charter.id.uuidString)")
    try expect(page, "charter-history", language)
    await conflicts.end()
  }

  @Test func `Pages that offer to undo equal their snapshots`() async throws {
    let language = Language.english
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    let path = { (name: String) in fleet.pages.first { $0.name == name }?.path ?? "" }
    _ = await pages.post(path("run"), ["action": "confirm-reset"])
    try expect(await pages.get(path("run")), "run-was-reset", language, region: "undo-removal")
    _ = await pages.post(path("guide"), ["action": "delete"])
    try expect(
      await pages.get(path("library-guides")), "library-guide-deleted", language,
      region: "undo-removal")
    _ = await pages.post(path("charter"), ["action": "delete"])
    try expect(
      await pages.get("/charters"), "charters-deleted", language, region: "undo-removal")
  }
}
