import Foundation
import OffshoreCalendar
import OffshoreFiles
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import ServerSupport
import ShiftScheduler
import Testing

@testable import ShiftSchedulerWeb

/// The pages of a team that ann owns and ben is a member of, on a real server, without the script.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct TeamPagesTests {
  private let server: LoopbackServer
  private let ann: ShiftPages
  private let ben: ShiftPages
  private let id: UUID
  private let early = PreviewData.shifts[0], night = PreviewData.shifts[1]

  private var address: String { "/teams/\(id)/2027-06" }

  /// Lets ann create a team, and ben join it by a code, on their pages.
  init() async throws {
    server = try LoopbackServer(try ShiftSchema.current.manifest)
    ann = try await ShiftPages(of: "ann", on: server)
    ben = try await ShiftPages(of: "ben", on: server, sample: false)
    let response = await ann.post(
      "/teams/new", ["action": "save", "entry": UUID().uuidString, "name": "Harbor crew"])
    let path = try #require(response.location)
    id = try #require(UUID(uuidString: String(path.dropFirst("/teams/".count))))
    let id = id
    try await ann.list { $0.roles[id] != nil }
    try await ann.admit(ben, to: id, as: "editor")
  }

  private func end() async {
    for pages in [ann, ben] { await pages.app.frame.sync.stop() }
    await server.stop()
  }

  /// Publishes the early shift, and waits until ben has it.
  @discardableResult
  private func publish(for worker: ShiftPages? = nil) async throws -> PublishedShift {
    let response = await ann.post(
      address,
      [
        "action": "publish", "own.\(early.id)": "on",
        "worker": worker.map { "\($0.userID)" } ?? "",
      ])
    #expect(response.status == .seeOther)
    try await ann.board(of: id) { $0.shifts.count == 1 }
    return try await ben.board(of: id) { $0.shifts.count == 1 }.shifts[0]
  }

  /// Lets ben offer the early shift to all.
  private func offer() async throws -> Swap {
    let shift = try await publish(for: ben)
    let response = await ben.post(address, ["action": "offer", "shift": shift.id])
    #expect(response.status == .seeOther)
    return try await ann.board(of: id) { !$0.swaps.isEmpty }.swaps[0]
  }

  // MARK: - Teams

  @Test func `A team is listed for its members, and its page names them by a link`() async throws {
    for pages in [ann, ben] {
      let list = await pages.get("/teams").text
      #expect(list.contains("Harbor crew") && list.contains(#"href="/teams/\#(id)""#))
      let page = await pages.get("/teams/\(id)").text
      #expect(page.contains("No shifts this month."))
      #expect(page.contains(#"href="\#(SharedKind.team.membersAddress(of: id))""#))
    }
    await end()
  }

  @Test(arguments: ["", " \t ", String(repeating: "x", count: 81)])
  func `A name that is not possible is explained, and stays in the field`(_ name: String)
    async throws
  {
    let response = await ann.post(
      "/teams/new", ["action": "save", "entry": UUID().uuidString, "name": name])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: "name")?.isEmpty == false)
    #expect(name.isEmpty || response.text.contains(#"value="\#(name)""#))
    #expect(try await ann.list().teams.count == 1)
    await end()
  }

  @Test func `An owner renames a team, and a member is refused`() async throws {
    for (pages, name, status) in [
      (ben, "Mine", Response.Status.unprocessableContent), (ann, "Night crew", .seeOther),
    ] {
      var form: Fields = ["action": "save", "entry": id.uuidString, "name": name]
      form.items += await pages.get("/teams/\(id)/edit").origins.items
      #expect(await pages.post("/teams/\(id)/edit", form).status == status)
    }
    #expect(try await ann.list().teams.map(\.name) == ["Night crew"])
    await end()
  }

  @Test func `An owner deletes a team, and a member is refused`() async throws {
    let form: Fields = ["action": "delete", "entry": id.uuidString]
    #expect(await ann.get("/teams/\(id)/edit").text.contains("This cannot be undone."))
    #expect(await ben.post("/teams/\(id)/edit", form).status == .unprocessableContent)
    #expect(try await ann.list().teams.count == 1)
    #expect(await ann.post("/teams/\(id)/edit", form).location == "/teams")
    for pages in [ann, ben] { try await pages.list { $0.teams.isEmpty } }
    // The same form again: the team does not exist any more.
    #expect(await ann.post("/teams/\(id)/edit", form).location == "/teams")
    await end()
  }

  @Test func `A device without an account leads to the account`() async throws {
    let pages = try await ShiftPages(server: server.url)
    let page = await pages.get("/teams").text
    #expect(page.contains("Teams need an account"))
    #expect(page.contains(#"href="/profile/account""#))
    let response = await pages.post(
      "/teams/new", ["action": "save", "entry": UUID().uuidString, "name": "Harbor crew"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(#"value="Harbor crew""#))
    let alone = try await ShiftPages()
    #expect(await alone.get("/teams").text.contains("started without a server"))
    await end()
  }

  @Test func `An unknown team is not found`() async throws {
    for path in ["", "/2027-06", "/2027-13", "/edit"] {
      #expect(await ann.get("/teams/\(UUID())\(path)").status == .notFound, "\(path)")
    }
    let response = await ann.post("/teams/\(UUID())", ["action": "publish"])
    #expect(response.status == .notFound)
    await end()
  }

  // MARK: - Publishing

  @Test func `A published shift is on the pages of all members, and marked in the calendar`()
    async throws
  {
    try await publish()
    let page = try await ben.get(address).region("board")
    for text in ["Early", "06:00–14:00 · Harbor Clinic, Quay 7 · ann"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains(#"value="unpublish""#))
    #expect(await ann.get("/calendar/day/\(early.date)").text.contains("Published"))
    #expect(!(await ann.get("/calendar/day/\(night.date)").text.contains("Published")))
    let form = try await ann.get(address).region("publishing")
    #expect(form.contains("own.\(night.id)") && !form.contains("own.\(early.id)"))
    await end()
  }

  @Test func `A publication without a shift is explained beside the choices`() async throws {
    let response = await ann.post(
      address, ["action": "publish", "worker": ben.userID.uuidString])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Choose at least one."))
    #expect(response.text.contains(#"value="\#(ben.userID)" selected"#))
    await end()
  }

  @Test func `A published shift that was changed is published again, and withdrawn`() async throws {
    let shift = try await publish(for: ben)
    var type = PreviewData.shiftTypes[0]
    type.title = "Dawn"
    try await ann.app.records.saveShiftType(type)
    try await ann.board(of: id) { !$0.outdated.isEmpty }
    #expect(await ann.get(address).text.contains("Changed since"))
    _ = await ann.post(address, ["action": "publish", "own.\(early.id)": "on"])
    let board = try await ben.board(of: id) { $0.shifts.first?.title == "Dawn" }
    #expect(board.shifts[0].workerID == ben.userID)
    _ = await ann.post(address, ["action": "unpublish", "shift": shift.id])
    try await ben.board(of: id) { $0.shifts.isEmpty }
    await end()
  }

  @Test func `All shifts of some days are published and withdrawn`() async throws {
    var form: Fields = [
      "action": "publish-days", "first": "2027-06-01", "last": "2027-06-03",
      "worker": ben.userID.uuidString,
    ]
    #expect(await ann.post(address, form).status == .seeOther)
    let board = try await ben.board(of: id) { $0.shifts.count == 2 }
    #expect(board.shifts.map(\.shiftID) == [early.id, night.id])
    #expect(board.shifts.map(\.workerName) == ["ben", "ben"])
    form = ["action": "unpublish-days", "first": "2027-06-02", "last": "2027-06-30"]
    #expect(await ann.post(address, form).status == .seeOther)
    try await ben.board(of: id) { $0.shifts.map(\.shiftID) == [early.id] }
    await end()
  }

  @Test(arguments: [("first", "2027-02-31"), ("last", ""), ("last", "2027-05-31")])
  func `A range that does not exist is explained, and nothing is published`(
    _ name: String, _ text: String
  ) async throws {
    let days = ["first": "2027-06-01", "last": "2027-06-30"].merging([name: text]) { $1 }
    let response = await ann.post(
      address,
      ["action": "publish-days", "first": days["first"] ?? "", "last": days["last"] ?? ""])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: name)?.isEmpty == false)
    #expect(response.text.contains(#"name="\#(name)""#))
    #expect(try await ann.board(of: id).shifts.isEmpty)
    await end()
  }

  @Test func `An owner changes who works a shift`() async throws {
    let shift = try await publish(for: ben)
    let page = try await ann.get(address).region("board")
    #expect(page.contains(#"<option value="\#(ann.userID)""#))
    #expect(!page.contains(#"<option value="\#(ben.userID)""#))
    #expect(try await !ben.get(address).region("board").contains(#"value="assign""#))
    let form: Fields = ["action": "assign", "shift": shift.id, "member": "\(ann.userID)"]
    #expect(await ben.post(address, form).status == .unprocessableContent)
    #expect(await ann.post(address, form).status == .seeOther)
    try await ben.board(of: id) { $0.shifts[0].workerID == ann.userID }
    #expect(try await ben.get(address).region("board").contains("Harbor Clinic, Quay 7 · ann"))
    await end()
  }

  @Test func `A shift at the time of another one is published when the overlap is kept`()
    async throws
  {
    try await publish(for: ben)
    let other = ScheduledShift(shiftTypeID: early.shiftTypeID, date: early.date)
    try await ann.app.records.saveShift(other)
    var form: Fields = [
      "action": "publish", "own.\(other.id)": "on", "worker": ben.userID.uuidString,
    ]
    let response = await ann.post(address, form)
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Works already. ben: Early, 1 Jun 2027"))
    let proposal = try response.region("proposal")
    for field in form.items {
      #expect(proposal.contains(#"name="\#(field.name)" value="\#(field.value)""#))
    }
    #expect(try await ann.board(of: id).shifts.count == 1)
    form.items += (["keep": "on"] as Fields).items
    #expect(await ann.post(address, form).status == .seeOther)
    #expect(try await ann.board(of: id).shifts.count == 2)
    await end()
  }

  // MARK: - Swaps

  @Test func `A shift is offered, accepted and approved, and all see who works it`() async throws {
    let swap = try await offer()
    let offered = try await ann.get(address).region("board")
    #expect(offered.contains("Offer: ben → all") && offered.contains("Not answered"))
    #expect(try await !ben.get(address).region("board").contains(#"value="accepted""#))
    _ = await ann.post(address, ["action": "accepted", "swap": "\(swap.id)"])
    try await ann.board(of: id) { $0.swaps[0].state == .accepted(by: [ann.userID]) }
    #expect(await ann.get(address).text.contains("Accepted: ann"))
    let approval: Fields = [
      "action": "approve", "swap": "\(swap.id)", "taker": "\(ann.userID)",
    ]
    #expect(await ann.post(address, approval).status == .seeOther)
    for pages in [ann, ben] {
      try await pages.board(of: id) { $0.shifts[0].workerID == ann.userID }
      #expect(await pages.get(address).text.contains("Approved: ann"))
    }
    // The same form again: it is decided.
    #expect(await ann.post(address, approval).status == .unprocessableContent)
    await end()
  }

  @Test func `One member is asked to take over a shift, and declines`() async throws {
    let shift = try await publish(for: ben)
    let form: Fields = ["action": "offer", "shift": shift.id, "member": "\(ann.userID)"]
    #expect(await ben.post(address, form).status == .seeOther)
    let swap = try await ann.board(of: id) { !$0.swaps.isEmpty }.swaps[0]
    #expect(swap.offer.askedID == ann.userID)
    #expect(try await ann.get(address).region("board").contains("Offer: ben → ann"))
    let answer: Fields = ["action": "declined", "swap": "\(swap.id)"]
    #expect(await ann.post(address, answer).status == .seeOther)
    try await ben.board(of: id) { $0.swaps[0].state == .declined }
    #expect(await ben.get(address).text.contains("Declined"))
    await end()
  }

  @Test(arguments: [("withdrawn", "Taken back"), ("refuse", "Declined")])
  func `An offer is taken back by its author, and refused by an owner`(
    _ action: String, _ state: String
  ) async throws {
    let swap = try await offer()
    let pages = action == "refuse" ? ann : ben
    let form: Fields = ["action": action, "swap": "\(swap.id)"]
    #expect(await pages.post(address, form).status == .seeOther)
    try await ann.board(of: id) { !$0.swaps[0].isOpen }
    #expect(await ann.get(address).text.contains(state))
    await end()
  }

  @Test func `A viewer has no buttons, and is refused`() async throws {
    let cleo = try await ShiftPages(of: "cleo", on: server, sample: false)
    try await ann.admit(cleo, to: id, as: "viewer")
    let swap = try await offer()
    try await cleo.board(of: id) { !$0.swaps.isEmpty }
    let page = await cleo.get(address)
    #expect(page.text.contains("You may look at this, not change it."))
    #expect(try !page.region("board").contains("<button"))
    let response = await cleo.post(address, ["action": "accepted", "swap": "\(swap.id)"])
    #expect(response.status == .unprocessableContent)
    await cleo.app.frame.sync.stop()
    await end()
  }

  @Test func `What a form names has to be in the team and the month`() async throws {
    let swap = try await offer()
    let other = "/teams/\(id)/2027-07"
    let foreign: [(String, Fields)] = [
      (other, ["action": "refuse", "swap": "\(swap.id)"]),
      (other, ["action": "unpublish", "shift": swap.shift.id]),
      (address, ["action": "refuse", "swap": "\(UUID())"]),
      (address, ["action": "publish", "own.\(UUID())": "on"]),
      (address, ["action": "offer", "shift": "none"]),
      (address, ["action": "assign", "shift": "none", "member": "\(ben.userID)"]),
    ]
    for (address, form) in foreign {
      #expect(await ann.post(address, form).status == .notFound, "\(form)")
    }
    let unknown: [Fields] = [
      ["action": "approve", "swap": "\(swap.id)", "taker": "ben"],
      ["action": "assign", "shift": swap.shift.id, "member": "ben"],
      ["action": "none", "shift": swap.shift.id], ["action": "none", "swap": "\(swap.id)"],
    ]
    for form in unknown {
      #expect(await ann.post(address, form).status == .badRequest, "\(form)")
    }
    #expect(try await ann.board(of: id).swaps[0].state == .offered)
    await end()
  }
}

extension ShiftPages {
  var userID: UUID { app.frame.sync.session.userID }

  /// Opens the app of a new account.
  fileprivate convenience init(
    of name: String, on server: LoopbackServer, sample: Bool = true
  ) async throws {
    try await self.init(server: server.url, sample: sample)
    try await app.frame.sync.signUp(name: name, password: "correct horse")
    while app.engine != .database { await Task.yield() }
  }

  private var teams: TeamsClient { TeamsClient(app.storage.database) }

  /// Waits until the teams of the user meet a condition.
  @discardableResult
  fileprivate func list(until isMet: (TeamList) -> Bool = { _ in true }) async throws -> TeamList {
    for try await list in try teams.observeTeams() where isMet(list) { return list }
    throw CancellationError()
  }

  /// Waits until the shifts of a team in June 2027 meet a condition.
  @discardableResult
  fileprivate func board(
    of team: UUID, until isMet: (TeamBoard) -> Bool = { _ in true }
  ) async throws -> TeamBoard {
    let month = CalendarMonth(containing: try day("2027-06-01"))
    for try await board in try teams.observeBoard(team, month) where isMet(board) { return board }
    throw CancellationError()
  }

  /// Lets an account into a team by a code, and waits until both know it.
  fileprivate func admit(_ other: ShiftPages, to team: UUID, as role: String) async throws {
    let page = await post(
      SharedKind.team.membersAddress(of: team), ["role": role, "action": "invite"])
    let code = try #require(page.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/)).1
    let response = await other.post(
      SharedKind.team.joinAddress, ["code": String(code), "action": "join"])
    #expect(response.location == "/teams/\(team)")
    for pages in [self, other] {
      try await pages.board(of: team) { $0.members[other.userID] != nil }
    }
    try await other.list { $0.roles[team] != nil }
  }
}
