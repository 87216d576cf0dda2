import Observation
import Synchronization
import Testing

@testable import OffshoreWeb

/// Rows of a long list are made again only where they changed.
@MainActor struct MemoTests {
  @MainActor @Observable fileprivate final class Model {
    var names = ["a", "b", "c"]
    var other = "other"
    var subtitle = "subtitle"
  }

  private struct Row: Component, Equatable, Identifiable {
    /// How often each row was made.
    static let made = Mutex<[String: Int]>([:])

    let id: Int
    let name: String
    /// What sets the rows of one test apart from those of another.
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

  @Test func `Of three rows the one that changed is made again, each time`() {
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

  @Test func `A row that went and comes back is made again: what does not show is not kept`() {
    let document = document("gone")
    model.names.removeLast()
    #expect(document.patches()?.isEmpty == false)
    model.names.append("c")
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("gone") == [1, 1, 2])
  }

  @Test func `Another kind of component with the same id is not taken for the former`() {
    struct Other: Component, Equatable, Identifiable {
      let id: Int
      var html: HTML { p { "other" } }
    }
    var memo = Memo()
    _ = memo.html(of: Row(id: 1, name: "row", test: "kinds"))
    memo = memo.renewed()
    #expect(memo.html(of: Other(id: 1)) == p { "other" })
  }

  @Test func `A change of what is around the rows makes none of them`() {
    let document = document("around")
    model.other = "changed"
    #expect(document.patches()?.isEmpty == false)
    #expect(Row.counts("around") == [1, 1, 1])
    #expect(document.composed.body.description.contains("class=\"changed\""))
  }

  @Test func `A change of the page around a region makes no row of the region`() {
    let document = document("page")
    model.subtitle = "changed"
    #expect(document.patches()?.map(\.target) == ["subtitle"])
    #expect(Row.counts("page") == [1, 1, 1])
  }
}
