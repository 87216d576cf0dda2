import Foundation
import OffshoreFiles
import OffshorePresentation
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

/// The settings, and the move to the database.
@MainActor
struct SettingsFeatureTests {
  private typealias Feature = SettingsFeature

  private func makeStore(
    _ settings: SettingsClient
  ) -> TestStore<Feature.State, Feature.Action> {
    TestStore(initialState: Feature.State()) {
      SettingsFeature()
    } withDependencies: {
      $0.settings = settings
    }
  }

  @Test func `Many records lead to the offer of a database, which moves them`() async {
    var (counts, settings) = (RecordCounts(), AppSettings())
    counts.shifts = 501
    settings.language = "ru"
    let store = makeStore(
      SettingsClient(
        load: { [settings] in settings }, count: { [counts] in counts },
        move: { [counts] engine in
          #expect(engine == .database)
          return counts
        }))
    await store.send(.onAppear)
    await store.receive(.settingsLoaded(.success(settings))) { $0.settings = settings }
    await store.receive(.counted(counts)) { $0.counts = counts }
    #expect(store.state.offersDatabase && store.state.mustMoveToSync)
    await store.send(.move(.database)) { $0.isMoving = true }
    await store.receive(.moved(.database, .success(counts))) {
      $0.isMoving = false
      $0.moved = counts
      $0.settings.engine = .database
    }
    #expect(!store.state.offersDatabase && !store.state.mustMoveToSync)
    await store.send(.move(.database))
    await store.finish()
  }

  @Test func `A move that fails leaves the engine`() async {
    let store = makeStore(SettingsClient(move: { _ in throw AppError.database(.full) }))
    await store.send(.move(.database)) { $0.isMoving = true }
    await store.receive(.moved(.database, .failure(.database(.full)))) {
      $0.isMoving = false
      $0.error = .database(.full)
    }
    #expect(store.state.settings.engine == .files)
    await store.finish()
  }

  @Test func `Damaged settings are an error`() async {
    let error = AppError.database(.fileDamaged(name: "settings.json", hasCopy: false))
    let store = makeStore(
      SettingsClient(load: { throw error }, count: { throw error }))
    await store.send(.onAppear)
    await store.receive(.settingsLoaded(.failure(error))) { $0.error = error }
    await store.finish()
  }

  @Test(arguments: [SettingsFeature.Action.onAppear, .move(.database)])
  func `A closure that was left out reports its name`(_ action: SettingsFeature.Action) async {
    await withKnownIssue {
      let store = makeStore(SettingsClient())
      await store.send(action) { $0.isMoving = action != .onAppear }
      await store.finish()
    }
  }
}
