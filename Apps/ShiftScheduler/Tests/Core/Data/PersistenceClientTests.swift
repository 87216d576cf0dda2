import Foundation
import OffshorePresentation
import Synchronization
import Testing

@testable import ShiftScheduler

/// The client of closures.
struct PersistenceClientTests {
  /// Runs a function with the client for tests.
  /// - Returns: The reported names.
  private func reports(
    _ body: @Sendable (PersistenceClient) async throws -> Void
  ) async rethrows -> [String] {
    let names = Names()
    try await withDependencies {
      $0.context = .test
      $0.reportUnset = { name in names.list.withLock { $0.append(name) } }
    } operation: {
      try await body(DependencyValues.current.persistence)
    }
    return names.list.withLock { $0 }
  }

  private final class Names: Sendable {
    let list = Mutex<[String]>([])
  }

  @Test func `A closure that was left out reports its name`() async throws {
    let names = try await reports { client in
      #expect(try await client.loadShiftTypes() == [])
      try await client.saveShiftTypes([.early])
      #expect(try await client.loadLocations() == [])
      try await client.saveLocations([.city])
      #expect(try await client.loadShifts() == [])
      try await client.saveShifts([])
      #expect(try await client.loadShifts(in: .june...(.june)) == [])
      try await client.saveShift(.june(1))
      try await client.deleteShift(UUID())
      try await client.saveShiftType(.early)
      try await client.deleteShiftType(UUID())
      try await client.saveLocation(.city)
      try await client.deleteLocation(UUID())
      try await client.apply([])
      #expect(try await client.loadChanges() == [])
    }
    #expect(
      names
        == [
          "loadShiftTypes", "saveShiftTypes", "loadLocations", "saveLocations", "loadShifts",
          "saveShifts", "loadShiftsIn", "saveShift", "deleteShift", "saveShiftType",
          "deleteShiftType", "saveLocation", "deleteLocation", "apply", "loadChanges",
        ].map { "persistence.\($0)" })
  }

  @Test func `An observation that was left out reports its name and ends`() async {
    let names = await reports { client in
      for await _ in client.observeShiftTypes() { Issue.record("There is no value.") }
      for await _ in client.observeLocations() { Issue.record("There is no value.") }
      for await _ in client.observeShifts() { Issue.record("There is no value.") }
      for await _ in client.observeChanges() { Issue.record("There is no value.") }
      for await _ in client.observeShiftsIn(.june...(.june)) { Issue.record("There is no value.") }
    }
    #expect(
      names
        == ["ShiftTypes", "Locations", "Shifts", "Changes", "ShiftsIn"].map {
          "persistence.observe\($0)"
        })
  }

  @Test func `A closure that is set reports nothing`() async throws {
    let names = try await reports { _ in
      let client = PersistenceClient(loadLocations: { [.city] })
      let loaded = try await client.loadLocations()
      #expect(loaded == [.city])
    }
    #expect(names == [])
  }

  @Test func `The preview has the sample records`() async throws {
    let client = PersistenceClient.previewValue
    #expect(try await client.loadShiftTypes() == PreviewData.shiftTypes)
    #expect(try await client.loadLocations() == PreviewData.locations)
    #expect(try await client.loadShifts() == PreviewData.shifts)
    #expect(PreviewData.shifts.count == 3)
  }

  @Test func `A mock has the given records`() async throws {
    let client = PersistenceClient.mock(locations: [.harbor])
    try await client.saveLocation(.city)
    #expect(try await client.loadLocations() == [.harbor, .city])
    #expect(try await client.loadShifts() == [])
  }

  @Test func `A mock repository fails on demand`() async throws {
    let repository = MockPersistenceRepository(locations: [.city], shouldThrowError: true)
    await #expect(throws: MockPersistenceRepository.MockError.loadFailed) {
      try await repository.loadLocations()
    }
    await #expect(throws: MockPersistenceRepository.MockError.saveFailed) {
      try await repository.saveLocations([])
    }
    await #expect(throws: MockPersistenceRepository.MockError.saveFailed) {
      try await repository.saveShift(.june(1))
    }
    await repository.setShouldThrowError(false)
    #expect(try await repository.loadLocations() == [.city])
  }
}
