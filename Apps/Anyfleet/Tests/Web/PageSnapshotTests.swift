import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import AnyfleetWeb

/// Every page in every language, as somebody has looked at it.
@MainActor
struct PageSnapshotTests {
  private func pages(in language: Language) async throws -> Pages {
    try await Pages { environment in
      SampleFleet.surround(&environment)
      environment.preferredLanguage = language
    }
  }

  private func expect(_ response: Response, _ name: String, _ language: Language) throws {
    try HTMLSnapshot(name: "\(name).\(language.rawValue)").expect(response.text)
  }

  @Test("Every page is as it was kept", arguments: Language.allCases)
  func everyPage(_ language: Language) async throws {
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    for page in fleet.pages {
      let response = await pages.get(page.path)
      #expect(response.status == (page.name == "open-unreadable" ? .notFound : .ok), "\(page.name)")
      try expect(response, page.name, language)
    }
  }

  @Test("The pages of an empty app are as they were kept", arguments: Language.allCases)
  func emptyPages(_ language: Language) async throws {
    let pages = try await pages(in: language)
    let library = pages.dependencies.libraryStore
    await library.loadChecklists()
    for checklist in library.checklists.data ?? [] {
      try await library.deleteChecklist(checklist.id)
    }
    library.removals.dismiss { _ in true }
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

  @Test("What pages answer is as it was kept", arguments: Language.allCases)
  func answers(_ language: Language) async throws {
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    let path = { (name: String) in fleet.pages.first { $0.name == name }?.path ?? "" }
    let answers: [(String, String, Fields)] = [
      ("run-finish-asks", path("run") + "/finish", [:]),
      ("run-reset-asks", path("run") + "/reset", [:]),
      ("open-without-link", "/open?link=", [:]),
    ]
    for (name, path, fields) in answers {
      let response =
        name.hasPrefix("open") ? await pages.get(path) : await pages.post(path, fields)
      try expect(response, name, language)
    }
    for name in ["guide-new", "checklist-new", "deck-new"] {
      let sent = try pages.sent(by: await pages.get(path(name)).text)
      try expect(refused(await pages.post(path(name), sent)), "\(name)-refused", language)
    }
    var nameless = pages.changed("name", " ")
    nameless.set("charterID", FixedIDs(from: 2000).next().uuidString)
    let answer = await pages.post(path("charter-new"), nameless)
    try expect(refused(answer), "charter-new-refused", language)
  }

  private func refused(_ response: Response) throws -> Response {
    try #require(response.status == .unprocessableContent)
    return response
  }

  @Test("Pages that offer to undo are as they were kept", arguments: Language.allCases)
  func undoing(_ language: Language) async throws {
    let pages = try await pages(in: language)
    let fleet = try await SampleFleet(in: pages.dependencies)
    let path = { (name: String) in fleet.pages.first { $0.name == name }?.path ?? "" }
    _ = await pages.post(path("run") + "/reset", ["isConfirmed": "true"])
    try expect(await pages.get(path("run")), "run-was-reset", language)
    try expect(await pages.get(path("charter")), "charter-was-reset", language)
    _ = await pages.post(path("guide") + "/delete", [:])
    try expect(await pages.get(path("library-guides")), "library-guide-deleted", language)
    _ = await pages.post(path("charter") + "/delete", [:])
    try expect(await pages.get("/charters"), "charters-deleted", language)
  }
}
