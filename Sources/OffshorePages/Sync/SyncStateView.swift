import OffshorePresentation
import OffshoreWeb

/// The state of syncing, with the switch of airplane mode.
@MainActor
struct SyncStateView: Component {
  private let model: SyncModel
  private let say: Localizer

  init(model: SyncModel, say: Localizer) {
    self.model = model
    self.say = say
  }

  var html: HTML {
    switch model.connection {
    case .noServer, .signedOut:
      Card(id: "sync-facts") {
        LinkRow(
          say(model.connection.text), to: SystemRoute.account.address,
          text: say(model.connection == .noServer ? .howToNameOne : .accountInvitation),
          id: "sync-account")
        if model.accountName != nil { waiting }
      }
    case .airplane, .offline, .failed, .expired, .tooOld, .online:
      Card(id: "sync-facts") {
        connection
        if let error = model.lastError { row(say(.lastProblem), say(error.localizedMessage)) }
        waiting
        airplane
      }
      if [.online, .offline, .failed].contains(model.connection) {
        div(.class("buttons")) {
          PostForm(to: SystemRoute.sync.address, id: "sync-now") {
            SubmitButton(say(.syncNow), style: .plain, action: "sync-now")
          }
        }
      }
    }
  }

  /// The form contains the new state, so that submitting it twice switches once.
  private var airplane: HTML {
    div(.class("row")) {
      span(.class("label")) {
        say(.airplaneMode)
        small { say(.airplaneExplained) }
      }
      PostForm(to: SystemRoute.sync.address, id: "airplane") {
        HiddenValue("isOn", "\(!model.isAirplane)")
        button(
          .type(.submit), .name("action"), .value("airplane"), .class("switch"), .role(.switch),
          .ariaChecked(model.isAirplane),
          .ariaLabel(say(.airplaneMode)))
      }
    }
  }

  private var waiting: HTML { row(say(.changesWait(model.pendingCount)), nil, id: "waiting") }

  @HTMLBuilder private var connection: HTML {
    let times = [
      say(model.lastSuccess.map { .lastSynced(say.dayAndTime($0)) } ?? .neverSynced),
      model.nextRetry.map { say(.nextTry(say.time($0))) },
    ].compactMap(\.self).joined(separator: " · ")
    if model.connection == .expired {
      LinkRow(
        say(model.connection.text), to: SystemRoute.account.address, text: times, id: "sync-account"
      )
    } else {
      row(say(model.connection.text), times, id: "sync-connection")
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
