import Observation
import Synchronization
import Testing

@testable import OffshoreWeb

/// Rows of a long list are rendered again only if they changed.
@MainActor struct MemoTests {
  @MainActor @Observable fileprivate final class Model {
    var names = ["a", "b", "c"]
    var other = "other"
    var subtitle = "subtitle"
  }

  private struct Row: Component, Equatable, Identifiable {
    /// The number of times that each row was rendered.
    static let made = Mutex<[String: Int]>([:])

    let id: Int
    let name: String
    /// The test that renders the rows, which distinguishes them from those of other tests.
    let test: String

    var html: HTML {
      Self.made.withLock { $0["\(test) \(id)", default: 0] += 1 }
      return li(.id("row-\(id)")) { name }
    }

    static func counts(_ test: String) -> [Int] {
      made.withLock { made in (0..<3).map { made["\(test) \($0)", default: 0] } }
    }
  }

  private let model = Model()

  private func document(_ test: String) -> LiveDocument {
    let document = LiveDocument(onChange: {})
    document.open { [model, unowned document] in
      Page("List") {
        p(.id("subtitle")) { model.subtitle }
        document.region("list") {
          ul(.id("rows"), .class(model.other)) {
            for (id, name) in model.names.enumerated() {
              document.memo(Row(id: id, name: name, test: test))
            }
          }
        }
      }
    }
    return document
  }

  @Test func `Only the row that changed, of three, is rendered again, each time`() {
    let document = document("changed")
    #expect(Row.counts("changed") == [1, 1, 1])
    model.names[1] = "B"
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("changed") == [1, 2, 1])
    model.names[1] = "b"
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("changed") == [1, 3, 1])
    #expect(document.composed.body.description.contains("<li id=\"row-1\">b</li>"))
  }

  @Test
  func `A row that was removed and returns is rendered again, because hidden rows are not cached`()
  {
    let document = document("gone")
    model.names.removeLast()
    #expect(document.patches()?.isEmpty == false)
    model.names.append("c")
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("gone") == [1, 1, 2])
  }

  @Test func `A component of another kind with the same id is not mistaken for the former`() {
    struct Other: Component, Equatable, Identifiable {
      let id: Int
      var html: HTML { p { "other" } }
    }
    var memo = Memo()
    _ = memo.html(of: Row(id: 1, name: "row", test: "kinds"))
    memo = memo.renewed()
    #expect(memo.html(of: Other(id: 1)) == p { "other" })
  }

  @Test func `A change around the rows renders none of them`() {
    let document = document("around")
    model.other = "changed"
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("around") == [1, 1, 1])
    #expect(document.composed.body.description.contains("class=\"changed\""))
  }

  @Test func `A change of the page around a region renders no row of the region`() {
    let document = document("page")
    model.subtitle = "changed"
    #expect(document.patches()?.map(\.target) == ["subtitle"])
    #expect(Row.counts("page") == [1, 1, 1])
  }
}
