import Anyfleet
import Foundation

extension Address {
  /// The page on which a charter is changed.
  static func editCharter(_ id: UUID) -> String { "\(charter(id))/edit" }

  /// The page of a charter to be printed.
  static func report(_ id: UUID) -> String { "\(charter(id))/report" }

  /// Where it is posted that a charter is to be deleted.
  static func deleteCharter(_ id: UUID) -> String { "\(charter(id))/delete" }

  /// Where it is posted that the copy of a charter is to go which one has left.
  static func removeCopy(of id: UUID) -> String { "\(charter(id))/remove-copy" }

  /// Where it is posted that a charter is to be put back.
  static func restoreCharter(_ id: UUID) -> String { "\(charter(id))/restore" }

  /// Where it is posted that a deleted charter need not be offered any more.
  static func dismissDeleted(_ id: UUID) -> String { "\(charter(id))/dismiss" }

  /// Where it is posted whether a charter is the active one.
  static func activateCharter(_ id: UUID) -> String { "\(charter(id))/active" }

  /// Where it is posted whether a charter is archived.
  static func archiveCharter(_ id: UUID) -> String { "\(charter(id))/archived" }

  /// Where it is posted which checklists a charter is to have besides.
  static func assigned(_ charter: UUID) -> String { "\(self.charter(charter))/assigned" }

  /// Where changes of one of a charter's checklists are posted.
  static func assigned(_ id: UUID, to charter: UUID, _ change: AssignmentChange) -> String {
    "\(assigned(charter))/\(id.uuidString)/\(change.rawValue)"
  }
}

/// What can be done to a checklist of a charter.
enum AssignmentChange: String {
  case remove, move, reset, restore
  case checkIn = "check-in"
  /// That what was reset need not be brought back.
  case dismiss
}

/// What the list of charters is asked to show, as its address says it.
struct CharterListQuery: Equatable {
  var filter = CharterListFilter.all
  var search = ""
  var pageCount = 1
  /// The charter after which the list begins, or `nil` for all of it.
  var start: UUID?

  /// The address that shows it.
  var address: String { address(at: Address.charters) }

  /// Where it is posted that the server is to be asked what is new.
  var refreshAddress: String { address(at: "\(Address.charters)/refresh") }

  private func address(at path: String) -> String {
    var address = URLComponents()
    address.path = path
    address.queryItems = [
      filter == .all ? nil : URLQueryItem(name: "filter", value: filter.rawValue),
      search.isEmpty ? nil : URLQueryItem(name: "q", value: search),
      start.map { URLQueryItem(name: "after", value: $0.uuidString) },
      pageCount == 1 ? nil : URLQueryItem(name: "pages", value: "\(pageCount)"),
    ].compactMap(\.self)
    // A form's way of writing has another meaning for `+` than an address has.
    let query = address.percentEncodedQuery?.replacing("+", with: "%2B") ?? ""
    return query.isEmpty ? path : "\(path)?\(query)"
  }
}
