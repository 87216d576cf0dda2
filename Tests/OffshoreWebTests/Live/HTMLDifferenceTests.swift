import Foundation
import TestSupport
import Testing

@testable import OffshoreWeb

struct HTMLDifferenceTests {
  private func row(_ id: String, _ text: String = "text") -> HTML { li(.id(id)) { text } }

  private func list(_ rows: [String]) -> HTML {
    ul(.id("list")) { for id in rows { row(id, String(repeating: "row \(id) ", count: 50)) } }
  }

  private func operations(_ old: [String], _ new: [String]) -> [String]? {
    HTMLDifference.patches(from: list(old), to: list(new))?.map {
      "\($0.operation) \($0.target)"
    }
  }

  @Test func `Nothing changed, nothing is sent`() {
    #expect(HTMLDifference.patches(from: list(["a"]), to: list(["a"])) == [])
  }

  @Test func `Of two rows that differ, the two are sent and not the list`() {
    let long = String(repeating: "long ", count: 100)
    let old = ul(.id("list")) {
      row("a", "1")
      row("b", long)
      row("c", "3")
    }
    let new = ul(.id("list")) {
      row("a", "2")
      row("b", long)
      row("c", "4")
    }
    #expect(
      HTMLDifference.patches(from: old, to: new)
        == [Patch(.morph, "a", row("a", "2")), Patch(.morph, "c", row("c", "4"))])
  }

  @Test func `Where rows take more than the whole, the whole is sent`() {
    let old = ul(.id("list")) { for id in "abcdef" { row("\(id)", "1") } }
    let new = ul(.id("list")) { for id in "abcdef" { row("\(id)", "2") } }
    #expect(HTMLDifference.patches(from: old, to: new) == [Patch(.morph, "list", new)])
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b", "c"], ["append list"]),
    (["a", "b"], ["c", "a", "b"], ["prepend list"]),
    (["a", "b", "c"], ["a", "c"], ["remove b"]),
    (
      ["a", "b", "c"], ["x", "b", "y"], ["remove a", "remove c", "prepend list", "append list"]
    ),
    ([], ["a"], ["prepend list"]),
    (["a"], [], ["remove a"]),
    (["a", "b", "c"], ["c", "a", "b"], ["morph list"]),
    (["a", "b"], ["a", "x", "b"], ["before b"]),
    (
      ["a", "b", "c"], ["u", "a", "v", "w", "c", "x"],
      ["remove b", "prepend list", "before c", "append list"]
    ),
    (["a", "b", "c"], ["b", "x", "a", "c"], ["morph list"]),
  ]) func `Rows come and go anywhere, in one order`(
    old: [String], new: [String], expected: [String]
  ) {
    #expect(operations(old, new) == expected)
  }

  @Test func `A change without an id goes to the nearest element around it that has one`() {
    let old = div(.id("outer")) {
      section(.id("inner")) { p { "1" } }
      p(.id("p")) { "x" }
    }
    let new = div(.id("outer")) {
      section(.id("inner")) { p { "2" } }
      p(.id("p")) { "x" }
    }
    #expect(
      HTMLDifference.patches(from: old, to: new)?.map(\.target) == ["inner"])
  }

  @Test func `An element that changes its name or attributes is replaced`() {
    let old = div(.id("a"), .class("x")) { "1" }
    #expect(
      HTMLDifference.patches(from: old, to: section(.id("a"), .class("x")) { "1" })?.map(
        \.operation)
        == [.morph])
    #expect(
      HTMLDifference.patches(from: old, to: div(.id("a"), .class("y")) { "1" })?.map(\.target) == [
        "a"
      ])
  }

  @Test func `Without an id around the change there is no patch`() {
    #expect(HTMLDifference.patches(from: p { "1" }, to: p { "2" }) == nil)
    #expect(HTMLDifference.patches(from: div(.id("a")), to: div(.id("b"))) == nil)
  }

  @Test func `Older rows of a long list are sent without the others, with a heading that moves up`()
    throws
  {
    func list(from first: Int) -> HTML {
      div(.id("frame")) {
        p(.id("earlier")) { "before \(first)" }
        div(.id("list")) {
          h2(.id("day")) { "Today" }
          for number in first..<300 { row("row-\(number)", "Text of row \(number)") }
        }
        div(.id("end"))
      }
    }
    let patches = try #require(HTMLDifference.patches(from: list(from: 100), to: list(from: 50)))
    #expect(patches.map(\.operation) == [.morph, .before])
    #expect(patches.map(\.target) == ["earlier", "row-100"])
    let rows = HTML { for number in 50..<100 { row("row-\(number)", "Text of row \(number)") } }
    #expect(patches[1].html == rows)
    #expect(patches.reduce(0) { $0 + $1.json().utf8.count } < rows.size + 700)
  }

  @Test
  func `An id that moves to another parent is changed as a whole, so that it is never there twice`()
  {
    let filler = String(repeating: "filler ", count: 50)
    func page(_ left: [String], _ right: [String]) -> HTML {
      div(.id("page")) {
        p(.id("filler")) { filler }
        ul(.id("left")) { for id in left { row(id) } }
        ul(.id("right")) { for id in right { row(id) } }
      }
    }
    let new = page(["a"], ["b", "c"])
    #expect(
      HTMLDifference.patches(from: page(["a", "b"], ["c"]), to: new) == [Patch(.morph, "page", new)]
    )
  }

  @Test func `Patches turn any page into any other`() throws {
    var generator = SeededRandom(seed: 5)
    var kinds: Set<Patch.Operation> = []
    var old = randomTree(&generator)
    for _ in 0..<3_000 {
      let new = randomTree(&generator)
      let patches = try #require(HTMLDifference.patches(from: old, to: new))
      var patched = old
      for patch in patches {
        kinds.insert(patch.operation)
        let isThere = patched.apply(patch)
        #expect(isThere, "the target \(patch.target) is there")
      }
      #expect(patched == new, "seed 5")
      old = new
    }
    #expect(kinds == [.morph, .append, .prepend, .before, .remove])
  }

  /// Sections with rows, some with ids, whose texts and order vary.
  private func randomTree(_ generator: inout SeededRandom) -> HTML {
    div(.id("root")) {
      for section in 0..<3 {
        OffshoreWeb.section(.id("section-\(section)")) {
          h2 { Int.random(in: 0...4, using: &generator) == 0 ? "Other" : "Same" }
          ul(.id("list-\(section)")) {
            for number in randomOrder(&generator) {
              li(.id("row-\(section)-\(number)")) {
                span { "Number \(number) " + String(repeating: "padding ", count: 20) }
                if Int.random(in: 0...5, using: &generator) == 0 { em { "!" } }
              }
            }
          }
        }
      }
    }
  }

  private func randomOrder(_ generator: inout SeededRandom) -> [Int] {
    let low = Int.random(in: 0...4, using: &generator)
    let rows = (low..<low + 6).filter { _ in Int.random(in: 0...5, using: &generator) > 0 }
    return Int.random(in: 0...5, using: &generator) == 0 ? rows.shuffled(using: &generator) : rows
  }
}

extension HTML {
  /// Does what the script does, with elements whose place stays the same.
  /// - Returns: whether the target was there.
  fileprivate mutating func apply(_ patch: Patch) -> Bool {
    guard [.before, .remove].contains(patch.operation) else {
      return updateFirst {
        $0["id"] == patch.target
      } _: { element in
        switch patch.operation {
        case .morph: if case .element(let new)? = patch.html.nodes.first { element = new }
        case .append: element.children += patch.html.nodes
        case .prepend: element.children = patch.html.nodes + element.children
        case .before, .remove: break
        }
      }
    }
    return updateFirst {
      $0.children.contains { $0.id == patch.target }
    } _: { element in
      guard let index = element.children.firstIndex(where: { $0.id == patch.target }) else {
        return
      }
      if patch.operation == .remove {
        element.children.remove(at: index)
      } else {
        element.children.insert(contentsOf: patch.html.nodes, at: index)
      }
    }
  }
}

struct PatchTests {
  @Test func `A patch is written as the script reads it`() {
    #expect(
      Patch(.append, "list", li(.id("a")) { "x" }).json()
        == #"{"op":"append","target":"list","html":"<li id=\"a\">x</li>"}"#)
    #expect(Patch(.remove, "a").json() == #"{"op":"remove","target":"a","html":""}"#)
  }

  @Test func `Whatever the markup contains, a reader of JSON gets it back unchanged`() throws {
    var generator = SeededRandom(seed: 3)
    for _ in 0..<2_000 {
      let markup = nastyText(&generator) + "\u{1F}\\\u{7F}\u{2028}"
      let patch = Patch(.morph, nastyText(&generator), HTML { Raw(markup) })
      let read = try JSONDecoder().decode(Browser.Change.self, from: Data(patch.json().utf8))
      #expect(read == .init(op: "morph", target: patch.target, html: markup), "seed 3")
    }
  }

  @Test func `A patch is one line, as an event's data should be`() {
    let patch = Patch(.morph, "a", HTML("x\r\ny\n\nz"))
    #expect(!patch.json().utf8.contains { $0 == 0x0A || $0 == 0x0D })
  }
}
