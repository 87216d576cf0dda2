public import Observation
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// A part of a page that receives files, such as a backup to restore, and reports the result.
///
/// ```swift
/// let restore = UploadForm("restore", field: .backupFile, button: .restore) { files in
///   try await backup.restore(files[0].bytes)
///   return [.wasRestored]
/// }
/// restore.html(to: tab.address, say)  // in a region of the page
/// if let outcome = await restore.perform(form) { return outcome }
/// ```
@MainActor public final class UploadForm: Observable {
  /// The reason why files are refused, as a sentence beside their field.
  public struct Refusal: Error {
    let sentence: LocalizedText

    /// Creates a refusal.
    public init(_ sentence: LocalizedText) { self.sentence = sentence }
  }

  private let name: String
  private let field: LocalizedText
  private let button: LocalizedText
  private let types: [String]
  private let allowsSeveral: Bool
  private let limit: Int
  private let receive: @MainActor ([FormData.File]) async throws -> [LocalizedText]
  @Observed private var results: [LocalizedText] = []
  @Observed private var problem: LocalizedText?

  /// Creates the part.
  ///
  /// - Parameters:
  ///   - name: the name of the field, and the action of the form.
  ///   - field: the label of the field.
  ///   - button: the title of the button.
  ///   - types: the files that the browser offers; see `FileField`.
  ///   - allowsSeveral: whether several files can be chosen.
  ///   - limit: the maximum number of bytes of all files together. `PageRoute.formLimit` has to be larger.
  ///   - receive: receives the files, of which there is at least one, and returns sentences about the result. It
  ///     throws ``Refusal``, or an error to be shown beside the field.
  public init(
    _ name: String, field: LocalizedText, button: LocalizedText, accepting types: [String] = [],
    allowsSeveral: Bool = false, limit: Int = 24 << 20,
    receive: @escaping @MainActor ([FormData.File]) async throws -> [LocalizedText]
  ) {
    self.name = name
    self.field = field
    self.button = button
    self.types = types
    self.allowsSeveral = allowsSeveral
    self.limit = limit
    self.receive = receive
  }

  /// Returns the part: the result of the last files, the field, and the button.
  /// - Parameter address: the page's own address.
  @HTMLBuilder public func html(to address: String, _ say: Localizer) -> HTML {
    if !results.isEmpty {
      div(.class("notices"), .id("\(name)-result"), .role(.status)) {
        for result in results { p { say(result) } }
      }
    }
    PostForm(to: address, id: "\(name)-form", isRepeatable: false, carriesFiles: true) {
      FileField(
        say(field), name: name, accepting: types, allowsSeveral: allowsSeveral,
        error: problem.map { say($0) }, limit: (limit, say(tooLarge)),
        isRequired: true)
      SubmitButton(say(button), style: .plain, action: name)
    }
  }

  private var tooLarge: LocalizedText {
    allowsSeveral ? .filesTooLarge(limit) : .fileTooLarge(limit)
  }

  /// Receives the files of a form.
  /// - Returns: the outcome, or `nil` if the form is not that of the part.
  public func perform(_ form: PageForm) async -> Outcome? {
    guard form.action == name else { return nil }
    let files = form.files(name)
    (results, problem) = ([], nil)
    if files.isEmpty { problem = .chooseFile }
    if files.reduce(0, { $0 + $1.bytes.count }) > limit { problem = tooLarge }
    guard problem == nil else { return .invalid }
    do {
      results = try await receive(files)
      return .drafted
    } catch {
      problem = (error as? Refusal)?.sentence ?? AppError(saving: error).localizedMessage
      return .invalid
    }
  }
}

extension LocalizedText {
  fileprivate static let chooseFile = LocalizedText(en: "Choose a file.", ru: "Выберите файл.")

  fileprivate static func fileTooLarge(_ limit: Int) -> LocalizedText {
    let size = LocalizedText.byteCount(limit)
    return LocalizedText(
      en: "A file may have at most \(size).", ru: "Файл может быть не больше \(size).")
  }

  fileprivate static func filesTooLarge(_ limit: Int) -> LocalizedText {
    let size = LocalizedText.byteCount(limit)
    return LocalizedText(
      en: "All files together may have at most \(size).",
      ru: "Все файлы вместе могут быть не больше \(size).")
  }
}
