/// A labelled field to choose files with, with a hint and an error.
///
/// ```swift
/// PostForm(to: "/photos", carriesFiles: true) {
///   FileField("Photo", name: "photo", accepting: ["image/*"])
///   SubmitButton("Add")
/// }
/// ```
///
/// The browser shows the names of the chosen files. They remain chosen while the script shows an
/// error of the form. Without the script, the user chooses them again: no page can fill in the
/// field.
public struct FileField: Component {
  private let frame: FieldFrame
  private let name: String
  private let types: [String]
  private let allowsSeveral: Bool
  private let isRequired: Bool
  private let limit: (byteCount: Int, sentence: String)?

  /// Creates a field of a ``PostForm`` that carries files.
  /// - Parameters:
  ///   - title: the label.
  ///   - name: the name under which the files are sent.
  ///   - types: the files that the browser offers: media types such as `application/pdf` or
  ///     `image/*`, and endings such as `.csv`; empty for any. The user can choose others, so the
  ///     app checks the content.
  ///   - allowsSeveral: whether several files can be chosen.
  ///   - hint: a text that helps to choose, such as the maximum size.
  ///   - error: the reason why the files are not valid.
  ///   - limit: the maximum number of bytes of all files together, and the error of larger ones. The script shows
  ///     it before it sends anything, so that the form stays as it is. The app has to check the size, too, and to
  ///     accept somewhat larger forms, for browsers without the script.
  ///   - isRequired: whether a file must be chosen. Screen readers announce it; the app validates
  ///     it.
  ///   - id: the id of the control, by default `field-` and the name. It is needed if another field
  ///     of the page has the same name.
  public init(
    _ title: String, name: String, accepting types: [String] = [], allowsSeveral: Bool = false,
    hint: String? = nil, error: String? = nil, limit: (byteCount: Int, sentence: String)? = nil,
    isRequired: Bool = false, id: String? = nil
  ) {
    self.limit = limit
    frame = FieldFrame(id: id ?? "field-\(name)", title: title, hint: hint, error: error)
    self.name = name
    self.types = types
    self.allowsSeveral = allowsSeveral
    self.isRequired = isRequired
  }

  /// The label, the control, the hint, and the error.
  public var html: HTML {
    frame.html {
      input(
        .file(), frame.identifier(), .name(name), .accept(types), .multiple(allowsSeveral),
        .required(isRequired), frame.described(), frame.invalid(),
        limit.map { .data("limit", "\($0.byteCount)") } ?? .none,
        limit.map { .data("too-large", $0.sentence) } ?? .none)
    }
  }
}
