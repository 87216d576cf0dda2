import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct FileFieldTests {
  @Test func `A field for a file has its label, and nothing more than it needs`() {
    #expect(
      FileField("Photo", name: "photo").html.description
        == #"""
        <div class="field"><label for="field-photo">Photo</label>\#
        <input type="file" id="field-photo" name="photo"></div>
        """#)
  }

  @Test func `Types, number, need, hint and error reach the control`() {
    let field = FileField(
      "Photos", name: "photos", accepting: ["image/*", ".pdf"], allowsSeveral: true,
      hint: "Up to 8 MB", error: "Too large", isRequired: true, id: "other")
    #expect(
      field.html.description
        == #"""
        <div class="field"><label for="other">Photos</label>\#
        <input type="file" id="other" name="photos" accept="image/*,.pdf" multiple required \#
        aria-describedby="other-error other-hint" aria-invalid="true">\#
        <p id="other-hint" class="hint">Up to 8 MB</p>\#
        <p id="other-error" class="error">Too large</p></div>
        """#)
  }

  @Test func `The script knows the largest file and the error of a larger one`() {
    let field = FileField("Photo", name: "photo", limit: (1_000, "Too large"))
    #expect(
      field.html.description.contains(#" data-limit="1000" data-too-large="Too large">"#))
    #expect(!field.html.description.contains("aria-invalid"))
  }

  @Test func `A form that carries files is encoded for them, and others are not`() {
    let form = PostForm(to: "/photos", carriesFiles: true) {
      FileField("Photos", name: "photos", accepting: ["image/*"], allowsSeveral: true)
      SubmitButton("Add")
    }
    #expect(
      form.html.description.hasPrefix(
        #"<form method="post" action="/photos" enctype="multipart/form-data" novalidate>"#))
    let other = PostForm(to: "/photos") { SubmitButton("Add") }
    #expect(!other.html.description.contains("enctype"))
  }

  @Test func `A field with an error has the focus`() {
    let form = PostForm(to: "/photos", carriesFiles: true) {
      FileField("Photo", name: "photo", error: "Choose a photo.")
    }
    #expect(form.html.description.firstMatch(of: /<input type="file"[^>]*autofocus/) != nil)
  }

  @Test func `Texts are escaped`() {
    let markup = FileField("<b>", name: "\"n\"", accepting: ["\"><script>"]).html.description
    #expect(markup.contains(">&lt;b&gt;</label>") && !markup.contains("<script>"))
    #expect(markup.contains(#"name="&quot;n&quot;""#))
  }

  // MARK: - Posting

  private let app = CounterApp()

  /// A router with a form that stores the names of its files as the note of the tab.
  private var router: Router {
    var router = app.router
    let (store, tabs) = (app.store, app.tabs)
    router.post("photos") { request in
      let form = try request.formData()
      return try await tabs.act(request, at: "/counter") {
        CounterPage(store)
      } action: { page in
        page.model.store(form.files("photos").map(\.fileName).joined(separator: ", "))
        return page.model.noteError == nil ? .done : .invalid
      }
    }
    return router
  }

  private func post(_ names: String..., from tab: String? = nil) async -> Response {
    let parts = names.map { name in
      "--b\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"\(name)\"\r\n\r\nx\r\n"
    }
    var request = Request(.post, "/photos", body: Array((parts.joined() + "--b--\r\n").utf8))
    request.headers["Content-Type"] = "multipart/form-data; boundary=b"
    request.headers["Offshore-Tab"] = tab
    return await router.respond(to: request)
  }

  @Test func `A form with files acts in its tab, which shows the result`() async throws {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    #expect(await post("a.png", "b.png", from: page.tab).status == .noContent)
    #expect(try await stream.nextChange().html.contains(#"value="a.png, b.png""#))
    #expect(await post(from: page.tab).status == .unprocessableContent)
    #expect(try await stream.nextChange().html.contains("Write something"))
  }

  @Test func `A form with files acts without the script, too`() async {
    let done = await post("a.png")
    #expect(done.status == .seeOther && done.headers["Location"] == "/counter")
    let refused = await post()
    #expect(refused.status == .unprocessableContent && refused.text.contains("Write something"))
  }
}
