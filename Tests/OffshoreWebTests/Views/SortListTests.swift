import Testing

@testable import OffshoreWeb

struct SortListTests {
  private func row(marks: [String] = [], isOpen: Bool = false) -> String {
    SortRow(
      id: "row-a", label: "Item 1", handleLabel: "Move “Flares”", menuLabel: "More: Flares",
      menuSigns: marks,
      isOpen: isOpen
    ) {
      "Flares"
    } menuContent: {
      SubmitButton("Up", style: .plain, action: "up:a", moving: .up)
    }.html.description
  }

  @Test func `A row has a handle, its content, and a menu that is closed`() {
    let markup = row()
    #expect(
      markup.hasPrefix(
        #"""
        <div id="row-a" class="entry" role="group" aria-label="Item 1">\#
        <button type="button" class="handle" id="row-a-handle" aria-label="Move “Flares”">
        """#.replacing("\n", with: "")))
    #expect(
      markup.contains(#"<div class="fields">Flares</div><details id="row-a-more" class="more">"#))
    #expect(markup.contains(#"<summary class="icon-button" aria-label="More: Flares">"#))
    #expect(markup.contains(#"name="action" value="up:a" data-move="up">Up</button></details>"#))
  }

  @Test func `Marks are an ornament, and a menu with an error is open with and without the script`()
  {
    let markup = row(marks: ["!", "✎"], isOpen: true)
    #expect(markup.contains(#"<span class="flags" aria-hidden="true">! ✎</span>"#))
    #expect(markup.contains(#"class="more" open data-open="">"#))
  }

  @Test func `A list says what it has, and how a move is said`() {
    let list = SortList(id: "rows-a", group: "a", moveMessage: "Now {n} of {m}.") { div { "Row" } }
    #expect(
      list.html.description
        == #"""
        <div id="rows-a" class="entries" class="card" data-kind="a" data-moved="Now {n} of {m}.">\#
        <div>Row</div></div>
        """#.replacing(#"class="entries" class="card""#, with: #"class="entries card""#))
    let empty = SortList(id: "rows-a", group: "a", moveMessage: "") {}.html.description
    #expect(empty.contains(#"class="entries" data-kind"#))
  }
}
