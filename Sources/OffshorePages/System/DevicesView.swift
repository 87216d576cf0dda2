import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The devices that are signed in to the account. Each of the others has a button that signs it out.
@MainActor
struct DevicesView: Component {
  private let model: DevicesModel
  private let say: Localizer

  init(model: DevicesModel, say: Localizer) {
    (self.model, self.say) = (model, say)
  }

  private var address: String { SystemRoute.account.address }

  var html: HTML {
    h2 { say(.signedInDevices) }
    StateContent(model.devices, say, address: address) { devices in
      Card(label: say(.signedInDevices), id: "devices") {
        for device in devices { row(device) }
      }
    }
  }

  private func row(_ device: SignedInDevice) -> HTML {
    let name = device.name.isEmpty ? say(.unnamedDevice) : device.name
    let since = say.dayAndTime(Date(milliseconds: device.since))
    let error = model.error(of: device.id)
    return div(.class("row"), .id("device-\(device.id)")) {
      span(.class("label")) {
        name
        small { say(.signedInSince(since)) }
        if let error { small(.class("error"), .role(.alert)) { say(error.localizedMessage) } }
      }
      if device.isCurrent {
        Badge(say(.thisDevice))
      } else {
        signOutForm(device, "\(name), \(since)")
      }
    }
  }

  private func signOutForm(_ device: SignedInDevice, _ title: String) -> PostForm {
    PostForm(to: address) {
      HiddenValue("device", device.id)
      SubmitButton(
        say(.signOut), style: .plain, label: say(.action(.signOut, on: title)),
        action: "sign-out-device")
    }
  }
}
