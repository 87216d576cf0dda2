import OffshorePresentation
import OffshoreSync
import Testing

/// What is told of why a server does not let somebody in.
struct AccountErrorsTests {
  @Test(
    arguments: [
      (.weakPassword, 422, .validation(.wrongLength(field: "password", range: 8...256))),
      (.limitReached, 409, .content(.limitReached)), (.notFound, 404, .content(.notFound)),
      (.unavailable, 503, .network(.server(statusCode: 503))),
      (.server, 502, .network(.server(statusCode: 502))),
      (.init(rawValue: "somethingNew"), 418, .network(.server(statusCode: 418))),
    ] as [(AccountClient.Failure.Code, Int, AppError)])
  func `Each reason has an error of its own, and what is unknown its status`(
    _ code: AccountClient.Failure.Code, _ status: Int, _ error: AppError
  ) {
    #expect(AccountClient.Failure(code, "", status: status).asAppError == error)
  }
}
