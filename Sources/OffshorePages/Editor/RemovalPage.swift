public import Observation
import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// A page on which an entry is deleted. If other entries use it, the user chooses whether they are deleted or changed.
@MainActor public final class RemovalPage: RoutedPage, Observable {
  /// An entry with the entries that use it.
  public struct Subject: Sendable {
    /// The title of the entry.
    public let title: String
    let question: LocalizedText?
    let choices: [DraftChoice]

    /// Creates a subject.
    /// - Parameters:
    ///   - title: the title of the entry.
    ///   - question: the question about the entries that use it, such as “3 shifts are of this type. What
    ///     happens to them?”; `nil` if there are none.
    ///   - choices: the answers.
    public init(_ title: String, question: LocalizedText? = nil, choices: [DraftChoice] = []) {
      self.title = title
      self.question = question
      self.choices = choices
    }
  }

  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: PageLink
  private let fetch: @MainActor () async throws -> Subject?
  private let remove: @MainActor (_ choice: String?) async throws -> Void
  @Observed private var subject: Subject?
  @Observed private var choice = ""
  @Observed private var isChoiceMissing = false
  @Observed private var error: AppError?

  /// Creates a page.
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the link back, to which the page leads after the removal.
  ///   - fetch: returns the entry, or `nil` if it does not exist.
  ///   - remove: removes the entry, with the value of the choice if there is a question.
  public init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: PageLink,
    fetch: @escaping @MainActor () async throws -> Subject?,
    remove: @escaping @MainActor (_ choice: String?) async throws -> Void
  ) {
    self.frame = frame
    self.part = part
    self.back = back
    self.fetch = fetch
    self.remove = remove
  }

  private var say: Localizer { frame.say }

  /// Reads the entry.
  /// - Throws: `AppError` with `database(.notFound)` if it does not exist.
  public func load() async throws {
    guard let found = try await fetch() else { throw AppError.database(.notFound) }
    subject = found
  }

  /// The address of the list, if the entry was deleted already.
  public func addressIfMissing(for form: PageForm) -> String? { back.address }

  /// Returns the page with the question, and a button that deletes the entry.
  public func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.delete(subject?.title ?? "")), in: part, back: back) {
      tab.region("removal") { [self] in
        if let error { ErrorView(error, say) }
        PostForm(to: tab.address, id: "removal-form") {
          if let question = subject?.question {
            RadioField(
              say(question), name: "choice", value: choice,
              choices: (subject?.choices ?? []).map { .init($0.value, say($0.label)) },
              error: isChoiceMissing ? say(.chooseOne) : nil)
          } else {
            p { say(.canBeUndone) }
          }
          SubmitButton(say(.delete), style: .destructive, action: "remove")
        }
      }
    }
  }

  /// Removes the entry.
  public func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "remove" else { throw form.unknownAction }
    error = nil
    // The entries that use it may have changed since.
    try await load()
    choice = form.text("choice")
    let needsChoice = subject?.question != nil
    isChoiceMissing = needsChoice && subject?.choices.contains { $0.value == choice } != true
    guard !isChoiceMissing else { return .invalid }
    do {
      try await remove(needsChoice ? choice : nil)
      return .go(to: back.address)
    } catch {
      self.error = AppError(saving: error)
      return .invalid
    }
  }
}

extension LocalizedText {
  fileprivate static let chooseOne = LocalizedText(
    en: "Choose what happens to them.", ru: "Выберите, что с ними делать.")
}
