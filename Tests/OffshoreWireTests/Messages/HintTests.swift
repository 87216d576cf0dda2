import Testing

@testable import OffshoreWire

struct HintTests {
  @Test func `A hint is a number, a space and a scope`() throws {
    let hint = Hint(try ScopeID("charter/7"), head: 57)
    #expect(hint.text == "57 charter/7")
    #expect(try Hint("57 charter/7") == hint)
  }

  @Test(arguments: [
    "", "57", "57 ", " charter/7", "57 charter", "57  charter/7", "-1 charter/7", "+57 charter/7",
    "057 charter/7", "9223372036854775808 charter/7", "x charter/7", "57 charter/7 ",
    "57\ncharter/7",
  ])
  func `A malformed hint is refused`(text: String) throws {
    try expect(.malformed) { _ = try Hint(text) }
  }
}

struct WireProblemTests {
  @Test func `Each problem has the HTTP status that clients act on`() {
    let codes: [WireProblem.Code] = [
      .malformed, .unauthorized, .forbidden, .tooLarge, .upgradeRequired, .tooManyRequests,
      .internalError, .unavailable, .init(rawValue: "newer"),
    ]
    #expect(codes.map(\.status) == [400, 401, 403, 413, 426, 429, 500, 503, 500])
  }

  @Test func `A decoding error becomes a problem with the same message`() {
    #expect(WireProblem(WireError(.tooLarge, "No.")) == WireProblem(.tooLarge, "No."))
    #expect(WireProblem(WireError(.truncated, "No.")).code == .malformed)
    #expect(WireProblem(WireError(.malformed, "No.", offset: 3)).message == "No.")
  }

  @Test func `A problem has the versions that the server supports`() throws {
    #expect(WireProblem(.upgradeRequired, "Update.").versions == 1...1)
    var body = WireProblem(.malformed, "", versions: 1...2).body
    body[body.count - 2] = 0
    try expect(.malformed) { _ = try WireProblem(body: body) }
  }
}

struct GrantTests {
  @Test func `A revoked or former member can neither read nor write`() {
    let roles: [Role] = [.owner, .editor, .viewer, .revoked, .left]
    #expect(roles.map(\.canRead) == [true, true, true, false, false])
    #expect(roles.map(\.canWrite) == [true, true, false, false, false])
  }
}
