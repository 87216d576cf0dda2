import Testing

@testable import OffshoreWeb

struct RadioFieldTests {
  private func field(_ value: String, error: String? = nil, hint: String? = nil) -> RadioField {
    RadioField(
      "Show", name: "shows", value: value,
      choices: [.init("week", "My week"), .init("busy", "Busy only", mark: span { "●" })],
      hint: hint, error: error)
  }

  @Test func `A group has its legend, and each button its label and its mark`() {
    #expect(
      field("busy").html.description
        == #"""
        <fieldset id="field-shows" class="plain"><legend>Show</legend><div class="radios">\#
        <label for="field-shows-week">\#
        <input type="radio" id="field-shows-week" name="shows" value="week">\#
        <span>My week</span></label><label for="field-shows-busy">\#
        <input type="radio" id="field-shows-busy" name="shows" value="busy" checked>\#
        <span>●</span><span>Busy only</span></label></div></fieldset>
        """#)
  }

  @Test func `No button is chosen for another value`() {
    #expect(!field("x").html.description.contains("checked"))
  }

  @Test func `A hint and an error describe the group, which has the focus`() {
    let form = PostForm(to: "/") { field("week", error: "Choose one.", hint: "For friends") }
    let markup = form.html.description
    #expect(markup.contains(#"aria-describedby="field-shows-error field-shows-hint""#))
    #expect(markup.contains(#"<p id="field-shows-error" class="error">Choose one.</p>"#))
    #expect(markup.contains(#"data-invalid="true" autofocus"#))
  }

  @Test func `Texts are escaped, and another id is possible`() {
    let field = RadioField(
      "<b>", name: "n", value: "\"", choices: [.init("\"", "<i>")], id: "other")
    let markup = field.html.description
    #expect(!markup.contains("<b>") && !markup.contains("<i>"))
    #expect(markup.contains(#"<fieldset id="other""#))
    #expect(markup.contains(#"value="&quot;" checked"#))
  }
}
