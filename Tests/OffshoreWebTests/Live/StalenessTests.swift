import Observation
import Synchronization
import Testing

@testable import OffshoreWeb

@MainActor struct StalenessTests {
  /// Shared by all tabs; `quiet` never changes.
  @MainActor @Observable fileprivate final class Store {
    var quiet = "quiet"
    var title = "title"
    var showsRegion = true
  }

  /// The readings of a document, which stay alive only while a store has them registered.
  @MainActor private final class Kept {
    weak var frame: PartReading?
    weak var region: PartReading?

    init(_ document: LiveDocument) {
      frame = document.staleParts.reading(.frame)
      region = document.staleParts.reading(.region("region"))
    }
  }

  private let store = Store()

  private func document(onChange: @escaping @Sendable () -> Void = {}) -> LiveDocument {
    let document = LiveDocument(onChange: onChange)
    document.open { [store, unowned document] in
      Page(store.title) {
        if store.showsRegion { document.region("region") { HTML { p { store.quiet } } } }
      }
    }
    return document
  }

  @Test func `A released document leaves no registration in a store that does not change`() {
    var document: LiveDocument? = document()
    weak let released = document
    let kept = document.map(Kept.init)
    #expect(kept?.frame != nil && kept?.region != nil)
    document = nil
    #expect(released == nil)
    #expect(kept?.frame == nil && kept?.region == nil)
  }

  @Test func `A region that is rendered again because of another is registered once`() {
    let document = document()
    let kept = Kept(document)
    store.title = "changed"
    #expect(document.patches()?.isEmpty == false)
    #expect(kept.frame == nil && kept.region == nil)
    #expect(Kept(document).region != nil)
  }

  @Test func `A region that is not shown any more is unregistered`() {
    let document = document()
    let kept = Kept(document)
    store.showsRegion = false
    _ = document.patches()
    #expect(kept.region == nil)
    #expect(Kept(document).frame != nil)
  }

  @Test func `Unregistering a part is not a change of it`() {
    let changes = Mutex(0)
    withExtendedLifetime(document { changes.withLock { $0 += 1 } }) { document in
      store.title = "changed"
      _ = document.patches()
    }
    #expect(changes.withLock(\.self) == 1)
  }
}
