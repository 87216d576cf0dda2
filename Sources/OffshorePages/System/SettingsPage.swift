import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of the language and the location of the data.
struct SettingsPage: RoutedPage {
  private let frame: AppFrame

  init(_ frame: AppFrame) { self.frame = frame }

  private var say: Speaker { frame.say }
  private var setting: LanguageSetting { frame.language }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.settings), in: .profile, back: frame.backToProfile) {
      tab.region("language") { languageForm }
      h2 { say(.yourData) }
      DataFactsView(frame)
    }
  }

  private var languageForm: PostForm {
    PostForm(to: SystemRoute.settings.address, id: "language-form") {
      Field(
        say(.languageField), name: "language", value: setting.language.code,
        kind: .choice(setting.languages.map { Field.Choice($0.code, $0.name) }),
        hint: say(.languageHint),
        error: setting.saveError.map { say(AppError(saving: $0).localizedMessage) })
      SubmitButton(say(.useLanguage), action: "use-language")
    }
  }

  /// Changes the language, and returns when the choice is stored.
  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "use-language" else { throw form.unknownAction }
    guard setting.use(code: form.text("language")) else {
      throw HTTPError(.badRequest, "The form has no field language that is one of the languages.")
    }
    await setting.settled()
    return setting.saveError == nil ? .done : .invalid
  }
}

/// The location of the data, and the version of the app.
@MainActor
struct DataFactsView: Component {
  private let frame: AppFrame

  init(_ frame: AppFrame) { self.frame = frame }

  var html: HTML {
    let say = frame.say
    return dl(.class("data-facts")) {
      dt { say(.dataFile) }
      dd { code(.id("data-path")) { frame.store.database.path } }
      dt { say(.version) }
      dd(.id("version")) { frame.facts.version }
    }
  }
}
