import OffshorePresentation
import OffshoreSync
import Testing

/// The errors for refused sign-ins and sign-ups.
struct AccountErrorsTests {
  @Test(
    arguments: [
      (.weakPassword, 422, .validation(.wrongLength(field: "password", range: 8...256))),
      (.limitReached, 409, .content(.limitReached)), (.notFound, 404, .content(.notFound)),
      (.gone, 410, .content(.notFound)), (.exists, 409, .sync(.conflict)),
      (.signUpClosed, 403, .auth(.signUpClosed)), (.malformed, 200, .content(.unreadable)),
      (.unavailable, 503, .network(.server(statusCode: 503))),
      (.server, 502, .network(.server(statusCode: 502))),
      (.init(rawValue: "somethingNew"), 418, .network(.server(statusCode: 418))),
    ] as [(AccountClient.Failure.Code, Int, AppError)])
  func `Each reason has its own error, and an unknown reason that of its status`(
    _ code: AccountClient.Failure.Code, _ status: Int, _ error: AppError
  ) {
    #expect(AccountClient.Failure(code, "", status: status).asAppError == error)
  }

  @Test func `The waiting time that a server asks for is reported`() {
    let failure = AccountClient.Failure(.tooManyRequests, "", status: 429, retryAfter: 42)
    #expect(failure.asAppError == .network(.rateLimited(retryAfter: 42)))
    let silent = AccountClient.Failure(.tooManyRequests, "", status: 429)
    #expect(silent.asAppError == .network(.rateLimited(retryAfter: nil)))
  }
}
