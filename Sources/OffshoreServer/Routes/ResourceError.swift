import OffshoreHTTP
import OffshoreWire

/// Why a row or a blob cannot be had or changed.
struct ResourceError: Error, Hashable {
  /// The kind of reason, which programs go by.
  let code: String
  /// The status of the answer.
  let status: Response.Status
  /// What is wrong and what to do, in a sentence or two.
  let message: String
  /// The column concerned.
  let field: String?
  /// The validator of what is there instead of what was expected.
  var entityTag: EntityTag?
  /// How many bytes of a blob have arrived.
  var uploadOffset: Int?

  init(
    _ status: Response.Status, _ code: String, _ message: String, field: String? = nil,
    entityTag: EntityTag? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.field = field
    self.entityTag = entityTag
  }

  /// The refusal of a batch, told to who has written a single row.
  init(_ rejection: Rejection) {
    let status: Response.Status =
      switch rejection.code {
      case .forbidden: .forbidden
      case .tooLarge: .contentTooLarge
      case .gone: .gone
      case .dependency: .conflict
      default: .unprocessableContent
      }
    self.init(status, rejection.code.rawValue, rejection.message, field: rejection.field)
  }

  static func malformed(_ message: String, field: String? = nil) -> ResourceError {
    ResourceError(.badRequest, "malformed", message, field: field)
  }

  static func invalid(_ message: String, field: String) -> ResourceError {
    ResourceError(.unprocessableContent, "invalidValue", message, field: field)
  }

  /// NB: The same for what is not there and for what may not be read.
  static let notFound = ResourceError(
    .notFound, "notFound", "There is nothing here that you may read. Check the address.")

  static func wrongOffset(_ received: Int) -> ResourceError {
    var error = ResourceError(
      .conflict, "wrongOffset", "\(received) bytes have arrived. Send what comes after them.")
    error.uploadOffset = received
    return error
  }

  static let gone = ResourceError(.gone, "gone", "The row was deleted. POST inserts it again.")

  static let forbidden = ResourceError(
    .forbidden, "forbidden", "You may not write here. Ask the owner to let you.")
}
