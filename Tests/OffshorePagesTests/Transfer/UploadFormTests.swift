import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A part that receives files.
@MainActor struct UploadFormTests {
  private let say = Localizer(.english, calendar: .utc)

  private func upload(
    limit: Int = 8, allowsSeveral: Bool = true,
    receive: @escaping @MainActor ([FormData.File]) async throws -> [LocalizedText] = { files in
      files.map { LocalizedText(verbatim: "received \($0.fileName) of \($0.bytes.count) bytes") }
    }
  ) -> UploadForm {
    UploadForm(
      "restore", field: LocalizedText(verbatim: "Backup"),
      button: LocalizedText(verbatim: "Restore"), allowsSeveral: allowsSeveral, limit: limit,
      receive: receive)
  }

  private func form(_ files: KeyValuePairs<String, String>, _ action: String = "restore") throws
    -> PageForm
  {
    let fields: Fields = ["action": action]
    let files = files.map { name, content in
      "Content-Disposition: form-data; name=\"restore\"; filename=\"\(name)\"\r\n\r\n\(content)"
    }
    return try PageForm(
      Request.multipart("/data", fields.items.map(\.multipart) + files), limit: 1 << 16)
  }

  private func markup(_ upload: UploadForm) -> String { upload.html(to: "/data", say).description }

  @Test func `Files are received, and sentences about the result shown`() async throws {
    let upload = upload()
    #expect(await upload.perform(try form(["a.json": "1", "b.json": "22"])) == .drafted)
    #expect(markup(upload).contains("<p>received a.json of 1 bytes</p>"))
    #expect(markup(upload).contains("<p>received b.json of 2 bytes</p>"))
  }

  @Test func `A missing or a large file is explained`() async throws {
    let upload = upload(limit: 2 << 20)
    #expect(await upload.perform(try form(["": ""])) == .invalid)
    #expect(markup(upload).contains("Choose a file."))
    let small = self.upload(limit: 1, allowsSeveral: false)
    #expect(await small.perform(try form(["a.json": "22"])) == .invalid)
    #expect(markup(small).contains(#"class="error">A file may have at most 1 B.<"#))
    #expect(markup(small).contains(#"data-too-large="A file may have at most 1 B.""#))
  }

  @Test func `The limit applies to all files together`() async throws {
    let upload = upload(limit: 3 << 10)
    let half = String(repeating: "x", count: 2 << 10)
    #expect(await upload.perform(try form(["a.json": half])) == .drafted)
    #expect(await upload.perform(try form(["a.json": half, "b.json": half])) == .invalid)
    #expect(markup(upload).contains("All files together may have at most 3 KiB."))
    #expect(markup(upload).contains(#"data-limit="3072""#))
  }

  @Test func `A refusal and an error are shown beside the field`() async throws {
    let refusing = upload { _ in throw UploadForm.Refusal(LocalizedText(verbatim: "No backup.")) }
    #expect(await refusing.perform(try form(["a.json": "1"])) == .invalid)
    #expect(markup(refusing).contains("No backup."))
    let failing = upload { _ in throw AppError.database(.full) }
    #expect(await failing.perform(try form(["a.json": "1"])) == .invalid)
    #expect(markup(failing).contains(say(AppError.database(.full).localizedMessage)))
  }

  @Test func `A form of another part is left to it`() async throws {
    #expect(await upload().perform(try form(["a.json": "1"], "import")) == nil)
  }
}
