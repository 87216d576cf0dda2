import Observation
import OffshoreHTTP
import OffshoreWeb
import Testing

@testable import OffshorePages

/// Forms with files, which are posted like all others.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct FormFilesTests {
  @MainActor @Observable final class Album {
    var title = ""
    var names: [String] = []
    var bytes: [[UInt8]] = []
    var isWithoutPhoto = false

    func add(_ photo: FormData.File) {
      names.append(photo.fileName)
      bytes.append(Array(photo.bytes))
    }
  }

  enum AlbumRoute: PageRoute {
    case album

    var path: RoutePath { "album" }

    var formLimit: Int { 8 << 20 }

    static let all: [RouteCase<AlbumRoute>] = [RouteCase(.album)]
  }

  struct AlbumPage: RoutedPage {
    let album: Album

    func page(_ tab: Tab) -> Page {
      let address = tab.address
      return Page("Album") {
        tab.region("adding") {
          PostForm(to: address, carriesFiles: true) {
            HiddenValue("origin.title", "digest")
            Field("Title", name: "title", value: album.title)
            FileField(
              "Photos", name: "photos", accepting: ["image/*"], allowsSeveral: true,
              error: album.isWithoutPhoto ? "Choose a photo." : nil)
            SubmitButton("Add", action: "add")
          }
        }
      }
    }

    func perform(_ form: PageForm) async throws -> Outcome {
      guard form.action == "add" else { throw form.unknownAction }
      album.title = form.text("title")
      let photos = form.files("photos")
      album.isWithoutPhoto = photos.isEmpty
      if photos.isEmpty { return .invalid }
      for photo in photos { album.add(photo) }
      return .done
    }
  }

  private let album = Album()
  private let router: Router

  init() {
    let (tabs, album) = (TabRegistry(), album)
    var router = Router()
    router.addPages(AlbumRoute.self, tabs: tabs) { _, _ in AlbumPage(album: album) }
    self.router = router
  }

  private func post(
    _ fields: Fields, photos: KeyValuePairs<String, String> = ["": ""], tab: String? = nil
  ) async -> Response {
    let files = photos.map { name, content in
      "Content-Disposition: form-data; name=\"photos\"; filename=\"\(name)\"\r\n"
        + "Content-Type: image/png\r\n\r\n\(content)"
    }
    return await router.respond(
      to: .multipart("/album", fields.items.map(\.multipart) + files, tab: tab))
  }

  private func tab() async throws -> String {
    let page = await router.respond(to: Request(.get, "/album"))
    #expect(page.text.contains(#"action="/album" enctype="multipart/form-data""#))
    return String(try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1)
  }

  @Test func `A form with files is performed without the script, and leads back to the page`()
    async
  {
    let done = await post(
      ["title": "Bay\r\nof Kotor", "action": "add"], photos: ["a.png": "A", "../b.png": "B\r\n"])
    #expect(done.status == .seeOther && done.headers["Location"] == "/album")
    #expect(album.title == "Bay\nof Kotor" && album.names == ["a.png", "b.png"])
    #expect(album.bytes == [Array("A".utf8), Array("B\r\n".utf8)])
  }

  @Test func `A form with files is performed by the open page`() async throws {
    let tab = try await tab()
    let done = await post(["title": "Bay", "action": "add"], photos: ["a.png": "A"], tab: tab)
    #expect(done.status == .noContent && album.names == ["a.png"])
    let refused = await post(["title": "Bay", "action": "add"], tab: tab)
    #expect(refused.status == .unprocessableContent && album.isWithoutPhoto)
  }

  @Test func `A form without a chosen file shows the page with the texts and the error`() async {
    let refused = await post(["title": "Bay", "action": "add"])
    #expect(refused.status == .unprocessableContent && album.names.isEmpty)
    #expect(refused.text.contains(#"value="Bay""#) && refused.text.contains("Choose a photo."))
    #expect(refused.text.contains(#"name="origin.title" value="digest""#))
  }

  @Test func `A draft is posted without files and without their encoding`() async {
    let fields: Fields = ["title": "Bay", "action": "add"]
    let refused = await router.respond(
      to: Request(
        .post, "/album", headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array(fields.encoded.utf8)))
    #expect(refused.status == .unprocessableContent && album.title == "Bay")
  }

  @Test func `A form that is malformed or too large changes nothing`() async {
    let fields: Fields = ["title": "Bay", "action": "add"]
    var request = Request.multipart("/album", fields.items.map(\.multipart))
    request.body.removeLast(8)
    #expect(await router.respond(to: request).status == .badRequest)
    request.body = [UInt8](repeating: 0, count: (8 << 20) + 1)
    #expect(await router.respond(to: request).status == .contentTooLarge)
    #expect(album.title.isEmpty && !album.isWithoutPhoto)
  }
}

extension Request {
  /// Creates a request that posts parts, each with its head, as a browser posts a form with files.
  static func multipart(_ path: String, _ parts: [String], tab: String? = nil) -> Request {
    let body = parts.map { "--b\r\n\($0)\r\n" }.joined() + "--b--\r\n"
    var request = Request(.post, path, body: Array(body.utf8))
    request.headers["Content-Type"] = "multipart/form-data; boundary=b"
    request.headers["Offshore-Tab"] = tab
    return request
  }
}

extension Fields.Item {
  /// The field as a part of a form with files.
  var multipart: String { "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)" }
}
