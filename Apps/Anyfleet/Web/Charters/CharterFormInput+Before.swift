import Anyfleet
import OffshoreHTTP
import OffshoreWeb

/// What a form began with, which it sends along in hidden fields.
///
/// A page can be older than what is stored: it was opened before somebody else saved, and nothing
/// but the page itself remembers from when it is. What it did not change is left as it is stored.
extension CharterFormInput {
  private static let before = "before-"

  /// The fields as hidden ones, by which a form says what it began with.
  @HTMLBuilder var asBefore: HTML {
    for (name, path) in Self.texts { HiddenValue(Self.before + name, self[keyPath: path]) }
    for member in crew {
      HiddenValue(Self.before + "crewName", member.name)
      HiddenValue(Self.before + "crewRole", member.role)
    }
  }

  /// Takes what a form that was sent had begun with.
  /// - Throws: `HTTPError` where the form does not say it, as none of this app does.
  init(before fields: Fields) throws {
    for (name, _) in Self.texts where fields[Self.before + name] == nil {
      throw HTTPError(.badRequest, "The form has no field \(Self.before + name).")
    }
    let members = ["crewName", "crewRole"].map { fields.all(Self.before + $0).count }
    guard members[0] == members[1] else {
      throw HTTPError(.badRequest, "The form has not one role for each name it began with.")
    }
    self.init(fields, named: Self.before)
  }
}
