import OffshoreHTTP
import OffshoreWire

/// The reason why a row or a blob cannot be read or changed.
struct ResourceError: Error, Hashable {
  /// The kind of the error, for programs.
  let code: String
  /// The status of the response.
  let status: Response.Status
  /// The problem and its remedy, in one or two sentences.
  let message: String
  /// The column or parameter concerned.
  let field: String?
  /// The tag of the current version, if that is not the expected one.
  var entityTag: EntityTag?
  /// The number of bytes of a blob that have arrived.
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

  /// Creates an error from the rejection of a batch that contains a change of a single row.
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

  /// Returns the error with a column of a table as its place, with which the message begins.
  func about(_ column: String, of table: String) -> ResourceError {
    var error = ResourceError(
      status, code, "“\(table).\(column)”: \(message)", field: column, entityTag: entityTag)
    error.uploadOffset = uploadOffset
    return error
  }

  static func malformed(_ message: String, field: String? = nil) -> ResourceError {
    ResourceError(.badRequest, "malformed", message, field: field)
  }

  static func invalid(_ message: String, field: String) -> ResourceError {
    ResourceError(.unprocessableContent, "invalidValue", message, field: field)
  }

  /// NB: The same error for resources that do not exist and resources that may not be read.
  static let notFound = ResourceError(
    .notFound, "notFound", "There is nothing here that you may read. Check the address.")

  static func wrongOffset(_ received: Int) -> ResourceError {
    var error = ResourceError(
      .conflict, "wrongOffset", "\(received) bytes have arrived. Send the bytes after them.")
    error.uploadOffset = received
    return error
  }

  static let gone = ResourceError(
    .gone, "gone", "The row was deleted. POST or PUT inserts it again.")

  static let forbidden = ResourceError(
    .forbidden, "forbidden", "You may not write here. Ask the owner to let you.")
}
