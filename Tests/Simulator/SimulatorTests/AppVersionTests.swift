import Offshore
import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSimulator
@testable import OffshoreSync

/// The versions of the simulated app.
struct AppVersionTests {
  private func differences(_ former: Int, _ next: Int) throws -> [ManifestDifference] {
    ManifestComparison(
      try AppVersion(former).schema.manifest, try AppVersion(next).schema.manifest
    ).differences
  }

  @Test(arguments: [(1, 2), (2, 3), (1, 3)])
  func `A server follows each version to any later one`(former: Int, next: Int) throws {
    let differences = try differences(former, next)
    #expect(differences.allSatisfy { $0.verdict != .refused }, "\(differences)")
    #expect(throws: WireError.self) {
      try ManifestComparison(
        AppVersion(next).schema.manifest, AppVersion(former).schema.manifest
      ).check()
    }
  }

  @Test func `The versions make each kind of change that devices survive`() throws {
    let messages = try (differences(1, 2) + differences(2, 3)).map { "\($0.place): \($0.message)" }
    for (place, part) in [
      ("notes.columns.color", "Added"), ("flags", "Added"), ("flags", "Retired"),
      ("marks.columns.title", "Renamed"), ("marks.columns.old", "Retired"), ("marks", "Renamed"),
      ("marks.columns.state", "more states"), ("marks.columns.title", "may be NULL"),
      ("marks.columns.minutes", "Added"), ("marks.columns.hours", "Retired"),
      ("pins.columns.rank", "merged by “max”"), ("pins.columns.size", "any type"),
      ("pins.columns.depth", "Added"),
    ] {
      #expect(
        messages.contains { $0.hasPrefix("tables.\(place): ") && $0.contains(part) },
        "\(place) \(part)")
    }
    // Manifests do not have defaults.
    #expect(try AppVersion(2).initial("depth", of: Pin.name) == 3)
    #expect(try AppVersion(3).initial("depth", of: Pin.name) == 5)
  }

  @Test(arguments: 1...3) func `The expected defaults are those of the tables`(number: Int) throws {
    let version = try AppVersion(number)
    for table in version.schema.tables {
      for column in table.definitions {
        let initial = version.initial(column.name, of: table.name)
        guard case .integer(let value)? = initial else { continue }
        #expect(column.defaultSQL == "\(value)")
      }
    }
  }
}
