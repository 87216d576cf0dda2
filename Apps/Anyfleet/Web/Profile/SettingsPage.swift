import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// The language, and what is to be known of the app.
struct SettingsPage: LivePage {
  let shell: Shell
  let viewModel: SettingsViewModel

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(
      tab, say(.settings), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      tab.region("language") { languageForm }
      h2 { say(.yourData) }
      DataFactsView(viewModel: viewModel, say: say)
    }
  }

  private var languageForm: PostForm {
    let say = shell.say
    return PostForm(to: Address.language, id: "language-form") {
      Field(
        say(.languageField), name: "language", value: viewModel.language.code,
        kind: .choice(viewModel.languages.map { Field.Choice($0.code, $0.name) }),
        hint: say(.languageHint), error: viewModel.saveError.map { say($0.localizedMessage) })
      SubmitButton(say(.useLanguage))
    }
  }
}

/// Where the data is, and which version this is.
@MainActor
struct DataFactsView: Component {
  let viewModel: SettingsViewModel
  let say: Speaker

  var html: HTML {
    dl(.class("data-facts")) {
      dt { say(.dataFile) }
      dd { code(.id("data-path")) { viewModel.dataPath } }
      dt { say(.version) }
      dd(.id("version")) { viewModel.version }
    }
  }
}

extension AnyfleetPages {
  func settings(_ request: Request) async throws -> Response {
    try await tabs.open(request) { settingsPage }
  }

  /// Uses a language, and answers once that is kept.
  func useLanguage(_ request: Request) async throws -> Response {
    let code = try request.form["language"] ?? ""
    return try await tabs.act(request, at: Address.settings) {
      settingsPage
    } action: { page in
      guard page.viewModel.use(code: code) else {
        throw HTTPError(.badRequest, "The form has no field language that is one of the languages.")
      }
      await page.viewModel.settled()
      return page.viewModel.saveError == nil ? .done : .invalid
    }
  }

  @MainActor private var settingsPage: SettingsPage {
    SettingsPage(shell: shell, viewModel: dependencies.makeSettings())
  }
}
