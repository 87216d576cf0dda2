import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// How syncing stands, with what can be done about it.
@MainActor
struct SyncStateView: Component {
  private let viewModel: SyncModel
  private let say: Speaker

  init(viewModel: SyncModel, say: Speaker) {
    self.viewModel = viewModel
    self.say = say
  }

  var html: HTML {
    switch viewModel.connection {
    case .noServer, .signedOut:
      Card(id: "sync-facts") {
        LinkRow(
          say(viewModel.connection.text), to: Address.account,
          text: say(viewModel.connection == .noServer ? .howToNameOne : .accountInvitation),
          id: "sync-account")
        if viewModel.accountName != nil { waiting }
      }
    case .airplane, .offline, .failed, .expired, .tooOld, .online:
      Card(id: "sync-facts") {
        connection
        if let error = viewModel.lastError { row(say(.lastProblem), say(error.localizedMessage)) }
        waiting
        airplane
      }
      if [.online, .offline, .failed].contains(viewModel.connection) {
        div(.class("buttons")) {
          PostForm(to: "\(Address.sync)/now", id: "sync-now") {
            SubmitButton(say(.syncNow), style: .plain)
          }
        }
      }
    }
  }

  /// Posts the state that is wanted, so that pressing twice asks for the same thing twice.
  private var airplane: HTML {
    div(.class("row")) {
      span(.class("label")) {
        say(.airplaneMode)
        small { say(.airplaneExplained) }
      }
      PostForm(to: "\(Address.sync)/airplane", id: "airplane") {
        HiddenValue("isOn", "\(!viewModel.isAirplane)")
        button(
          .type(.submit), .class("switch"), .role(.switch), .ariaChecked(viewModel.isAirplane),
          .ariaLabel(say(.airplaneMode)))
      }
    }
  }

  private var waiting: HTML { row(say(.changesWait(viewModel.pendingCount)), nil, id: "waiting") }

  @HTMLBuilder private var connection: HTML {
    let times = [
      say(viewModel.lastSuccess.map { .lastSynced(say.dayAndTime($0)) } ?? .neverSynced),
      viewModel.nextTry.map { say(.nextTry(say.time($0))) },
    ].compactMap(\.self).joined(separator: " · ")
    if viewModel.connection == .expired {
      LinkRow(say(viewModel.connection.text), to: Address.account, text: times, id: "sync-account")
    } else {
      row(say(viewModel.connection.text), times, id: "sync-connection")
    }
  }

  private func row(_ title: String, _ text: String?, id: String? = nil) -> HTML {
    div(.class("row"), id.map { .id($0) } ?? .none) {
      span(.class("label")) {
        title
        if let text { small { text } }
      }
    }
  }
}
