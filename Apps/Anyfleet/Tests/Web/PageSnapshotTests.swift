import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Every page in every language, as somebody has looked at it.
@MainActor
struct PageSnapshotTests {
  @Test("Every page is as it was kept", arguments: Language.allCases)
  func everyPage(_ language: Language) async throws {
    let pages = try await Pages { environment in
      SampleFleet.surround(&environment)
      environment.preferredLanguage = language
    }
    let fleet = try await SampleFleet(in: pages.dependencies)
    for page in fleet.pages {
      let response = await pages.get(page.path)
      #expect(response.status.rawValue < 500, "\(page.name)")
      try HTMLSnapshot(name: "\(page.name).\(language.rawValue)").expect(response.text)
    }
  }
}
