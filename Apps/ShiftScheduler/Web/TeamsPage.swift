import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The teams of the user.
struct TeamsPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore

  func page(_ tab: Tab) -> Page {
    page(tab, say(.teams), in: .teams) {
      tab.region("teams") { teams }
      div(.class("buttons", "centered")) { JoinLink(app.frame, .team) }
    } actions: {
      BarLink.new(say(.newTeam), to: ShiftRoute.newTeam.address)
    }
  }

  @HTMLBuilder private var teams: HTML {
    let teams = store.teams.list?.teams ?? []
    if app.frame.sync.session.account == nil {
      AccountNeededView(
        LocalizedText(en: "Teams need an account", ru: "Для команд нужна учётная запись"),
        app.frame, .team)
    } else if teams.isEmpty {
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(en: "No teams yet", ru: "Команд пока нет"),
        text: say(
          en: "Owners of a team publish shifts to it, and its members swap them.",
          ru: "Владельцы команды публикуют в ней смены, а участники меняются ими."),
        action: .link(say(.newTeam), to: ShiftRoute.newTeam.address))
    }
    if !teams.isEmpty {
      Card(label: say(.teams), id: "team-rows") {
        for team in teams { LinkRow(team.name, to: ShiftRoute.team(team.id).address) }
      }
    }
  }
}

extension ShiftApp {
  /// Returns the page on which a team is created, or renamed and deleted.
  func teamForm(of id: Team.ID?) -> any RoutedPage {
    let store = store()
    let back = (id.map { ShiftRoute.team($0) } ?? .teams).address
    let name = DraftField<Team>.line(
      "name", \.name, label: LocalizedText(en: "Name", ru: "Название"),
      limit: EntryProblem.nameLimit, isRequired: true)
    let page = editor(
      store, in: .teams, back: PageLink(say(.teams), to: back), [name], of: id, new: .newTeam
    ) {
      Team(id: $0, name: "")
    } fetch: { id in
      store.teams.list?.teams.first { $0.id == id }
    } save: { _, team in
      await store.load(.teams(.perform(.save(team))))
    } next: {
      .team($0.id)
    }
    guard let id else { return page }
    let text = LocalizedText(
      en: "The team ends for all members, with its shifts and swaps. This cannot be undone.",
      ru: "Команда исчезнет у всех участников вместе со сменами и обменами. Отменить это нельзя.")
    return page.deleting(to: ShiftRoute.teams.address, saying: text) { _ in
      await store.load(.teams(.perform(.delete(id))))
      if let error = store.teams.error { throw error }
    }
  }
}

extension SharedKind {
  /// A team, shared by its members.
  static let team = SharedKind(ShiftSchema.teamKind, in: .teams, texts: .ofTeams) {
    ShiftRoute.team($0).address
  }
}

extension MembersTexts {
  fileprivate static let ofTeams: MembersTexts = {
    var texts = MembersTexts()
    texts.editor = LocalizedText(
      en: "You may swap shifts in this team.", ru: "Вы можете меняться сменами в этой команде.")
    return texts
  }()
}
