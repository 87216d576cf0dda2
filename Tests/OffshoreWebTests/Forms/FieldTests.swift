import Testing

@testable import OffshoreWeb

struct FieldTests {
  @Test func `A field has its label, the value, and nothing more than it needs`() {
    #expect(
      Field("Name", name: "name", value: "Kornati").html.description
        == #"""
        <div class="field"><label for="field-name">Name</label>\#
        <input type="text" value="Kornati" id="field-name" name="name" autocomplete="off"></div>
        """#)
  }

  @Test(arguments: [Field.Kind.input(.text), .decimal, .text(rows: 1)])
  func `A field has the focus if it is focused, and only then`(kind: Field.Kind) {
    for isFocused in [true, false] {
      let field = Field("Name", name: "name", value: "", kind: kind, isFocused: isFocused)
      #expect(field.html.description.contains(" autofocus") == isFocused)
    }
  }

  @Test func `A compact field is named without a label of its own`() {
    #expect(
      Field("Title", name: "t", value: "", kind: .text(rows: 1), isCompact: true, maximumLength: 80)
        .html.description == #"""
          <div class="field"><textarea rows="1" id="field-t" name="t" maxlength="80" \#
          placeholder="Title" autocomplete="off" aria-label="Title"></textarea></div>
          """#)
  }

  @Test func `A decimal shows its keys on a phone, and any text can be entered`() {
    let markup = Field("Sum", name: "sum", value: "1,5", kind: .decimal).html.description
    #expect(markup.contains(#"<input type="text" inputmode="decimal" value="1,5""#))
  }

  @Test func `Hint and error are said with the field, the error first, and it counts as invalid`() {
    let markup = Field("Name", name: "name", value: "", hint: "As on board", error: "Missing").html
      .description
    #expect(markup.contains(#"aria-describedby="field-name-error field-name-hint""#))
    #expect(markup.contains(#"aria-invalid="true""#))
    #expect(markup.contains(#"<p id="field-name-hint" class="hint">As on board</p>"#))
    #expect(markup.contains(#"<p id="field-name-error" class="error">Missing</p>"#))
  }

  @Test func `A valid field neither claims an error nor refers to texts that are not there`() {
    let markup = Field("Name", name: "name", value: "x", hint: "As on board").html.description
    #expect(markup.contains(#"aria-describedby="field-name-hint""#))
    #expect(!markup.contains("aria-invalid") && !markup.contains("-error"))
  }

  @Test func `What was typed comes back as it was, in every kind of field`() {
    let typed = "\n<b>\"Anna\" & co</b>"
    let escaped = "\n&lt;b&gt;&quot;Anna&quot; &amp; co&lt;/b&gt;"
    let line = Field("Note", name: "note", value: typed).html.description
    #expect(line.contains("value=\"\(escaped)\""))
    let lines = Field("Note", name: "note", value: typed, kind: .text(rows: 3)).html.description
    #expect(lines.contains(#"rows="3""#) && lines.contains(">\n\(escaped)</textarea>"))
  }

  @Test func `Of a choice, the chosen value is selected, also if it is not among them`() {
    let choices = [Field.Choice("a", "First"), Field.Choice("b", "Second")]
    func markup(_ value: String) -> String {
      Field("Kind", name: "kind", value: value, kind: .choice(choices)).html.description
    }
    #expect(markup("b").contains(#"<option value="a">First</option>"#))
    #expect(markup("b").contains(#"<option value="b" selected>Second</option>"#))
    #expect(markup("c").contains(#"<option value="c" selected>c</option><option value="a">"#))
  }

  @Test func `Type, length, need, and purpose reach the control`() {
    let markup = Field(
      "Mail", name: "mail", value: "", kind: .input(.email), isRequired: true, maximumLength: 80,
      autocomplete: "email", id: "other"
    ).html.description
    for part in [
      #"type="email""#, "required", #"maxlength="80""#, #"autocomplete="email""#, #"id="other""#,
      #"for="other""#,
    ] {
      #expect(markup.contains(part), "\(part)")
    }
  }

  @Test(arguments: [true, false]) func `A box is ticked or not, and has its label behind it`(
    isOn: Bool
  ) {
    let markup = CheckField("Skipper", name: "skipper", isOn: isOn, error: "No").html.description
    #expect(markup.contains(" checked") == isOn)
    #expect(markup.contains(#"aria-describedby="field-skipper-error" aria-invalid="true""#))
    #expect(markup.contains(#"<label for="field-skipper">Skipper</label>"#))
  }

  @Test func `A group has a legend, and refers to its hint and its error`() {
    let markup = FieldGroup("Crew", id: "crew", hint: "Who sails", error: "Too many") { p { "x" } }
      .html.description
    #expect(
      markup == #"""
        <fieldset id="crew" aria-describedby="crew-error crew-hint" tabindex="-1" \#
        data-invalid="true"><legend>Crew</legend><p id="crew-hint" class="hint">Who sails</p>\#
        <p id="crew-error" class="error">Too many</p><p>x</p></fieldset>
        """#)
    #expect(
      FieldGroup("Crew", id: "crew", hasBorder: false) { p { "x" } }.html.description
        == #"<fieldset id="crew" class="plain"><legend>Crew</legend><p>x</p></fieldset>"#)
  }
}
