import Offshore

extension DatabaseError {
  /// Whether a row was refused because it refers to one that is not there (yet).
  var isDangling: Bool { resultCode == 787 }  // SQLITE_CONSTRAINT_FOREIGNKEY

  /// Whether a row was refused, and nothing else is wrong.
  var isRefusal: Bool { code == .constraint || code == .invalidValue }
}
