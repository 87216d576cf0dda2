import Testing

@testable import OffshoreWeb

struct PostFormTests {
  @Test func `The button of a long form is in a bar`() {
    #expect(
      SaveBar("Save", action: "save").html.description
        == #"""
        <div class="save"><button type="submit" class="button primary" name="action" \#
        value="save">Save</button></div>
        """#)
  }

  @Test func `A form is sent by POST, and leaves validation to the app`() {
    #expect(
      PostForm(to: "/a?b=1&c=2", id: "f") { HiddenValue("n", "v") }.html.description
        == #"""
        <form method="post" action="/a?b=1&amp;c=2" novalidate id="f">\#
        <input type="hidden" name="n" value="v"></form>
        """#)
  }

  @Test func `A form names the action that returns the page with its draft`() {
    let markup = PostForm(to: "/", draftAction: "keep") { HiddenValue("n", "v") }.html.description
    #expect(markup.contains(#"novalidate data-draft="keep">"#))
  }

  @Test func `A form names the action that stores its texts while they are typed`() async {
    let kept = (text: "Anchor", count: 1)
    let form = PostForm(to: "/notes", keepAction: "keep") {
      Field("Note", name: "note", value: kept.text, kind: .text(rows: 3))
      SubmitButton("Add", action: "add")
    }
    let markup = form.html.description
    #expect(
      markup.contains(#"novalidate data-keep="keep">"#) && markup.contains(">Anchor</textarea>"))
    await #expect(processExitsWith: .failure) {
      _ = PostForm(to: "/", draftAction: "draft", keepAction: "keep") {}
    }
  }

  @Test func `Only the first field with an error has the focus`() {
    let markup = PostForm(to: "/") {
      Field("One", name: "one", value: "")
      div { Field("Two", name: "two", value: "", error: "Missing") }
      Field("Three", name: "three", value: "", error: "Missing")
    }.html.description
    #expect(markup.count(of: "autofocus") == 1)
    #expect(markup.firstMatch(of: /<input[^>]*id="field-two"[^>]*autofocus/) != nil)
  }

  @Test func `Without an error no field has the focus`() {
    let form = PostForm(to: "/") { Field("One", name: "one", value: "") }
    #expect(!form.html.description.contains("autofocus"))
  }

  @Test func `A field can have the focus, unless another one has an error`() {
    func markup(_ error: String?) -> String {
      PostForm(to: "/") {
        Field("One", name: "one", value: "", isFocused: true)
        Field("Two", name: "two", value: "", kind: .text(rows: 1), error: error)
      }.html.description
    }
    #expect(markup(nil).firstMatch(of: /<input[^>]*id="field-one"[^>]* autofocus/) != nil)
    #expect(markup("Missing").count(of: "autofocus") == 1)
    #expect(markup("Missing").firstMatch(of: /<textarea[^>]*id="field-two"[^>]* autofocus/) != nil)
  }

  @Test func `A form names the field to which it leads`() {
    let markup = PostForm(to: "/", nextField: "field-text") { HiddenValue("n", "v") }.html
      .description
    #expect(markup.contains(#"novalidate data-focus="field-text">"#))
  }

  @Test func `A button has a text, and a longer label for screen readers`() {
    #expect(
      SubmitButton("Delete", style: .destructive, label: "Delete Kornati").html.description
        == #"""
        <button type="submit" class="button destructive" aria-label="Delete Kornati">\#
        Delete</button>
        """#)
  }

  @Test func `Each of several buttons has its own action, and Enter has the form's`() {
    #expect(
      PostForm(to: "/", enterAction: "save") { SubmitButton("Up", style: .plain, action: "up") }
        .html.description
          == #"""
          <form method="post" action="/" novalidate><button type="submit" class="by-enter" \#
          name="action" value="save" tabindex="-1" aria-hidden="true"></button>\#
          <button type="submit" class="button plain" name="action" value="up">Up</button></form>
          """#)
  }

  @Test func `A group with an error has the focus before the fields in it and after it`() {
    let markup = PostForm(to: "/") {
      FieldGroup("Crew", id: "crew", error: "Too many") {
        Field("One", name: "one", value: "", error: "Missing")
      }
    }.html.description
    #expect(markup.count(of: "autofocus") == 1)
    #expect(markup.firstMatch(of: /<fieldset[^>]*id="crew"[^>]*autofocus/) != nil)
  }
}
