import Foundation
import MessAI
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The form in which a message is written, at the lower edge of the page.
///
/// It also shows why the latest action on a message failed, because it is always in view.
@MainActor struct Composer {
  let model: ChatViewModel
  let address: String
  let canWrite: Bool
  let say: Localizer

  /// The id of the field for the text.
  nonisolated static let textField = "field-text"

  @HTMLBuilder var html: HTML {
    if canWrite || model.actions.failure != nil {
      div(.class("composer")) {
        if let failure = model.actions.failure {
          p(.class("error"), .role(.alert)) { say(.sentences(of: failure.cause)) }
        }
        if canWrite {
          reply
          form
        }
      }
    }
  }

  private var form: PostForm {
    PostForm(to: address, id: "compose", keepAction: "keep", carriesFiles: true) {
      HiddenValue("entry", model.nextID.uuidString)
      if let replied = model.repliedEntry { HiddenValue("reply", replied.id) }
      div(.class("line")) {
        attachment
        Field(
          say(.writeMessage), name: "text", value: model.typedText, kind: .text(rows: 1),
          error: error(.text), isCompact: true, isFocused: model.isAnswering, id: Self.textField)
        button(
          .type(.submit), .class("button", "primary", "send"), .name("action"), .value("send"),
          .ariaLabel(say(.send)), .title(say(.send))
        ) { Icon("send-fill", text: "↑") }
      }
    }
  }

  /// The choice of a photo, behind a button in the line of the field.
  private var attachment: HTML {
    // The script opens it at an error, the browser without the script at once.
    let isNeeded = model.errors[.image] != nil
    return details(
      .id("attach"), .class("attach"), .open(isNeeded), isNeeded ? .data("open", "") : .none
    ) {
      summary(.class("icon-button"), .ariaLabel(say(.addPhoto)), .title(say(.addPhoto))) {
        Icon("paperclip", text: "+")
      }
      FileField(
        say(.photo), name: "image", accepting: ["image/png", "image/jpeg", "image/webp"],
        hint: say(.photoHint), error: error(.image),
        limit: (MessageImages.byteLimit, say(AppError.content(.imageTooLarge).localizedMessage)))
    }
  }

  private func error(_ field: ChatViewModel.Field) -> String? {
    model.errors[field].map { say($0.sentenceForText) }
  }

  /// The message that the next one answers, with a button in case it does not.
  @HTMLBuilder private var reply: HTML {
    if let replied = model.repliedEntry {
      div(.class("replying")) {
        p(.id("replying")) {
          strong { say(.replyingTo) }
          " "
          replied.message.text.isEmpty ? say(.photo) : String(replied.message.text.prefix(100))
        }
        PostForm(to: address, id: "cancel-reply", nextField: Self.textField) {
          HiddenValue("action", "cancel-reply")
          button(.type(.submit), .class("icon-button"), .ariaLabel(say(.cancelReply))) {
            Icon("x-lg", text: "×")
          }
        }
      }
    }
  }
}
