import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// The texts of a draft in a posted form.
struct DraftForm {
  private let values: [String: [String]]

  init(_ form: PageForm) {
    values = Dictionary(grouping: form.fields.items, by: \.name).mapValues { items in
      items.map { $0.value.replacing("\r\n", with: "\n") }
    }
  }

  /// The digests of the form's original texts.
  var origins: [String: String] {
    var origins: [String: String] = [:]
    for (name, texts) in values where name.hasPrefix(Self.origin) {
      origins[String(name.dropFirst(Self.origin.count))] = texts.first
    }
    return origins
  }

  /// Returns the texts of fields and of their rows. Fields that the form does not have are left
  /// out.
  /// - Throws: `HTTPError` with 400 if the ids of rows are not unique or not valid.
  func texts(
    of controls: [DraftControl], at path: String = ""
  ) throws(HTTPError) -> [String: String] {
    var texts: [String: String] = [:]
    for control in controls where has(control, at: path) {
      let name = path + control.name
      if case .choices = control.kind {
        texts[control.name] = chosen(of: name)
        continue
      }
      guard case .rows(let declared) = control.kind else {
        texts[control.name] = values[name]?.first ?? ""
        continue
      }
      var rows: [DraftRow] = []
      for id in values[name] ?? [] {
        guard declared.isID(id), !rows.contains(where: { $0.id == id }) else {
          throw HTTPError(.badRequest, "The rows of the field \(name) need ids of their own.")
        }
        rows.append(
          DraftRow(id: id, texts: try self.texts(of: declared.controls, at: "\(name).\(id).")))
      }
      texts[control.name] = rows.text
    }
    return texts
  }

  /// Returns whether the form has a field. A page that was opened in an earlier version of the app
  /// may lack some.
  private func has(_ control: DraftControl, at path: String) -> Bool {
    let name = path + control.name
    if values[name] != nil || values[Self.origin + name] != nil { return true }
    switch control.kind {
    case .line, .text, .number, .amount, .day, .time, .color, .choice, .item: return false
    // Unchecked boxes and empty lists of rows are not part of a request.
    case .check, .choices, .rows: return !path.isEmpty || origins.isEmpty
    }
  }

  /// Returns the values whose boxes are checked, one per line.
  private func chosen(of name: String) -> String {
    values.filter { $0.key.hasPrefix(name + ".") && $0.value.contains("on") }
      .map { String($0.key.dropFirst(name.count + 1)) }.sorted().joined(separator: "\n")
  }

  /// Returns the digests of a draft as hidden fields.
  @MainActor @HTMLBuilder static func origins<Entry>(of draft: Draft<Entry>) -> HTML {
    for (path, digest) in draft.origins.sorted(by: { $0.key < $1.key }) {
      HiddenValue(origin + path, digest)
    }
  }

  /// Returns the fields of a form with the digests of its original texts added.
  static func adding(_ originals: [String: String], to fields: Fields) -> Fields {
    var fields = fields
    for (name, text) in originals {
      let digest: Fields = [origin + name: text.draftDigest]
      fields.items += digest.items
    }
    return fields
  }

  private static let origin = "origin."
}
