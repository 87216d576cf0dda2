import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What a form asks for that is only to come back with what was entered.
let keepingDraft = "keep"

/// A page on which something of the library is written: one form, whose buttons change and save it.
@MainActor
protocol EditorPage: LivePage {
  associatedtype ViewModel: EntryWriting

  static var part: LibraryPart { get }
  /// What is written, for the ids of the page's elements.
  static var name: String { get }

  var shell: Shell { get }
  var viewModel: ViewModel { get }
  var place: EditorPlace { get }
  /// What can be entered, and the buttons.
  @HTMLBuilder var fields: HTML { get }
}

/// Where something is written, and what is around that.
struct EditorPlace {
  let tab: AppFrame.Part.ID
  /// Where the form is.
  let form: String
  let back: PageLink
  /// Where what is stored can be seen.
  let entry: String
}

extension EditorPage {
  var say: Speaker { shell.say }

  /// In the library.
  var place: EditorPlace { libraryPlace }

  /// The place of what is in the library.
  var libraryPlace: EditorPlace {
    let entry = Address.entry(viewModel.entryID, in: Self.part)
    return EditorPlace(
      tab: .library,
      form: viewModel.isNew
        ? Address.newEntry(in: Self.part) : Address.editEntry(viewModel.entryID, in: Self.part),
      back: viewModel.isNew
        ? PageLink(say(.library), to: Address.library(Self.part))
        : PageLink(say(Self.part.entryTitle), to: entry),
      entry: entry)
  }

  func load() async throws {
    await viewModel.load()
    if viewModel.loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, viewModel.isNew ? say(Self.part.newTitle) : say(.edit(viewModel.form.title)),
      in: place.tab,
      back: place.back
    ) {
      tab.region("\(Self.name)-form") {
        if viewModel.isFilled {
          if let error = viewModel.saveError {
            SaveErrorView(error, stored: place.entry, say)
          }
          form
        } else if let error = viewModel.loadError {
          ErrorView(error, say, address: place.form)
        } else {
          LoadingView(say(Self.part.loading))
        }
      }
    }
  }

  private var form: PostForm {
    PostForm(
      to: place.form, id: "\(Self.name)-editor", enterAction: "save", draftAction: keepingDraft
    ) {
      HiddenValue("draft", viewModel.entryID.uuidString)
      HiddenValue("version", EntryVersion.text(of: viewModel.form.basedOn))
      fields
    }
  }

  /// The button that saves.
  var saveButton: SaveBar {
    SaveBar(viewModel.isSaving ? say(.saving) : say(.save), action: "save")
  }

  /// What is wrong with a field, as a sentence.
  func problem(_ field: ViewModel.Form.Field) -> String? {
    viewModel.problem(field).map { say($0) }
  }
}

extension AnyfleetPages {
  /// Takes what a form sent, and then changes it or saves it.
  ///
  /// What is stored is not read for that: it may be gone, and what was entered is not.
  ///
  /// - Parameter change: what a button does with the form; `nil` where it saves it.
  func edit<Editor: EditorPage>(
    _ request: Request, _ form: Editor.ViewModel.Form, at address: String,
    change: (@MainActor (Editor.ViewModel) -> Void)?, page: @MainActor () -> Editor
  ) async throws -> Response {
    try await tabs.act(request, at: address) {
      let page = page()
      page.viewModel.restore(form)
      return page
    } action: { page in
      page.viewModel.restore(form)
      if let change {
        change(page.viewModel)
        return .drafted
      }
      guard await page.viewModel.save() != nil else { return .invalid }
      return .go(to: page.place.entry)
    }
  }
}
