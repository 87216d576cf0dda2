import Foundation
import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import ServerSupport
import ShiftScheduler
import TestSupport
import Testing

@testable import ShiftSchedulerWeb

/// The pages of files, engines, export and the account, without the script.
@MainActor struct DataPagesTests {
  private let pages: ShiftPages

  init() async throws { pages = try await ShiftPages() }

  // MARK: - Backup

  @Test func `A backup is downloaded, and restores everything as one change`() async throws {
    let backup = await pages.get("/backup")
    #expect(backup.headers["Content-Disposition"]?.contains("shifts-2027-06-15.json") == true)
    try await pages.app.records.saveShifts([])
    let response = await pages.post(
      "/data", action: "restore", files: [("shifts.json", Array(backup.text.utf8))])
    #expect(response.status == .ok)
    #expect(response.text.contains("The backup replaced everything."))
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test(arguments: [
    ("", "not a backup"), ("{}", "not a backup"), ("[1, 2]", "not a backup"),
    (#"{"version": 99}"#, "newer version"),
  ])
  func `A file that is not a backup is refused beside its field`(
    _ text: String, _ reason: String
  ) async throws {
    let response = await pages.post(
      "/data", action: "restore", files: [("notes.json", Array(text.utf8))])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: "restore")?.contains(reason) == true)
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `A form without a file is refused`() async throws {
    let response = await pages.post("/data", action: "import", files: [])
    #expect(response.error(of: "import") == "Choose a file.")
  }

  // MARK: - Import

  @Test func `A store is imported with its write-ahead log, and skipped rows are reported`()
    async throws
  {
    let path = pages.folder.file("legacy.store")
    let connection = try Connection(path)
    try connection.execute(
      """
      CREATE TABLE ZLOCATION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZNAME VARCHAR, ZADDRESS VARCHAR, ZID BLOB);
      CREATE TABLE ZSHIFTTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZLOCATION INTEGER, ZSYMBOL VARCHAR, ZTITLE VARCHAR, ZSHIFTDESCRIPTION VARCHAR,
        ZDURATION BLOB, ZID BLOB);
      PRAGMA wal_checkpoint(TRUNCATE);
      INSERT INTO ZLOCATION VALUES (1, 1, 1, 'Old Harbor', 'Quay 7', randomblob(16));
      INSERT INTO ZSHIFTTYPE VALUES
        (1, 2, 1, 1, 'L', 'Late', '', CAST('{"allDay":{}}' AS BLOB), randomblob(16)),
        (2, 2, 1, 1, 'L', 'Late', '', x'00', randomblob(16));
      """)
    let files = try ["", "-wal"].map { suffix in
      (
        name: "default.store\(suffix)",
        bytes: Array(try Data(contentsOf: URL(filePath: path + suffix)))
      )
    }
    connection.close()
    let response = await pages.post("/data", action: "import", files: files)
    #expect(response.text.contains("Shift types added: 1. Locations added: 1."))
    #expect(response.text.contains("Left out: ZSHIFTTYPE 2, unreadableDuration"))
    #expect(try await pages.app.records.loadShiftTypes().last?.title == "Late")
  }

  @Test func `A file that is not a store is refused`() async throws {
    let response = await pages.post(
      "/data", action: "import", files: [("default.store", Array("text".utf8))])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: "import")?.contains("not a store") == true)
  }

  // MARK: - Damage

  @Test func `A damaged file is named on the pages, and its last good copy is restored`()
    async throws
  {
    try await pages.app.records.saveShift(PreviewData.shifts[0])
    let file = pages.folder.file("shiftscheduler/shifts.json")
    try Data("{".utf8).write(to: URL(filePath: file))
    let reopened = try await ShiftPages(pages.folder, sample: false)
    #expect(await reopened.get("/").text.contains(#"href="/data""#))
    #expect(await reopened.get("/data").text.contains("shifts.json"))
    let response = await reopened.post("/data", ["action": "recover", "file": "shifts.json"])
    #expect(response.status == .seeOther)
    #expect(try await reopened.shifts == PreviewData.shifts)
    #expect(!(await reopened.get("/").text.contains(#"href="/data""#)))
  }

  // MARK: - Export

  @Test func `The shifts of a range are a calendar file`() async throws {
    let response = await pages.post(
      "/export", ["action": "export", "first": "2027-06-01", "last": "2027-06-05"])
    let address = try #require(response.location)
    let file = await pages.get(address)
    #expect(file.headers["Content-Type"]?.hasPrefix("text/calendar") == true)
    #expect(file.text.components(separatedBy: "BEGIN:VEVENT").count == 3)
  }

  @Test(arguments: [("first", "2027-02-31"), ("last", ""), ("last", "2027-05-31")])
  func `A range that does not exist is refused, and the typed text is kept`(
    name: String, text: String
  ) async throws {
    let days = ["first": "2027-06-01", "last": "2027-06-30"].merging([name: text]) { $1 }
    let response = await pages.post(
      "/export", ["action": "export", "first": days["first"] ?? "", "last": days["last"] ?? ""])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: name) != nil)
    #expect(response.text.contains(#"value="\#(text)""#))
  }

  @Test func `A subscription address has a secret of its own, until it is withdrawn`() async throws
  {
    let created = await pages.post("/export", ["action": "create-address"])
    let address = try #require(created.text.firstMatch(of: /href="(\/feed\/[^"]+)"/)?.1)
    let feed = await pages.get(String(address))
    #expect(feed.text.components(separatedBy: "BEGIN:VEVENT").count == 4)
    #expect(!(await pages.get("/export").text.contains(address)))
    #expect(await pages.get("/feed/guess.ics").status == .notFound)
    _ = await pages.post("/export", ["action": "withdraw-address"])
    #expect(await pages.get(String(address)).status == .notFound)
  }

  // MARK: - Engines

  @Test func `The records move to the database and back, and open pages are fetched again`()
    async throws
  {
    let open = await pages.get("/")
    let response = await pages.post("/engines", ["action": "database"])
    #expect(response.location == "/engines?moved=8")
    #expect(
      pages.tabs.page(for: Request(.get, "/", headers: ["Offshore-Tab": try open.tab]), at: "/")
        == nil)
    #expect(pages.app.engine == .database)
    #expect(try await pages.shifts == PreviewData.shifts)
    #expect(try await ShiftPages(pages.folder, sample: false).shifts == PreviewData.shifts)
    #expect(await pages.post("/engines", ["action": "files"]).location == "/engines?moved=8")
    #expect(await pages.get("/").text.contains("3 shifts"))
  }

  @Test func `The database is offered for more than 500 shifts`() async throws {
    #expect(!(await pages.get("/").text.contains(#"href="/engines""#)))
    let first = try day("2028-01-01")
    try await pages.app.records.saveShifts(
      (0..<501).map { ScheduledShift(shiftTypeID: PreviewData.shiftTypes[0].id, date: first + $0) })
    #expect(await pages.get("/").text.contains("the database is faster"))
    #expect(await pages.get("/engines").text.contains("the database is faster"))
  }

  @Test(.timeLimit(.minutes(2))) func `The engines are compared in charts with tables`()
    async throws
  {
    #expect(await pages.post("/engines", ["action": "measure"]).status == .seeOther)
    let page = await pages.get("/engines").text
    #expect(page.components(separatedBy: "<svg").count > 4)
    #expect(page.contains("10,000"))
    #expect(pages.app.measurements.results.count == 12)
  }

  // MARK: - Account

  @Test func `Signing in on files offers the move first`() async throws {
    let server = try LoopbackServer(try ShiftSchema.current.manifest)
    let pages = try await ShiftPages(server: server.url)
    #expect(await pages.get("/profile/account").text.contains("Move to the database first"))
    let response = await pages.post("/profile/account", [:])
    #expect(response.location == "/profile/account")
    #expect(await pages.get("/profile/account").text.contains(#"id="sign-in""#))
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `Records move to the database when it gets an account in another way`() async throws {
    let server = try LoopbackServer(try ShiftSchema.current.manifest)
    let pages = try await ShiftPages(server: server.url)
    try await pages.app.frame.sync.signUp(name: "anna", password: "correct horse")
    while pages.app.engine != .database { await Task.yield() }
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `The profile leads to all of these pages`() async throws {
    let profile = await pages.get("/profile").text
    for address in ["/changes", "/export", "/data", "/engines", "/settings", "/about"] {
      #expect(profile.contains(#"href="\#(address)""#))
      #expect(await pages.get(address).status == .ok)
    }
  }
}
