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
    _ token: LaunchToken, _ target: String, _ method: Request.Method = .get, cookie: String? = nil
  ) async -> Response {
    var request = Request(method, target)
    request.headers["Cookie"] = cookie
    return await router(token).respond(to: request)
  }

  private let token = LaunchToken(device: "phone 1", secret: "s3cret")

  @Test func `The address with the token sets the cookie and redirects without the token`() async {
    let response = await respond(token, token.address("/charters") + "&sort=name&x=%26")
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/charters?sort=name&x=%26")
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(
      response.headers["Set-Cookie"]
        == "offshore-phone-1=s3cret; Path=/; HttpOnly; SameSite=Strict")
  }

  @Test func `With the cookie every request is answered`() async {
    #expect(await respond(token, "/", cookie: "a=b; offshore-phone-1=s3cret").text == "page")
    #expect(await respond(token, "/", .post, cookie: "offshore-phone-1=s3cret").text == "done")
  }

  @Test(arguments: [
    nil, "", "offshore-phone-1=", "offshore-phone-1=s3cre", "offshore-phone-1=s3cretx",
    "offshore-phone-1=S3cret", "offshore-phone-2=s3cret", "s3cret", "offshore-phone-1",
  ]) func `Without the right cookie no request is answered`(cookie: String?) async {
    for target in ["/", "/charters", "/unknown"] {
      let response = await respond(token, target, cookie: cookie)
      #expect(response.status == .unauthorized)
      #expect(response.headers["Set-Cookie"] == nil)
    }
    #expect(await respond(token, "/", .post, cookie: cookie).status == .unauthorized)
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
    let other = LaunchToken(device: "8081", secret: "s3cret")
    #expect(await respond(other, "/", cookie: "offshore-phone-1=s3cret").status == .unauthorized)
    let secrets = Set((0..<100).map { _ in LaunchToken.randomSecret() })
    #expect(secrets.count == 100)
    #expect(secrets.allSatisfy { $0.count > 24 })
  }

  @Test func `A cookie with a former name of the device is accepted`() async {
    let renamed = LaunchToken(device: "new", formerDevices: ["phone 1"], secret: "s3cret")
    for (cookie, status) in [
      ("offshore-new=s3cret", Response.Status.ok), ("offshore-phone-1=s3cret", .ok),
      ("offshore-new=old; offshore-phone-1=s3cret", .ok), ("offshore-phone-1=x", .unauthorized),
      ("offshore-phone-2=s3cret", .unauthorized),
    ] {
      #expect(await respond(renamed, "/", cookie: cookie).status == status, "\(cookie)")
    }
  }

  @Test func `A secret with special characters survives address and cookie`() async {
    let token = LaunchToken(device: "ü/;", secret: "a&b=c;d é%")
    let response = await respond(token, token.address())
    #expect(response.status == .seeOther)
    let cookie = response.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    #expect(await respond(token, "/", cookie: cookie).status == .ok)
  }
}
