import OffshorePresentation

/// The check-in of a chartered sailing yacht.
enum CheckInSeed {
  private typealias Section = SeedChecklist.Section
  private typealias Item = SeedChecklist.Item

  static let checklist = SeedChecklist(
    key: "check-in", title: LocalizedText(en: "Yacht check-in", ru: "Приёмка яхты"),
    description: LocalizedText(
      en: "Take over a chartered sailing yacht: papers, safety, rig, engine, and what is damaged "
        + "already. Go through it with somebody of the charter base.",
      ru: "Приём парусной яхты в чартер: документы, безопасность, такелаж, двигатель и всё, что "
        + "уже повреждено. Пройдите его вместе с представителем базы."),
    sections: [
      Section(
        key: "papers", title: LocalizedText(en: "Papers and hull", ru: "Документы и корпус"),
        items: [
          Item(
            "contract", en: "Charter contract, crew list, and licences on board",
            ru: "Договор чартера, судовая роль и права на борту",
            note: LocalizedText(
              en: "The skipper's licence and the radio operator's certificate as originals.",
              ru: "Права шкипера и сертификат радиооператора — оригиналы.")),
          Item(
            "registration", en: "Boat's registration and insurance on board, and not expired",
            ru: "Судовой билет и страховка на борту, срок не истёк", isCritical: true),
          Item(
            "inventory", en: "Inventory compared item by item, and signed with what is missing",
            ru: "Опись сверена по пунктам; недостающее записано и подписано"),
          Item(
            "photos", en: "Every damage photographed and written down before you sign",
            ru: "Все повреждения сфотографированы и записаны до подписи",
            note: LocalizedText(
              en: "Topsides, bow, stern, rails, keel if you can dive, gelcoat, sails, upholstery.",
              ru: "Борта, нос, корма, релинги, киль, если можно нырнуть, гелькоут, паруса, "
                + "обивка."), isCritical: true),
          Item(
            "deposit",
            en: "Deposit and its insurance clear; number to call in case of damage "
              + "saved",
            ru: "Депозит и его страховка ясны; телефон на случай поломки сохранён"),
        ]),
      Section(
        key: "safety", title: LocalizedText(en: "Safety gear", ru: "Спасательные средства"),
        items: [
          Item(
            "lifejackets", en: "A lifejacket for each person, fitted to that person",
            ru: "Спасжилет для каждого, подогнан по фигуре",
            note: LocalizedText(
              en: "Cylinder screwed tight, indicator green, crotch strap, light, whistle; child "
                + "sizes where needed.",
              ru: "Баллон закручен, индикатор зелёный, паховый ремень, огонь, свисток; детские "
                + "размеры, если нужны."), isCritical: true),
          Item(
            "harnesses", en: "Tethers for each on watch; jacklines on board and long enough",
            ru: "Страховочные усы для каждого на вахте; штормтросы на борту, длины хватает"),
          Item(
            "liferaft", en: "Liferaft in date, accessible, painter made fast, weak link in place",
            ru: "Спасательный плот: срок годен, доступен, линь закреплён, слабое звено на месте",
            isCritical: true),
          Item(
            "flares", en: "Flares in date; all know where they are",
            ru: "Пиротехника не просрочена; все знают, где она лежит",
            note: LocalizedText(
              en: "Count red hand flares, parachute rockets, and orange smoke.",
              ru: "Пересчитайте красные фальшфейеры, парашютные ракеты и оранжевый дым."),
            isCritical: true),
          Item(
            "extinguishers",
            en: "Fire extinguishers in date and charged; fire blanket in the "
              + "galley",
            ru: "Огнетушители заряжены и не просрочены; на камбузе противопожарное полотно",
            isCritical: true),
          Item(
            "first-aid", en: "First-aid kit complete and in date",
            ru: "Аптечка полная, лекарства не просрочены"),
          Item(
            "mob-gear", en: "Horseshoe buoy, light, and throwing line ready at the stern",
            ru: "Подкова, светящийся буй и бросательный конец наготове на корме", isCritical: true),
          Item(
            "plugs", en: "Wooden plugs at each through-hull fitting; emergency tiller fits",
            ru: "Деревянные чопы у каждого забортного отверстия; аварийный румпель подходит"),
          Item(
            "epirb", en: "EPIRB or PLB in date, registered to this boat; test passed",
            ru: "АРБ или персональный маяк: срок годен, записан на эту лодку; тест пройден"),
        ]),
      Section(
        key: "deck", title: LocalizedText(en: "Deck and rig", ru: "Палуба и такелаж"),
        items: [
          Item(
            "standing-rigging", en: "Shrouds, stays, turnbuckles, and split pins looked at",
            ru: "Ванты, штаги, талрепы и шплинты осмотрены",
            note: LocalizedText(
              en: "No broken strands, no cracks at the terminals, every pin secured.",
              ru: "Нет лопнувших прядей и трещин в заделках, каждый шплинт зафиксирован."),
            isCritical: true),
          Item(
            "sails", en: "Sails hoisted or unrolled once: seams, leech lines, battens",
            ru: "Паруса подняты или раскручены хотя бы раз: швы, булини, латы"),
          Item(
            "reefing", en: "Each reef taken and shaken out once alongside or at anchor",
            ru: "Каждый риф взят и отдан один раз у причала или на якоре"),
          Item(
            "winches", en: "Winches, clutches, and blocks run; two winch handles at least",
            ru: "Лебёдки, стопоры и блоки работают; не меньше двух ручек"),
          Item(
            "guardrails", en: "Stanchions, guard wires, and gates firm",
            ru: "Стойки, леера и калитки держатся крепко", isCritical: true),
          Item(
            "anchor", en: "Anchor, chain length and marks, and windlass tried under load",
            ru: "Якорь, длина и разметка цепи; брашпиль проверен под нагрузкой",
            note: LocalizedText(
              en: "Bitter end made fast so that it can be cut; remote control and breaker known.",
              ru: "Жвака-галс закреплён так, что его можно обрубить; пульт и автомат найдены."),
            isCritical: true),
          Item(
            "dock-lines", en: "Four dock lines and six fenders at least; boat hook",
            ru: "Не меньше четырёх швартовов и шести кранцев; отпорный крюк"),
          Item(
            "dinghy", en: "Dinghy, oars, pump, outboard, kill cord, and fuel; outboard started",
            ru: "Тузик, вёсла, насос, мотор, чека и топливо; мотор заведён"),
        ]),
      Section(
        key: "below", title: LocalizedText(en: "Engine and below deck", ru: "Двигатель и внизу"),
        items: [
          Item(
            "engine", en: "Oil, coolant, belt, and raw-water filter checked; no leak in the bilge",
            ru: "Масло, антифриз, ремень и фильтр забортной воды проверены; в трюме нет течи",
            isCritical: true),
          Item(
            "cooling", en: "Engine started: cooling water comes out, gauges normal, no alarm",
            ru: "Двигатель заведён: вода охлаждения идёт, приборы в норме, тревоги нет",
            isCritical: true),
          Item(
            "gearbox", en: "Forward, astern, and bow thruster tried with lines on",
            ru: "Вперёд, назад и подруливающее проверены на швартовах"),
          Item(
            "fuel", en: "Fuel tank full; consumption and reserve asked; spare filter and impeller",
            ru: "Топливный бак полон; расход и остаток выяснены; запасные фильтр и крыльчатка"),
          Item(
            "seacocks", en: "Every seacock found and moved; positions noted on the plan",
            ru: "Каждый кингстон найден и провёрнут; места отмечены на схеме", isCritical: true),
          Item(
            "bilge-pumps", en: "Electric and manual bilge pumps tried; handle in its place",
            ru: "Электрическая и ручная помпы проверены; рукоятка на месте", isCritical: true),
          Item(
            "gas", en: "Gas bottle tight; valve and shut-off at the stove known; spare bottle",
            ru: "Газовый баллон не травит; вентиль и кран у плиты найдены; есть запасной",
            note: LocalizedText(
              en: "Smell, then soap water at the joints. The detector's test passed.",
              ru: "Проверьте на запах, затем стыки мыльной водой. Тест газоанализатора пройден."),
            isCritical: true),
          Item(
            "batteries", en: "Batteries charged and holding; main switches and fuses known",
            ru: "Аккумуляторы заряжены и держат заряд; выключатели массы и предохранители найдены"),
          Item(
            "water", en: "Fresh-water tanks full; pump, switch-over, and shore filter tried",
            ru: "Баки воды полны; насос, переключение баков и фильтр берегового шланга проверены"),
          Item(
            "heads", en: "Heads pump both ways; holding tank empty; its seacock explained",
            ru: "Гальюн качает в обе стороны; фекальный танк пуст; его кингстон объяснён"),
        ]),
      Section(
        key: "navigation",
        title: LocalizedText(en: "Navigation and radio", ru: "Навигация и связь"),
        items: [
          Item(
            "vhf", en: "VHF: radio check made; MMSI entered; DSC key found",
            ru: "УКВ: связь проверена, MMSI введён, кнопка DSC найдена", isCritical: true),
          Item(
            "plotter",
            en: "Plotter, log, depth, and wind show sensible values; depth offset "
              + "known",
            ru: "Плоттер, лаг, эхолот и ветер показывают разумное; поправка глубины известна"),
          Item(
            "charts", en: "Paper charts and pilot book of the area; hand-bearing compass",
            ru: "Бумажные карты и лоция района; ручной компас-пеленгатор"),
          Item(
            "lights", en: "Navigation and anchor lights tried at dusk, seen from the dock",
            ru: "Ходовые и якорный огни проверены в сумерках с причала"),
          Item(
            "autopilot", en: "Autopilot tried; how to switch it off is clear to all who steer",
            ru: "Авторулевой проверен; каждый рулевой знает, как его отключить"),
        ]),
    ])
}
