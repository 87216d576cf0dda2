import Observation
import Synchronization
import Testing

@testable import OffshoreWeb

@MainActor struct LiveDocumentTests {
  @MainActor @Observable fileprivate final class Model {
    var outer = "outer"
    var inner = "inner"
    var showsInner = true
  }

  private let model = Model()
  private let counter = Counter()

  @MainActor private final class Counter {
    private(set) var counts: [String: Int] = [:]
    func add(_ part: String) { counts[part, default: 0] += 1 }
  }

  private func document(onChange: @escaping @Sendable () -> Void = {}) -> LiveDocument {
    let document = LiveDocument(onChange: onChange)
    document.open { [model, counter, unowned document] in
      counter.add("page")
      return Page("Nested") {
        document.region("outer") {
          counter.add("outer")
          return HTML {
            p(.id("text")) { model.outer }
            if model.showsInner {
              document.region("inner") {
                counter.add("inner")
                return HTML { p { model.inner } }
              }
            }
          }
        }
      }
    }
    return document
  }

  @Test
  func `Each part is rendered once, and a region within another only for what it reads itself`() {
    let document = document()
    #expect(counter.counts == ["page": 1, "outer": 1, "inner": 1])
    model.inner = "changed"
    #expect(document.patches()?.map(\.target) == ["inner"])
    #expect(counter.counts == ["page": 1, "outer": 1, "inner": 2])
  }

  @Test func `A region around another changes without the one within`() {
    let document = document()
    model.outer = "changed"
    #expect(document.patches()?.map(\.target) == ["text"])
    #expect(document.composed.body.description.contains("<p>inner</p>"))
  }

  @Test func `A region that is no longer shown is not followed any more`() {
    let document = document()
    model.showsInner = false
    #expect(document.patches()?.isEmpty == false)
    let renderings = counter.counts["inner"]
    model.inner = "unseen"
    #expect(document.patches() == [])
    #expect(counter.counts["inner"] == renderings)
  }

  @Test func `Changes are announced once, until they have been dealt with`() {
    let signals = Signals()
    let document = document { signals.add() }
    model.inner = "1"
    model.outer = "1"
    model.inner = "2"
    #expect(signals.count == 1)
    _ = document.patches()
    model.inner = "3"
    #expect(signals.count == 2)
  }

  @Test func `A region within itself has no place there`() {
    let document = LiveDocument(onChange: {})
    document.open { [unowned document] in
      Page("Loop") { document.region("loop") { HTML { document.place("loop") } } }
    }
    #expect(document.composed.content.description == #"<div id="loop" data-region></div>"#)
  }

  private final class Signals: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock(\.self) }
    func add() { value.withLock { $0 += 1 } }
  }
}

extension LiveDocument {
  /// The place of a region that is there already.
  fileprivate func place(_ id: String) -> HTML { HTML(nodes: [.region(id)]) }
}
