import Offshore

extension DatabaseError {
  /// Whether a row was refused because it refers to a row that does not exist (yet).
  var isDangling: Bool { resultCode == 787 }  // SQLITE_CONSTRAINT_FOREIGNKEY

  /// Whether a row was refused because of its values, rather than by a failure of the database.
  var isRefusal: Bool { code == .constraint || code == .invalidValue }
}
