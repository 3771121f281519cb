"""The words that show what a sentence is: a rule, a task, a preference; English and Japanese.

The patterns read folded text: NFKC, lower case, straight apostrophes, code and addresses out.
"""

import re
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


# What one can be told to do. "Never" and "always" are norms in front of these only: "I never
# liked him" and "we have always lived here" tell of the past.
_DO: Final = (
    r"(?:add|answer|ask|assume|avoid|back|block|bring|build|bypass|call|change|check|click|clean|"
    r"close|commit|copy|create|cut|delete|deploy|describe|disable|discuss|document|edit|e-?mail|"
    r"enable|encrypt|escape|explain|expose|fetch|follow|force|force-push|format|give|go|hard-?code|"
    r"ignore|import|include|install|keep|leave|link|lock|log|make|mention|merge|mix|mock|modify|"
    r"name|open|pass|paste|pin|print|publish|push|put|query|read|rebase|redact|release|remove|"
    r"rename|reply|report|respond|return|reuse|review|rotate|run|save|send|set|share|show|sign|"
    r"skip|squash|start|stop|store|take|talk|tell|test|touch|translate|trust|turn|update|upload|"
    r"use|validate|verify|wait|wear|wrap|write)"
)
_DAY: Final = (
    r"(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|"
    r"sun(?:day)?)\b"
)
_DEADLINE: Final = (
    rf"(?:the )?(?:{_DAY}|end of|next|this|tomorrow|tonight|today|noon|eod\b|eow\b|midnight|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"[0-9]{1,2}(?:st|nd|rd|th|:| ?[ap]m|/)|20[0-9]{2}-)"
)
_WE: Final = r"\b(?:i|we|you|they|he|she|someone|somebody|everyone)"
_CLAUSE: Final = (
    r"(?:^|[.:;!?()—–]\s{0,2}|, (?:and |but |so )?|\band |\bplease |\b(?:must|should|shall) )"
)

POLICY: Final = _any(
    r"\b(?:must|shall)(?: not|n't)\b(?! have\b)",
    r"\b(?:must|should|shall|may) (?:always|never)\b",
    r"\b(?:you|we|one|agents?|users?|code|tests?|people) should(?: not|n't) "
    r"(?!take\b|matter\b|have\b|worry\b|be (?:a|too|long)\b)",
    r"\b(?:nobody|no one|none of us) (?:may|must|shall|should|is allowed)\b",
    rf"{_CLAUSE}(?:never|always)(?:,? ever,?)? {_DO}\b",
    r"^never (?!mind\b|again\b|been\b|had\b|have\b|heard\b|has\b|was\b|were\b|in\b|a\b|the\b|"
    r"thought\b|knew\b|saw\b|went\b|met\b|felt\b|got\b|really\b|too\b|ever\b|did\b|say never\b|"
    r"[a-z]{1,30}ed\b)[a-z]",
    r"^always (?!been\b|had\b|was\b|were\b|in\b|a\b|the\b|my\b|so\b|on\b|at\b|happy\b|nice\b|"
    r"good\b|great\b|fun\b|remember\b|[a-z]{1,30}(?:ed|ing)\b)[a-z]",
    r"^(?:when|whenever|before|after|if|for|in|on|while)\b.{1,150}, (?:always|never) "
    r"(?![a-z]{1,30}ed\b)[a-z]",
    rf"(?:^|[.:;!?]\s)(?:please )?(?:do not|don't) {_DO}\b"
    r"(?!.{0,200}\b(?:yet|today|tonight|now|tomorrow)\b)",
    r"\b(?:is|are) (?:strictly |absolutely |completely )?(?:forbidden|prohibited|not allowed|"
    r"not permitted|mandatory|compulsory|obligatory|off[- ]limits|disallowed|banned)\b",
    r"\b(?:is|are) (?:never|not) to (?:be\b|[a-z]{1,20} )",
    r"^(?!.{0,200}\b(?:no|not|isn't|aren't)\b)(?:all|every|each|any)\b.{1,200}"
    r"\b(?:is|are) required\b",
    r"^(?:all|every|each|any|no)\b.{1,100}\b(?:must|may|shall)\b",
    # Many things that must be so are a rule, unless there is a day for it.
    r"\b[a-z-]{2,40}[a-rt-z]s (?:must|may never|may not|may only) (?!have\b|be (?:broken|wrong|"
    rf"stale|down|missing|gone|lost|new|old)\b)(?!.{{0,200}}\b(?:by|before) {_DEADLINE})",
    r"\bno [a-z-]{1,40}(?: [a-z-]{1,40}){0,3} (?:is|are) (?:allowed|permitted)\b",
    r"^(?:[a-z]{1,20} ){0,2}(?:rules?|polic(?:y|ies)|guidelines?|conventions?|principles?)"
    r"\s?(?::|—|- )",
    r"\b(?:our|the|this|a|team|house|company|project) (?:[a-z]{1,20} )?"
    r"(?:rule|policy|guideline|convention|principle) "
    r"(?:is (?:to|that|never|not|always)\b|requires\b|says\b|demands\b|states\b|forbids\b)",
    r"\bunder (?:no|any) circumstances\b|\bno exceptions\b|\bat no time\b",
    r"\bonly [a-z]{1,40}(?: [a-z]{1,40}){0,2} (?:may|(?:is|are) (?:allowed|permitted))\b",
    r"禁止(?!では|じゃ|され(?:た|てい(?:た|ました|ない))|を解|が解|かどうか|令|事項|区域)",
    r"厳禁|べからず|べきで(?:は)?(?:ない|ありません)|べきじゃない|許可なく|無断で",
    r"許可されて(?:いない|いません)|認められ(?:ない|ません)|は(?:一切|原則)?認め(?:ない|ません)[。!]?$",
    r"(?<!なく)(?:[てで]は|ちゃ|じゃ)(?:いけない|いけません|ならない|なりません|だめ|ダメ|駄目)",
    r"(?:ない|無い)(?:でください|で下さい|ようにしてください|ようにすること)",
    r"(?<!忘れ)ないように(?:[。!]|$|しましょう|お願いし|願い)|(?:ご遠慮|お控え)(?:ください|下さい)",
    r"必ず(?!しも)[^。]{0,80}(?:てください|て下さい|こと[。!]?$|せよ|しろ|なければ|ましょう|ようにする)",
    r"(?:常に|絶対に?)[^。]{0,80}(?:てください|て下さい|こと[。!]?$|なければ|[すくうつむぶぐる]な[。!]?$)",
    r"^[^。はがも]{0,100}必ず(?!しも)[^。がは]{1,60}[るすくうつむぶぐ][。!]?$",
    r"^(?!.{0,200}(?:趣味|目的|目標|夢|理由|役割|仕事|狙い|原因|特徴|利点|欠点|メリット|ポイント|意味|"
    r"問題|課題|コツ|願い|望み|強み|弱み|違い|日課|習慣|特技|の|それ|これ)は)"
    r"[^。]{2,200}(?:[^のいうな。][るすくうつむぶぐ]|(?<!で|に)ない)こと[。!]?$",
    r"(?:する|使う|触る|消す|押す|入れる|書く|見せる|出す|渡す|変える)な[。!]?$",
    r"(?:ポリシー|規約|方針|ルール|規則|原則)(?:は|:|として|では|に従)|決まり(?:です|だ(?!った)|。|$)",
    r"必須(?!では|でない|じゃ|かどうか|でなくな)|義務(?:です|だ(?!った)|付け|づけ|がある)",
    r"(?<!可)不可(?:です|とする|。|$)",
    r"(?:すべて|全て|全部|各|どの|いかなる|あらゆる|全員)[^。]{0,80}なければ(?:なら|なりま|いけ)",
    r"のみ(?:許可|可)(?:する|です|。|$)|以外(?:の[^。]{1,20})?は(?:許可|認め)",
)

TASK: Final = _any(
    rf"{_WE} (?:[a-z]{{1,20}} )?(?<!n't )(?<!not )(?:needs?|have|has|ought|got) to "
    r"(?!know\b|admit\b|say\b|be (?:one|the|an?|some)\b)",
    r"\b(?:i|we) need (?:you|someone) to [a-z]",
    r"\b(?:i|we|you|they)'ve got to [a-z]|(?<!no )(?<!n't )(?<!not )\bneeds? to [a-z]",
    r"(?<!n't )(?<!not )(?<!never )\b(?:have|has) to (?!be (?:one|the|an?|some)\b)[a-z]",
    r"\bgotta\b|\bneeds? fixing\b",
    rf"{_WE} (?:also |still |really )?must (?!be\b|have\b|not\b)[a-z]",
    r"\bmust be (?:done|ready|finished|completed|fixed|sent|signed|paid)\b",
    r"\b(?:i|we) (?:really |probably )?should (?:really |also |probably )?"
    r"(?!not\b|never\b|always\b|be\b|have\b)[a-z]",
    rf"\bmust [a-z].{{0,200}}\b(?:by|before) {_DEADLINE}",
    r"\bremind (?:me|us|him|her|them)\b|\bremember to\b|\b(?:don't|do not|let me not) forget\b",
    r"\bmake sure\b|\bplease (?!note\b|see\b|find\b|be\b|enjoy\b|excuse\b)[a-z]|, please[.!]?$",
    r"\b(?:can|could|would|will) you (?:please |also |kindly )?"
    rf"(?:{_DO}|fix|book|buy|draft|find|get|help|look|move|order|pick|prepare|schedule)\b",
    r"\b(?:plans?|planning|scheduled|intends?|intending|aims?) to (?!the\b)[a-z]|\bgonna [a-z]",
    r"\b(?:am|are|is|[a-z]{1,20}'(?:m|re|s)) going to (?!the\b|a\b|an\b|my\b|our\b|his\b|her\b|"
    r"their\b|bed\b|school\b|work\b|church\b|town\b|rain\b|be\b|[a-z]{1,20}ing\b)[a-z]",
    rf"^(?:{_DO}|book|buy|draft|finish|fix|get|migrate|move|order|pay|prepare|renew|schedule|"
    rf"submit|upgrade|investigate|refactor)\b.{{1,200}}\b(?:by|before|until|on|due) {_DEADLINE}",
    r"^(?:book|buy|call|cancel|draft|e-?mail|finish|fix|investigate|order|pay|pick up|prepare|"
    r"renew|return|schedule|send|submit|write) (?:the|a|an|my|our|some|him|her|them)\b",
    rf"\b(?:will|'ll) .{{1,120}}\b(?:by|before) {_DEADLINE}",
    rf"\b(?:i|we)(?:'ll| will) .{{1,120}}\b(?:tomorrow|tonight|next (?:week|month|{_DAY})|"
    rf"this (?:week|month|afternoon|evening)|on {_DAY})",
    r"\b(?:is|are) (?:still )?due\b|\bdeadline (?:is|for)\b|^deadline:",
    r"なければ(?:なら|なり|いけ|だめ|ダメ|[。!]|$)|ねばなら",
    r"な(?:いと|くちゃ|くては|きゃ)(?:いけ|だめ|ダメ|なら|なり|[。!]|$)",
    r"[るすくうつむぶぐぬ]必要が(?:ある|あります|ありそう|出て)",
    r"[てで](?:ください|下さい|ほしい|欲しい|もらえ(?:ますか|る|ません)|いただけ(?:ますか|ません|る)|"
    r"いただきたい|くれ(?:る|ない|ますか|ません)?[。?]?$)",
    r"(?<!よろしく)(?<!宜しく)(?<!どうぞ)お願い(?:します|いたします|致します|できますか|したい|[。!]|$)",
    r"忘れず|忘れない(?:よう|で)|リマインド|思い出させて",
    r"までに[^。]{0,60}(?:[るすくうつむぶぐぬ]|ます|提出|完了|対応|返信|確認|修正|納品|仕上げ)[。!]?$",
    r"[てで]お(?:く|きます|こう|いて(?:ね|よ)?)[。!]?$|つもり(?:です|だ(?!った)|[。!]|$)",
)

NAMED_TASK: Final = _any(
    r"^(?:todo|to-do|fixme|action items?|next steps?)\b\s*(?:[:(\[—–-]|$)",
    r"やること(?:[:は]|リスト|が(?:ある|あります|多|残)|[。!]|$)|やるべきこと|宿題[:は]|タスク[:は]",
    r"(?:締め?切り?|期限|〆切)(?:[:は]|が)(?!.{0,40}(?:でした|だった|過ぎ|延び|延長|ない|なし))",
    r"(?:[るすくうつむぶぐぬ]|[\u4e00-\u9fff\u30a1-\u30fc])予定"
    r"(?:です|だ(?!った)|で(?!し|は|も)|となって|になって|[。!、]|$)|予定が(?:ある|あります|入って)",
)
"""What is called a task by name, unless it says that it is over."""
CAPITAL_TASK: Final = re.compile(r"\b(?:TODO|FIXME)\b(?! (?:apps?|lists?|comments?|files?)\b)")
"""The same in capitals, anywhere; it reads text as it was written."""

DONE_MARK: Final = _any(
    r"^\s*(?:\[[x✓✔]\]|[☑✅✔])",
    r"^\W{0,3}(?:done|finished|completed|fixed|resolved|完了|済み?|対応済み?|終了)\W{0,2}(?:[:\])-]|$)",
    r"[(\[【](?:done|finished|completed|完了|済み?|対応済み?)[)\]】]\W{0,2}$",
)
"""A task with this mark is over, whatever else it says."""
DONE: Final = _any(
    r"\b(?:is|are|was|were|been|all|already|just|has|have|i|we) (?:now |all |already |just )?"
    r"(?:done|finished|completed|resolved|closed)\b",
    r"(?:完了|終了|対応|修正|実施|提出|納品|消化)(?:した|しました|済み?|です|[。!]|$)",
    r"終わ(?:った|りました|って(?:いる|います))|(?:終え|済ませ|片付け)(?:た|ました)",
)

PREFERENCE: Final = _any(
    r"\bprefer(?:s|red|ring)?\b|\b(?:my|our|his|her|their|user's|personal|strong) preferences?\b",
    r"\bpreference (?:is|for)\b|\bfavou?rites?\b|\brecommend(?:s|ed|ation)?\b",
    r"\b(?:would|'d) (?:much )?(?:rather|sooner)\b|\bmore of an? [a-z-]{1,20} person\b",
    r"\bwould (?:choose|go|have|pick|take|use)\b.{1,80}\b(?:rather than|instead of|over)\b",
    r"\blikes? .{1,80}\b(?:better|more than|best)\b",
    r"\bi find .{1,60}\b(?:nicer|easier|better|clearer|more pleasant)\b",
    r"\b(?:i|we|you|they|users) (?:[a-z]{1,10}ly |also |still |just |do |both |all )?"
    r"(?:like|love|hate|dislike|enjoy|adore)\b(?! to (?:know|ask|see|hear)\b)",
    r"\b(?:don't|doesn't|do not|does not) (?:really |much )?(?:like|love|enjoy)\b",
    r"(?<!many )(?<!more )(?<!the )(?<!of )(?<!few )(?<!got )(?<!get )(?<!look)(?<!0 )"
    r"\b(?:likes|loves|hates|dislikes|enjoys|adores|favou?rs)\b",
    r"\bcan't stand\b|\b(?:big|huge|not a|great) fan of\b",
    r"好み|好まし|大好き|好き(?!勝手|放題)|お気に入り|気に入って|苦手|嫌い(?!では)|嫌が|愛用",
    r"おすすめ|お勧め|オススメ|お薦め|推奨|避けたい|希望(?:です|し(?:ます|ている)|する)",
    r"[のたるいな](?:方|ほう)が(?:[^。]{0,8})?(?:いい|良い|よい|良かっ|好|やすい|やすく|ありがた|助か|"
    r"嬉し|うれし|楽|望まし|気に入|しっくり)",
    r"(?<![立流右左宗硬軟])派(?:です|だ(?!っ)|[。!]|$|なん|かな|なので)",
    r"(?<!天気)(?<!調子)(?<!都合)(?<!気分)(?<!性格)(?<!効率)(?<!景気)(?<!体調)(?<!評判)(?<!相性)"
    r"(?<!具合)(?<!感じ)(?<![頭仲運割縁])がいい(?:です|な|なあ|かな)?[。!]?$",
)
