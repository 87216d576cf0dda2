import Foundation
import TestSupport
import Testing

@testable import OffshoreWeb

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
