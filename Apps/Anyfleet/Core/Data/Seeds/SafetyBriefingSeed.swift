import OffshorePresentation

/// The safety briefing of everyone on board before the first trip.
enum SafetyBriefingSeed {
  private typealias Section = SeedChecklist.Section
  private typealias Item = SeedChecklist.Item

  static let checklist = SeedChecklist(
    key: "safety-briefing",
    title: LocalizedText(en: "Safety briefing", ru: "Инструктаж по безопасности"),
    description: LocalizedText(
      en: "For everybody on board before the first trip, and again for whoever joins later. Show "
        + "and let them try; do not only tell.",
      ru: "Для всех на борту перед первым выходом и ещё раз для тех, кто присоединился позже. "
        + "Показывайте и давайте попробовать, а не только рассказывайте."),
    sections: [
      Section(
        key: "people", title: LocalizedText(en: "People", ru: "Люди"),
        items: [
          Item(
            "health",
            en: "The skipper knows of illnesses, medication and allergies, and of who cannot "
              + "swim",
            ru: "Шкипер знает о болезнях, лекарствах, аллергиях и о тех, кто не плавает",
            note: LocalizedText(
              en: "Ask in private, and keep it to yourself.",
              ru: "Спросите наедине и никому не рассказывайте."), isCritical: true),
          Item(
            "deputy", en: "A deputy named who can take over from the skipper",
            ru: "Назначен заместитель, который может заменить шкипера", isCritical: true),
          Item(
            "seasickness",
            en: "Seasickness: take something early, look at the horizon, to "
              + "leeward",
            ru: "Морская болезнь: таблетку заранее, взгляд на горизонт, к подветренному борту"),
          Item(
            "sun", en: "Sun, water to drink, and hats; shoes on deck",
            ru: "Солнце, питьевая вода и головные уборы; на палубе в обуви"),
        ]),
      Section(
        key: "lifejackets", title: LocalizedText(en: "Lifejackets", ru: "Спасжилеты"),
        items: [
          Item(
            "fit", en: "Each has put on and adjusted their own lifejacket, with crotch strap",
            ru: "Каждый надел и подогнал свой спасжилет, паховый ремень застёгнут", isCritical: true
          ),
          Item(
            "inflate", en: "How it inflates by itself, by hand, and by mouth shown",
            ru: "Показано, как жилет надувается сам, рывком и ртом"),
          Item(
            "when", en: "Worn at night, alone on deck, when reefed, and when the skipper says",
            ru: "Надевать ночью, на палубе в одиночку, на рифах и по слову шкипера",
            isCritical: true),
          Item(
            "clip-on", en: "Where to clip on, and that one clips on before leaving the cockpit",
            ru: "Куда пристёгиваться, и что пристёгиваются до выхода из кокпита"),
        ]),
      Section(
        key: "moving", title: LocalizedText(en: "Moving about", ru: "Передвижение"),
        items: [
          Item(
            "one-hand", en: "One hand for yourself, one for the boat; low, and to windward",
            ru: "Одна рука для себя, другая для лодки; пригнувшись, по наветренному борту"),
          Item(
            "boom", en: "The boom: where it swings, and what to do at a jibe",
            ru: "Гик: где он ходит и что делать при повороте фордевинд", isCritical: true),
          Item(
            "winch", en: "Winches and lines: fingers away, no loops round a foot",
            ru: "Лебёдки и концы: пальцы подальше, ногой в петлю не вставать", isCritical: true),
          Item(
            "windlass", en: "The windlass: one person, shoes on, hands off the chain",
            ru: "Брашпиль: один человек, в обуви, руки прочь от цепи"),
          Item(
            "overboard", en: "Nobody goes to the rail to relieve themselves",
            ru: "За борт по нужде никто не ходит"),
          Item(
            "swimming", en: "Swimming only with the engine off, and when the skipper says",
            ru: "Купаться только при заглушенном двигателе и по слову шкипера"),
        ]),
      Section(
        key: "mob", title: LocalizedText(en: "Man overboard", ru: "Человек за бортом"),
        items: [
          Item(
            "shout", en: "Shout, point, and never look away; throw the buoy at once",
            ru: "Крикнуть, показывать рукой и не отводить глаз; сразу бросить круг",
            isCritical: true),
          Item(
            "mob-button", en: "MOB button on plotter and radio shown",
            ru: "Показана кнопка MOB на плоттере и радиостанции", isCritical: true),
          Item(
            "manoeuvre",
            en: "Manoeuvre explained: stop the boat, engine on, lines clear, lee "
              + "side",
            ru: "Манёвр объяснён: остановить лодку, завести мотор, концы из воды, подветренный "
              + "борт", isCritical: true),
          Item(
            "recovery", en: "How to get somebody out: ladder, halyard, sling; tried with a fender",
            ru: "Как поднять человека: трап, фал, строп; опробовано на кранце"),
          Item(
            "drill", en: "Drill sailed once by somebody other than the skipper",
            ru: "Учение отработано на ходу, и не самим шкипером"),
        ]),
      Section(
        key: "emergencies",
        title: LocalizedText(en: "Fire, water, and help", ru: "Пожар, вода и помощь"),
        items: [
          Item(
            "fire", en: "Extinguishers and fire blanket: where they are and how they work",
            ru: "Огнетушители и противопожарное полотно: где они и как ими пользоваться",
            isCritical: true),
          Item(
            "gas-rule", en: "Gas: on at the bottle only to cook; off, burn out, close",
            ru: "Газ: открыть на баллоне только для готовки; закрыть, дать догореть, выключить",
            isCritical: true),
          Item(
            "engine-fire", en: "Engine fire: do not open the hatch; stop, fuel off, extinguish",
            ru: "Пожар в моторном отсеке: люк не открывать; стоп, топливо перекрыть, тушить"),
          Item(
            "leak", en: "Water in the boat: bilge pumps, seacocks, plugs, buckets",
            ru: "Вода в лодке: помпы, кингстоны, чопы, вёдра", isCritical: true),
          Item(
            "distress",
            en: "Distress call tried without sending: red key, channel 16, what to "
              + "say",
            ru: "Сигнал бедствия отрепетирован без передачи: красная кнопка, канал 16, что "
              + "говорить",
            note: LocalizedText(
              en: "MAYDAY three times, name three times, position, what happened, how many "
                + "people.",
              ru: "MAYDAY три раза, название три раза, место, что случилось, сколько людей."),
            isCritical: true),
          Item(
            "flares-use", en: "Flares: where they are, held to leeward, never towards people",
            ru: "Пиротехника: где лежит, держать под ветер, никогда в сторону людей"),
          Item(
            "abandon", en: "Liferaft and grab bag: who takes what; only step up into it",
            ru: "Плот и тревожная сумка: кто что берёт; на плот переходят только вверх",
            isCritical: true),
        ]),
      Section(
        key: "daily", title: LocalizedText(en: "Living on board", ru: "Жизнь на борту"),
        isExpanded: false,
        items: [
          Item(
            "heads-use", en: "Heads: how to pump, what goes in, and closing the seacock",
            ru: "Гальюн: как качать, что туда можно, и закрывать кингстон"),
          Item(
            "hatches-shut", en: "Hatches and portlights shut under way",
            ru: "На ходу люки и иллюминаторы закрыты"),
          Item(
            "power", en: "Water and power are short: what they are needed for first",
            ru: "Воды и энергии мало: на что они нужны в первую очередь"),
          Item(
            "engine-stop", en: "How to start and stop the engine; each has done it",
            ru: "Как завести и заглушить двигатель; каждый попробовал"),
          Item(
            "position", en: "Where to read the position, and how to tell it by radio",
            ru: "Где посмотреть координаты и как передать их по радио"),
        ]),
    ])
}
