import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Testing

@Suite(.dependencies { $0.locale = Locale(identifier: "de") })
struct DependenciesTraitTests {
  @Test func `The dependencies of a suite hold in its tests`() {
    #expect(DependencyValues.current.locale.identifier == "de")
    #expect(DependencyValues.current.context == .test)
  }

  @Test(.dependencies { $0.date = { Date(timeIntervalSince1970: 0) } })
  func `The dependencies of a test are added to those of its suite`() {
    #expect(DependencyValues.current.date() == Date(timeIntervalSince1970: 0))
    #expect(DependencyValues.current.locale.identifier == "de")
  }

  @Test(.dependencies { $0.locale = Locale(identifier: "ru") })
  func `The dependencies of a test override those of its suite`() async {
    await Task.yield()
    #expect(DependencyValues.current.locale.identifier == "ru")
  }

  @Test func `A dependency without a value fails by its name`() {
    withKnownIssue {
      _ = DependencyValues.current.calendar
    } matching: {
      $0.comments.first?.rawValue
        == "The dependency “calendar” was used without a value. Set it in `withDependencies`."
    }
  }

  @Test func `A closure of a client without a value fails by both names, and does nothing`()
    async throws
  {
    try await withKnownIssue {
      let places = try await DependencyValues.current.places.load()
      #expect(places.isEmpty)
    } matching: {
      $0.comments.first?.rawValue.contains("“places.load”") == true
    }
  }
}
