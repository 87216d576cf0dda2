import Foundation
import OffshoreFiles
import OffshorePresentation
import OffshorePresentationTesting
import TestSupport
import Testing

/// The steps of a log of changes.
@MainActor struct UndoFeatureTests {
  private typealias Feature = UndoFeature<SongChange>

  private let group = FailingGroup(
    MemoryGroup<SongChange>(stamp: ChangeStamp(makeID: UUID.numbered())))
  private let loads = Gate(isOpen: true)

  private func makeStore() -> TestStore<Feature.State, Feature.Action> {
    TestStore(initialState: Feature.State()) { [group, loads] in
      Feature {
        ChangeLogStorage {
          await loads.pass()
          return try await group.loadChanges()
        } apply: {
          try await group.perform(.apply($0))
        } observe: {
          AsyncStream(loadedAfter: AsyncStream(following: group.changeSignals())) {
            try await group.loadChanges()
          }
        }
      }
    }
  }

  private var songs: [Song] {
    get async throws { try await group.load(Song.self) }
  }

  @Test func `The log is loaded once at a time and followed`() async throws {
    try await group.perform(.save(Song("Bura")))
    let changes = try await group.loadChanges()
    let store = makeStore()
    loads.close()
    await store.send(.onAppear) { $0.isLoading = true }
    await store.send(.onAppear)
    loads.open()
    await store.receive(.changesLoaded(.success(changes))) {
      ($0.isLoading, $0.changes) = (false, changes)
    }
    let effects = await store.send(.startObservingChanges)
    await store.receive(.changesUpdated(changes))
    await effects.cancel()
    await store.finish()
  }

  @Test func `The latest change is undone and redone`() async throws {
    let (one, two) = (Song("Bura"), Song("Jugo"))
    try await group.perform(.save(one))
    try await group.perform(.save(two))
    let store = makeStore()
    await store.send(.undo)
    let undone = try await group.loadChanges()
    await store.receive(.changesUpdated(undone)) { $0.changes = undone }
    #expect(try await songs == [one])
    #expect(store.state.history.redoable.map(\.edits) == [undone[1].edits])
    await store.send(.redo)
    let redone = try await group.loadChanges()
    await store.receive(.changesUpdated(redone)) { $0.changes = redone }
    #expect(try await songs == [one, two])
    await store.finish()
  }

  @Test func `A named change is undone and redone only if it is the next one`() async throws {
    let (one, two) = (Song("Bura"), Song("Jugo"))
    try await group.perform(.save(one))
    let shown = try #require(try await group.loadChanges().last)
    // A change by others arrives.
    try await group.perform(.save(two))
    let changes = try await group.loadChanges()
    let store = makeStore()
    await store.send(.undoChange(shown.id))
    await store.receive(.changesUpdated(changes)) { $0.changes = changes }
    #expect(try await songs == [one, two])
    await store.send(.undoChange(changes[1].id))
    let undone = try await group.loadChanges()
    await store.receive(.changesUpdated(undone)) { $0.changes = undone }
    #expect(try await songs == [one])
    // A form that is sent twice undoes one change.
    await store.send(.undoChange(changes[1].id))
    await store.receive(.changesUpdated(undone))
    await store.send(.redoChange(shown.id))
    await store.receive(.changesUpdated(undone))
    #expect(try await songs == [one])
    await store.send(.redoChange(changes[1].id))
    let redone = try await group.loadChanges()
    await store.receive(.changesUpdated(redone)) { $0.changes = redone }
    #expect(try await songs == [one, two])
    await store.finish()
  }

  @Test func `A change whose element has changed since is not reverted`() async throws {
    var song = Song("Bura")
    let first = song
    try await group.perform(.save(song))
    song.title = "Maestral"
    try await group.perform(.save(song))
    let changes = try await group.loadChanges()
    let store = makeStore()
    let refusal = RefusedEdits<SongEdit>(differences: [.song(ElementEdit(first, song))])
    await store.send(.revert(changes[0].id))
    await store.receive(.refused(refusal)) { $0.refusal = refusal }
    await store.send(.dismiss) { $0.refusal = nil }
    #expect(try await songs == [song])
    #expect(refusal.asAppError == .sync(.conflict))
    await store.finish()
  }

  @Test func `A failure is shown, and an empty log has no steps`() async throws {
    group.failure = { _ in AuthError.forbidden }
    let store = makeStore()
    await store.send(.undo)
    await store.receive(.failed(.auth(.forbidden))) { $0.error = .auth(.forbidden) }
    group.failure = nil
    await store.send(.dismiss) { $0.error = nil }
    for action in [Feature.Action.undo, .redo] {
      await store.send(action)
      await store.receive(.changesUpdated([]))
    }
    await store.finish()
  }
}

private struct Song: LoggedElement {
  var id = UUID()
  var title: String

  static let fileName = "songs.json"

  init(_ title: String) { self.title = title }

  static func edit(_ edit: ElementEdit<Self>) -> SongEdit { .song(edit) }
}

private enum SongEdit: LoggedEdit {
  case song(ElementEdit<Song>)

  static let elementTypes: [any LoggedElement<SongEdit>.Type] = [Song.self]

  var typed: any TypedEdit<SongEdit> {
    switch self {
    case .song(let edit): edit
    }
  }
}

private struct SongChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [SongEdit]

  static let fileName = "changes.json"
  static let logLimit = 100
}
