import Offshore
import OffshoreHTTP
import OffshoreServer
import OffshoreWire

extension ToolError {
  /// Creates the error that the tool prints for an error of the modules.
  init(_ error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as HTTPServerError where error.code == .certificateInvalid:
      self.init(error.message)
    case let error as HTTPServerError: self.init("\(error.message) Say where by --listen.")
    case let error as WireError:
      self.init("The manifest cannot be used. \(error.message)\(Self.place(error))")
    case let error as AccountError: self.init(error.message)
    case let error as DatabaseError: self.init(error.message)
    default: self.init("\(error)")
    }
  }

  private static func place(_ error: WireError) -> String {
    error.place.map { " (\($0))" } ?? ""
  }
}
