"""What a claim is: a rule to keep, a thing to do, a preference, or a fact, told by its words."""

import re
from typing import Final

from pce_memory.domain.vocabulary import ClaimKind
from pce_memory.text.fold import normalized


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_START = r"(?:^|[.:;!?()—–]\s{0,2}|, (?:and |but |so )?|\band |\bplease |\b(?:must|should|shall) )"
_VERB = (
    r"(?:add|ask|assume|back|block|build|bypass|change|check|click|close|commit|copy|create|delete|"
    r"deploy|disable|discuss|edit|email|enable|encrypt|expose|follow|force|hard-?code|ignore|"
    r"include|install|keep|leave|link|lock|log|merge|mix|mock|modify|open|pass|paste|pin|print|"
    r"publish|push|put|rebase|redact|release|remove|rename|reply|reuse|review|rotate|run|save|"
    r"send|set|share|sign|skip|squash|store|test|trust|update|upload|use|validate|verify|wear|"
    r"write)"
)
_DEADLINE = (
    r"(?:the )?(?:end of|next|this|mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|today|noon|eod|"
    r"eow|midnight|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|[0-9]{1,2}(?:st|nd|rd|th|:|am|pm|/)|20[0-9]{2}-)"
)
_WHO = r"\b(?:i|we|you|they|he|she|someone|somebody|everyone|user|team)"

_POLICY: Final = _any(
    r"\b(?:must|shall)(?: not|n't)\b(?! have\b)",
    r"\b(?:must|should|shall|may) (?:always|never)\b",
    r"\b(?:you|we|one|nobody|no one|agents?|users?|code|tests?) should(?: not|n't) (?!take\b|matter\b|have\b|worry\b)",
    rf"{_START}never {_VERB}\b",
    r"^never (?!mind\b|again\b|been\b|had\b|have\b|heard\b|has\b|was\b|were\b|in\b|a\b|the\b|"
    r"thought\b|knew\b|saw\b|went\b|met\b|felt\b|got\b|really\b|too\b|ever\b|did\b|\w+ed\b)\w+",
    rf"{_START}always {_VERB}\b",
    r"^always (?!been\b|had\b|was\b|were\b|in\b|a\b|the\b|my\b|so\b|on\b|at\b|happy\b|nice\b|"
    r"good\b|great\b|wanted\b|loved\b|fun\b|remember\b|\w+ed\b|\w+ing\b)\w+",
    rf"(?:^|[.:;!?]\s)(?:please )?(?:do not|don't) {_VERB}\b(?!.{{0,200}}\b(?:yet|today|tonight|now)\b)",
    r"\b(?:is|are) (?:strictly |absolutely |completely )?(?:forbidden|prohibited|not allowed|not permitted|"
    r"mandatory|compulsory|obligatory|off[- ]limits|disallowed|banned)\b",
    r"^(?!.{0,200}\b(?:no|not|isn't|aren't)\b)(?:all|every|each|any)\b.{1,200}\b(?:is|are) required\b",
    r"^(?:all|every|each|any|no)\b.{1,100}\b(?:must|may|shall)\b",
    r"\bno \w{1,40}(?: \w{1,40}){0,3} (?:is|are) (?:allowed|permitted)\b",
    r"^(?:[a-z]{1,20} ){0,2}(?:rules?|polic(?:y|ies)|guidelines?|conventions?|principles?)\s?(?::|—|- )",
    r"\b(?:our|the|this|a|team|house|company|project) (?:\w{1,20} )?(?:rule|policy|guideline|convention|principle)"
    r" (?:is\b|requires\b|says\b|demands\b|states\b|forbids\b)",
    r"\bunder no circumstances\b|\bno exceptions\b|\bat no time\b",
    r"\bonly \w{1,40}(?: \w{1,40}){0,2} (?:may|(?:is|are) (?:allowed|permitted))\b",
    r"禁止(?!では|じゃ|され(?:た|て)|を解|が解|かどうか|令)",
    r"厳禁|べからず|べきで(?:は)?(?:ない|ありません)|べきじゃない|許可なく|許可されて(?:いない|いません)|認められ(?:ない|ません)",
    r"(?:[てで]は|ちゃ|じゃ)(?:いけない|いけません|ならない|なりません|だめ|ダメ|駄目)",
    r"(?:ない|無い)(?:でください|で下さい|ようにしてください|ようにする?こと)",
    r"(?:^|[^も])必ず(?!しも)[^。]{0,80}(?:てください|て下さい|こと[。！]?$|せよ|しろ|なければ|ましょう|ようにする)",
    r"(?:常に|絶対に?)[^。]{0,80}(?:てください|て下さい|こと[。！]?$|なければ|[すくうつむぶぐる]な[。！]?$)",
    r"^(?!.{0,80}は)[^。]{0,100}必ず(?!しも)[^。がは]{1,60}[るすくうつむぶぐ][。！]?$",
    r"^(?!.{0,200}(?:趣味|目的|目標|夢|理由|役割|仕事|狙い|原因|特徴|利点|欠点|メリット|ポイント|意味|問題|課題|コツ|"
    r"願い|望み|強み|弱み|違い|日課|習慣|特技|の|それ|これ)は)[^。]{2,200}(?:[^のいうな][るすくうつむぶぐ]|ない)こと[。！]?$",
    r"(?:する|使う|触る|消す|押す|入れる|書く|見せる|出す|渡す|変える)な[。！]?$",
    r"(?:ポリシー|規約|方針|ルール|規則|原則)(?:は|:|として|では|に従)",
    r"必須(?!では|でない|じゃ|かどうか|でなくな)|義務(?:です|だ(?!った)|付け|づけ|がある)|不可(?:です|とする|。|$)",
    r"(?:すべて|全て|全部|各|どの|いかなる|あらゆる|全員)[^。]{0,80}なければ(?:ならない|なりません|いけない|いけません)",
    r"のみ(?:許可|可)(?:する|です|。|$)|以外(?:の[^。]{1,20})?は(?:許可|認め)",
)

_TASK: Final = _any(
    rf"{_WHO} (?:\w{{1,20}} )?(?<!n't )(?<!not )(?:needs?|have|has|ought|'ve got|got) to (?!know\b|admit\b|say\b)",
    r"(?<!no )(?<!n't )(?<!not )\b(?:need|needs) to \w",
    r"(?<!n't )(?<!not )(?<!never )\b(?:have|has) to \w",
    r"\b(?:gotta|need fixing|needs fixing)\b",
    rf"{_WHO} (?:also |still |really )?must (?!be (?!done\b|ready\b|at\b|\w+ed\b)|have\b)\w",
    rf"\bmust \w.{{0,200}}\b(?:by|before) {_DEADLINE}",
    r"\bremind (?:me|us|him|her|them)\b|\bremember to\b|\bdon't forget\b|\bdo not forget\b|\bmake sure\b",
    r"\bplease (?!note\b|see\b|find\b|be\b|enjoy\b|excuse\b)\w",
    r"\b(?:can|could|would|will) you (?:please |also |kindly )?(?!believe\b|imagine\b|say\b|like\b|rather\b|prefer\b|swim\b)"
    rf"(?:{_VERB}|fix|book|buy|call|draft|find|get|give|help|look|make|move|order|pick|prepare|schedule|take|tell)\b",
    r"(?:plans?|planning|scheduled|intends?|intending|aims?) to (?!the\b)\w|\bgonna \w",
    r"\b(?:am|are|is|'m|'re|'s) going to (?!the\b|a\b|an\b|my\b|our\b|his\b|her\b|their\b|bed\b|"
    r"school\b|work\b|church\b|town\b|rain\b|be\b|\w+ing\b)[a-z]+",
    rf"^(?:please )?(?:{_VERB}|book|buy|call|draft|finish|fix|get|make|migrate|move|order|pay|"
    r"prepare|renew|return|schedule|submit|translate|upgrade|investigate|refactor)\b"
    rf".{{1,200}}\b(?:by|before|until|on|due) {_DEADLINE}",
    rf"\b(?:will|'ll) .{{1,120}}\b(?:by|before) {_DEADLINE}",
    r"\b(?:is|are) (?:still )?due\b|\bdeadline (?:is|for)\b|^deadline:",
    r"なければ(?!よかった)(?:なら|なり|いけ|だめ|ダメ|。|$)|な(?:いと|くちゃ|くては|きゃ)(?:いけ|だめ|ダメ|なら|なり|[。！]|$)|ねばなら",
    r"[るすくうつむぶぐぬ]必要が(?:ある|あります|ありそう|出て)",
    r"[てで](?:ください|下さい|ほしい|欲しい|もらえ(?:ますか|る|ません)|いただけ(?:ますか|ません|る)|"
    r"いただきたい|くれ(?:る|ない|ますか|ません)?[。？?]?$)",
    r"(?<!よろしく)(?<!宜しく)(?<!どうぞ)お願い(?:します|いたします|致します|できますか|したい|。|$)",
    r"忘れず|忘れないよう|リマインド|思い出させて",
    r"までに[^。]{0,60}(?:[るすくうつむぶぐぬ]|ます|提出|完了|対応|返信|確認|修正|納品|仕上げ)[。！]?$",
    r"(?:て|で)お(?:く|きます|こう)[。！]?$|つもり(?:です|だ(?!った)|。|$)",
)

# What a finished piece of work can say of itself too.
_NAMED_TASK: Final = _any(
    r"^(?:todo|to-do|fixme|action items?|next steps?)\b\s*(?:[:(\[—–-]|$)",
    r"やること(?:[:はがに]|リスト|。|$)|やるべきこと|宿題[:は]|タスク[:は]",
    r"(?:締め?切り?|期限|〆切)(?:は|が|[:])",
    r"(?:[るすくうつむぶぐぬ]|[\u4e00-\u9fff\u30a1-\u30fc])予定(?:です|だ(?!った)|で(?!し|は|も)|となって|になって|[。！、]|$)",
)
_CAPITAL_TASK: Final = re.compile(r"\b(?:TODO|FIXME)\b(?! (?:apps?|lists?|comments?|files?)\b)")

_DONE_MARK: Final = _any(
    r"^\s*(?:\[[x✓✔]\]|[☑✅✔])",
    r"^\W{0,3}(?:done|finished|completed|fixed|resolved|完了|済み?|対応済み?|終了)\W{0,2}(?:[:\]】)-]|$)",
    r"[(\[【](?:done|finished|completed|完了|済み?|対応済み?)[)\]】]\W{0,2}$",
)
_DONE: Final = _any(
    r"\b(?:is|are|was|were|been|all|already|just|has|have|i|we) (?:now |all |already |just )?"
    r"(?:done|finished|completed|resolved|closed)\b",
    r"(?:完了|終了|対応|修正|実施|提出|納品|消化)(?:した|しました|済み?|です|。|$)",
    r"終わ(?:った|りました|って(?:いる|います))|(?:終え|済ませ|片付け)(?:た|ました)",
)

_PREFERENCE: Final = _any(
    r"\bprefer(?:s|red|ring)?\b|\b(?:my|our|his|her|their|user's|personal|strong) preferences?\b|\bpreference (?:is|for)\b",
    r"\b(?:would|'d|i'd|we'd) (?:much )?(?:rather|sooner)\b",
    r"\bfavou?rites?\b",
    r"\blikes? .{1,80}\b(?:better|more than|best)\b|\bbetter than\b.{0,40}\bfor me\b",
    r"\b(?:i|we|he|she|they|user|[a-z]+'s) (?:\w{1,10}ly |also |still |just |do |does |don't |doesn't |do not |does not )?"
    r"(?:like|love|hate|dislike|enjoy|adore)s?\b(?! to (?:know|ask|see|hear)\b)",
    r"\brecommend(?:s|ed|ation)?\b|\bcan't stand\b|\b(?:big|huge|not a|great) fan of\b",
    r"好み|大好き|好き(?!勝手|放題)|お気に入り|気に入って|苦手|嫌い(?!では)|愛用|おすすめ|お勧め|オススメ|お薦め|推奨",
    r"[のたるいな](?:方|ほう)が(?:[^。]{0,8})?(?:いい|良い|よい|良かっ|好|使いやす|ありがた|助か|嬉し|うれし|楽|望まし|気に入)",
    r"(?<![立流右左宗硬軟])派(?:です|だ(?!っ)|。|$|なん|かな|なので)",
)

_ORDERED: Final[tuple[tuple[ClaimKind, re.Pattern[str]], ...]] = (
    ("task", _TASK),
    ("preference", _PREFERENCE),
)


def classify_kind(text: str, *, checkbox: bool = False) -> ClaimKind:
    """Return the kind of a claim; what is not clearly something else is a fact.

    >>> [classify_kind(text) for text in ("Never commit secrets.", "I never liked him.")]
    ['policy_hint', 'fact']
    >>> [classify_kind(text) for text in ("金曜日に公開する予定です。", "お茶の方が好きです。")]
    ['task', 'preference']
    >>> classify_kind("buy milk", checkbox=True), classify_kind("[x] buy milk")
    ('task', 'fact')
    """
    said = normalized("NFKC", text).replace("’", "'")
    plain = said.casefold().strip()
    if _POLICY.search(plain):
        return "policy_hint"
    if checkbox:
        return "task"
    if not _DONE_MARK.search(plain):
        if _TASK.search(plain) or (_names_task(said, plain) and not _DONE.search(plain)):
            return "task"
    return "preference" if _PREFERENCE.search(plain) else "fact"


def _names_task(said: str, plain: str) -> bool:
    return bool(_CAPITAL_TASK.search(said) or _NAMED_TASK.search(plain))
