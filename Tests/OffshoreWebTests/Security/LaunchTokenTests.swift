import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct LaunchTokenTests {
  private func router(_ token: LaunchToken) -> Router {
    var router = Router(middleware: [token.middleware])
    router.get("") { _ in .text("page") }
    router.get("charters") { _ in .text("charters") }
    router.post("") { _ in .text("done") }
    return router
  }

  private func respond(
    _ token: LaunchToken, _ target: String, _ method: Request.Method = .get, cookie: String? = nil,
    header: String? = nil
  ) async -> Response {
    var request = Request(method, target)
    request.headers["Cookie"] = cookie
    request.headers["Offshore-Token"] = header
    return await router(token).respond(to: request)
  }

  private let token = LaunchToken(device: "phone 1", secret: "s3cret", session: "now")
  private let setCookie = "offshore-phone-1=now; Path=/; HttpOnly; SameSite=Strict"

  @Test func `The address with the token sets the cookie and redirects without the token`() async {
    let response = await respond(token, token.address("/charters") + "&sort=name&x=%26")
    #expect(response.status == .seeOther)
    #expect(
      response.headers["Location"] == "/charters?sort=name&x=%26#token=s3cret",
      "browsers send a fragment nowhere")
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(response.headers["Set-Cookie"] == setCookie)
  }

  @Test func `With the cookie every request is answered`() async {
    #expect(await respond(token, "/", cookie: "a=b; offshore-phone-1=now").text == "page")
    let posted = await respond(token, "/", .post, cookie: "offshore-phone-1=now")
    #expect(posted.text == "done" && posted.headers["Set-Cookie"] == nil)
  }

  @Test(arguments: [
    nil, "", "offshore-phone-1=", "offshore-phone-1=no", "offshore-phone-1=nowx",
    "offshore-phone-1=Now", "offshore-phone-2=now", "now", "offshore-phone-1",
    "offshore-phone-1=s3cret",
  ]) func `Without the right cookie no request is answered`(cookie: String?) async {
    for target in ["/", "/charters", "/unknown"] {
      let response = await respond(token, target, cookie: cookie)
      #expect(response.status == .unauthorized)
      #expect(response.headers["Set-Cookie"] == nil)
      #expect(response.headers["WWW-Authenticate"] == "Offshore-Token")
    }
    #expect(await respond(token, "/", .post, cookie: cookie).status == .unauthorized)
  }

  @Test func `A route with a secret of its own is answered without the cookie, to be read`() async {
    var router = Router(middleware: [token.middleware])
    router.get("feed/:\(SecretRoute.parameter)") { _ in .text("feed") }
    router.post("feed/:\(SecretRoute.parameter)") { _ in .text("posted") }
    router.get("other/:secret") { _ in .text("other") }
    router.get("feed/:\(SecretRoute.parameter)/more") { _ in .text("more") }
    #expect(await router.respond(to: Request(.get, "/feed/x")).text == "feed")
    #expect(await router.respond(to: Request(.head, "/feed/x")).status == .ok)
    #expect(await router.respond(to: Request(.get, "/feed/x")).headers["Set-Cookie"] == nil)
    #expect(await router.respond(to: Request(.post, "/feed/x")).status == .unauthorized)
    for path in ["/other/x", "/feed/x/more", "/feed", "/\(SecretRoute.parameter)"] {
      #expect(await router.respond(to: Request(.get, path)).status == .unauthorized)
    }
  }

  @Test
  func `A cookie opens nothing after a restart, and the script gets the next one by the token`()
    async throws
  {
    let tokens = (0..<2).map { _ in LaunchToken(device: "8080", secret: "s3cret") }
    var cookies: [String] = []
    for token in tokens {
      let response = await respond(token, token.address())
      let header = try #require(response.headers["Set-Cookie"])
      cookies.append(String(header.prefix { $0 != ";" }))
    }
    #expect(cookies.count == 2 && Set(cookies).count == 2)
    #expect(cookies.allSatisfy { !$0.contains("s3cret") })
    #expect(await respond(tokens[0], "/", cookie: cookies[0]).status == .ok)
    #expect(await respond(tokens[1], "/", cookie: cookies[0]).status == .unauthorized)
    for method in [Request.Method.get, .post] {
      let response = await respond(
        tokens[1], "/", method, cookie: cookies[0], header: "s3cret")
      #expect(response.status == .ok)
      #expect(response.headers["Set-Cookie"]?.hasPrefix(cookies[1]) == true)
    }
    for header in ["", "s3cre", "S3cret", cookies[1]] {
      let response = await respond(tokens[1], "/", cookie: cookies[0], header: header)
      #expect(response.status == .unauthorized && response.headers["Set-Cookie"] == nil)
    }
  }

  @Test @MainActor
  func `Only the files that every page needs are public`() async {
    var router = Router(middleware: Middleware.deviceSecurity(token: token))
    router.addLivePages(TabRegistry(clock: ManualClock()))
    func status(_ target: String, _ method: Request.Method = .get) async -> Response.Status {
      var request = Request(method, target)
      request.headers["Host"] = "localhost"
      request.headers["Sec-Fetch-Site"] = "same-origin"
      return await router.respond(to: request).status
    }
    for address in [WebAsset.look.address, WebAsset.live.address] {
      #expect(await status(address) == .ok)
      #expect(await status(address, .post) == .unauthorized)
      #expect(await status(address + "/") == .unauthorized)
      #expect(await router.respond(to: Request(.get, address)).status == .forbidden)
    }
    for other in ["/assets/look.css", "/assets/icons/x.svg", "/assets/", "/live/x", "/favicon.ico"]
    {
      #expect(await status(other) == .unauthorized)
    }
  }

  @Test func `A wrong token in the address is refused, and one in a form is ignored`()
    async
  {
    for target in ["/?token=", "/?token=s3cre", "/?token=wrong&token=s3cret", "/?Token=s3cret"] {
      #expect(await respond(token, target).status == .unauthorized)
    }
    #expect(await respond(token, token.address(), .post).status == .unauthorized)
  }

  @Test(arguments: ["//evil.example/", "///evil.example", "/\\evil.example", "/\\/evil.example"])
  func `The token never redirects to another host`(path: String) async throws {
    let location = try #require(await respond(token, token.address(path)).headers["Location"])
    #expect(location.hasPrefix("/evil"))
  }

  @Test
  func `Devices on one host have separate cookies, and every start has a new secret`()
    async
  {
    let other = LaunchToken(device: "8081", secret: "s3cret", session: "now")
    #expect(await respond(other, "/", cookie: "offshore-phone-1=now").status == .unauthorized)
    let secrets = Set((0..<100).map { _ in LaunchToken.randomSecret() })
    #expect(secrets.count == 100)
    #expect(secrets.allSatisfy { $0.count > 24 })
  }

  @Test func `A secret with special characters survives address and cookie`() async {
    let token = LaunchToken(device: "ü/;", secret: "a&b=c;d é%", session: "e&f=g;h é%")
    let response = await respond(token, token.address())
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/#token=a%26b%3Dc%3Bd%20%C3%A9%25")
    let cookie = response.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    #expect(await respond(token, "/", cookie: cookie).status == .ok)
  }
}
