"""The words that show what a sentence is: a rule, a task, a preference; English and Japanese.

The patterns read folded text: NFKC, lower case, straight apostrophes, code and addresses out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of which any is a cue; of a text in ASCII the Japanese ones are not tried."""

    every: re.Pattern[str]
    latin: re.Pattern[str]

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place where a pattern matches."""
        return (self.latin if text.isascii() else self.every).search(text)


# A pattern without Latin letters needs a Japanese word, so no text in ASCII has it.
_LATIN: Final = re.compile(r"(?<!\\)[A-Za-z]")


def _any(*patterns: str) -> Cues:
    latin = [pattern for pattern in patterns if _LATIN.search(pattern)]
    return Cues(_joined(patterns), _joined(latin))


def _joined(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


# What one can be told to do. "Never" and "always" are norms in front of these only: "I never
# liked him" and "we have always lived here" tell of the past.
_WORK: Final = (
    r"(?:add|assume|avoid|block|build|bypass|check|commit|copy|create|delete|deploy|disable|"
    r"document|edit|e-?mail|enable|encrypt|escape|expose|fetch|follow|force|force-push|format|"
    r"hard-?code|ignore|import|include|install|link|lock|log|merge|mix|mock|modify|name|paste|"
    r"pin|post|print|publish|push|query|rebase|redact|release|remove|rename|report|return|reuse|"
    r"review|rotate|run|save|send|set|share|sign|skip|squash|store|test|touch|translate|trust|"
    r"update|upload|use|validate|verify|wrap|write)"
)
_DO: Final = (
    rf"(?:{_WORK}|answer|ask|back|bring|call|change|clean|click|close|confirm|consult|cut|"
    r"describe|discuss|explain|give(?! up)|go|inform|keep|leave|make|mention|obtain|open|pass|put|"
    r"quote|read|refer|reply|respond|speak|start|state|stop|take|talk|tell|treat|turn|wait|wash|"
    r"wear)"
)
_DAY: Final = (
    r"(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|"
    r"sun(?:day)?)\b"
)
_DEADLINE: Final = (
    rf"(?:the )?(?:{_DAY}|end of|(?:next|this) (?:{_DAY}|week|month|year|quarter|sprint|summer|"
    r"autumn|winter|spring|morning|afternoon|evening)|tomorrow|tonight|today|noon|eod\b|eow\b|"
    r"midnight|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|"
    r"[0-9]{1,2}(?:st|nd|rd|th|:| ?[ap]m|/)|20[0-9]{2}-)"
)
# What may be needed, or is not, is no task.
_MAYBE: Final = r"(?<!n't )(?<!not )(?<!no )(?<!a )(?<!the )(?<!may )(?<!might )(?<!would )"
_IF: Final = "(?<!if )(?<!when )(?<!unless )"
_WE: Final = r"\b(?:i|we|you|they|he|she|someone|somebody|everyone)"
_MUST: Final = "(?:なら|なり|いけ|だめ|ダメ)(?!なかった|ませんでした)"
_CLAUSE: Final = r"(?:^|[.:;!?()—–]\s{0,2}|, (?:but |so )?|\bplease |\b(?:must|should|shall) )"

POLICY: Final = _any(
    r"\b(?:must|shall)(?: not|n't)\b(?! have\b)",
    r"\b(?:must|should|shall|may) (?:always|never)\b"
    r"(?! (?:happen|matter|be (?:necessary|needed))\b)",
    r"\b(?:you|we|one|agents?|users?|code|tests?|people) should(?: not|n't) "
    r"(?!take\b|matter\b|have\b|need\b|worry\b|be (?:a|too|long)\b)",
    r"\b(?:nobody|no one|none of us) (?:may|must|shall|should|is allowed)\b",
    rf"{_CLAUSE}(?:never|always)(?:,? ever,?)? {_DO}\b|\band (?:never|always) {_WORK}\b",
    r"^never (?!mind\b|again\b|been\b|had\b|have\b|heard\b|was\b|were\b|in\b|an?\b|the\b|so\b|"
    r"thought\b|knew\b|saw\b|went\b|met\b|felt\b|got\b|really\b|too\b|ever\b|did\b|say never\b|"
    r"give up\b|came\b|done\b|seen\b|gone\b|known\b|tried\b|quite\b|underestimate\b|more\b|"
    r"[a-z]{1,30}(?:ed|ing|[^s]s)\b)[a-z]",
    r"^(?:when|whenever|before|after|if|for|in|on|while)\b.{1,150}, (?:always|never) "
    r"(?![a-z]{1,30}ed\b)[a-z]",
    rf"(?:^|[.:;!?]\s)(?:please )?(?:do not|don't) (?:{_WORK}|call|change|close|leave|open)\b"
    r"(?!.{0,200}\b(?:yet|today|tonight|now|tomorrow)\b)",
    r"\b(?:is|are) (?:strictly |absolutely |completely )?(?:forbidden|prohibited|not allowed|"
    r"not permitted|mandatory|compulsory|obligatory|off[- ]limits|disallowed|banned)\b",
    r"\b(?:is|are) (?:never|not) to (?:be\b|[a-z]{1,20} )",
    r"^(?!.{0,200}\b(?:no|not|isn't|aren't)\b)(?:all|every|each|any)\b.{1,200}"
    r"\b(?:is|are) required\b",
    r"^(?:all|every|each|any|no)\b.{1,100}\b(?:must|may|shall)\b",
    # Many things that must be so are a rule, unless there is a day for it.
    r"\b[a-z-]{2,40}[a-rt-z]s (?:must|may never|may only) (?!have\b|be (?:broken|wrong|"
    r"stale|down|missing|gone|lost|new|old|so|super|very|really|quite|an?|such|"
    r"thrilled|excited|tired|exhausted|awesome|great|happy|fun)\b|bring\b|feel\b|"
    r"mean\b|love\b|like\b|know\b|think\b|taste\b|look\b|seem\b|sound\b|make\b)"
    rf"(?!.{{0,200}}\b(?:by|before) {_DEADLINE})",
    r"\bno [a-z-]{1,40}(?: [a-z-]{1,40}){0,3} (?:is|are) (?:allowed|permitted)\b",
    r"^(?:[a-z]{1,20} ){0,2}(?:rules?|polic(?:y|ies)|guidelines?|conventions?|principles?)"
    r"\s?(?::|—|- )\s{0,4}\S",
    r"\b(?:our|the|this|a|team|house|company|project) (?:[a-z]{1,20} )?"
    r"(?:rule|policy|guideline|convention|principle) "
    r"(?:is (?:to|that|never|not|always)\b|requires\b|says\b|demands\b|states\b|forbids\b)",
    r"\bunder (?:no|any) circumstances\b|\bno exceptions\b|\bat no time\b",
    r"\bonly [a-z]{1,40}(?: [a-z]{1,40}){0,2} (?:may|(?:is|are) (?:allowed|permitted))\b",
    r"禁止(?:です|だ|と(?:する|します|なって(?:いる|います))|する|します|される|されて(?:いる|います)|"
    r"でお願いします)?(?:[。!、」)]|$)",
    r"は(?:一切|原則|全面的?に?|固く|厳しく)?禁止"
    r"(?!で(?:は|も)|じゃ|され(?:た|てい(?:た|ました|ない))|を|が)",
    r"厳禁|べからず|べきで(?:は)?(?:ない|ありません)|べきじゃない|許可なく|無断で",
    r"許可されて(?:いない|いません)|認められ(?:ない|ません)",
    r"は(?:一切|原則)?認め(?:ない|ません)[。!]?$",
    r"(?<!なく)(?:[てで]は|ちゃ|じゃ)(?:いけない|いけません|ならない|なりません|だめ|ダメ|駄目)"
    r"(?:[。!、)]|$|[とがしよね]|です|だ|ので|から|けど|ため|決まり|ルール)",
    r"(?:ない|無い)(?:でください|で下さい|ようにしてください|ようにすること)",
    r"(?<!忘れ)ないように(?:[。!]|$|しましょう|お願いし|願い)",
    r"(?:ご遠慮|お控え)(?:ください|下さい)",
    r"(?:必ず(?!しも)|常に|絶対に?)[^。]{0,80}(?:[てで](?:ください|下さい)|こと[。!]?$|なければ)",
    r"必ず(?!しも)[^。]{0,80}(?:せよ|しろ|ましょう|ようにする)",
    r"(?:常に|絶対に?)[^。]{0,80}[すくうつむぶぐる]な[。!]?$",
    r"^[^。はがも]{0,100}必ず(?!しも)[^。がは]{1,60}[るすくうつむぶぐ][。!]?$",
    # "My hobby is to read books" ends like a rule.
    r"^(?!.{0,200}(?:趣味|目的|目標|夢|理由|役割|仕事|狙い|原因|特徴|利点|欠点|メリット|ポイント|"
    r"意味|問題|課題|コツ|願い|望み|強み|弱み|違い|日課|習慣|特技|の|それ|これ)は)"
    r"[^。]{2,200}(?:[^のいうな。][るすくうつむぶぐ]|(?<!で|に)ない)こと[。!]?$",
    r"(?:する|使う|触る|消す|押す|入れる|書く|見せる|出す|渡す|変える)な[。!]?$",
    r"(?:ポリシー|規約|ルール|規則)(?:は|:|として|では|に従(?:うこと|って(?:ください|下さい)))",
    r"(?:方針|原則)(?::|です|だ[。!]?$)|決まり(?:です|だ(?!った)|。|$)",
    r"必須(?!では|でない|じゃ|かどうか|でなくな)|義務(?:です|だ(?!った)|[付づ]けられて(?:いる|います)|がある)",
    r"(?<!可)不可(?:です|とする|。|$)",
    r"(?:すべて|全て|全部|各|どの|いかなる|あらゆる|全員)[^。]{0,80}なければ(?:なら|なりま|いけ)",
    r"のみ(?:許可|可)(?:する|です|。|$)|以外(?:の[^。]{1,20})?は(?:許可|認め)",
)

REQUEST: Final = _any(
    r"(?:^|[.,:;!?)]\s|@[\w-]{1,40} |\b(?:and|but|can you|could you|ok|okay|so|then|yes) )please "
    r"(?!note\b|see\b|find\b|be\b|enjoy\b|excuse\b|refer\b|visit\b)[a-z]|, please[.!?]?$",
    r"\b(?:can|could|would|will) you (?:please |also |kindly )?"
    rf"(?:{_DO}|fix|book|buy|draft|find|get|help|look|move|order|pick|prepare|schedule)\b",
    r"\bremind (?:me|us|him|her|them) (?:to|about|at|in|next|on|tomorrow|tonight|when|every)\b",
    r"[てで](?:ください|下さい|ほしい|欲しい)(?!と(?:頼|言|書|思|い))",
    r"[てで](?:もらえ(?:ますか|ません|る)|いただけ(?:ますか|ません|る)|いただきたい|"
    r"くれ(?:る|ない|ますか|ません)?[。?]?$|おいて(?:ね|よ)?[。!]?$)",
    r"(?<!よろしく)(?<!宜しく)(?<!どうぞ)お願い"
    r"(?:します|いたします|致します|できますか|したい|[。!]|$)",
)
"""Somebody is asked for something, be it with a question mark."""

TASK: Final = _any(
    rf"{_IF}{_WE} (?:[a-z]{{1,20}} )?{_MAYBE}(?:needs?|have|has|ought) to "
    r"(?!know\b|admit\b|say\b|be (?:one|the|an?|some)\b)",
    r"\b(?:i|we) need (?:you|someone) to [a-z]|\b(?:i|we|you|they)'ve got to [a-z]",
    rf"{_MAYBE}(?<!you )\bneeds? to [a-z]|\bneeds? fixing\b",
    rf"{_MAYBE}(?<!never )(?<!you )\b(?:have|has) to (?!be (?:one|the|an?|some)\b)[a-z]",
    rf"{_IF}{_WE} (?:also |still |really )?must (?!be\b|have\b|not\b|admit\b|enjoy\b|feel\b|"
    r"know\b|like\b|look\b|love\b|mean\b|miss\b|say\b|seem\b|think\b)[a-z]",
    r"\bmust be (?:done|ready|finished|completed|fixed|sent|signed|paid)\b",
    r"\b(?:i|we) (?:really |probably )?should (?:really |also |probably )?"
    rf"(?:{_DO}|book|buy|finish|fix|get|migrate|move|order|pay|prepare|renew|schedule|see)\b",
    rf"\bmust [a-z].{{0,200}}\b(?:by|before) {_DEADLINE}",
    r"\bremember to\b|\b(?:don't|do not|let me not) forget\b",
    r"\bgotta (?!go\b|love\b|say\b|admit\b|be\b)[a-z]",
    r"(?:^|[.,:;!?]\s|\band |\bplease )make sure\b",
    r"\b(?:i|we|they) (?:plan|intend|aim) to [a-z]|\b(?:planning|scheduled|intending) to [a-z]",
    r"\b(?:he|she|team) (?:plans|intends|aims) to [a-z]",
    rf"\bgonna (?:{_WORK}|ask|book|buy|call|change|clean|fix|get|move|order|pay|pick|refactor|"
    r"rewrite|start|switch|visit)\b",
    r"\b(?:am|are|is|[a-z]{1,20}'(?:m|re|s)) going to (?!the\b|a\b|an\b|my\b|our\b|his\b|her\b|"
    r"their\b|bed\b|school\b|work\b|church\b|town\b|rain\b|be\b|[a-z]{1,20}ing\b)[a-z]",
    rf"^(?:{_DO}|book|buy|draft|finish|fix|get|migrate|move|order|pay|prepare|renew|schedule|"
    rf"submit|upgrade|investigate|refactor)\b.{{1,200}}\b(?:by|before|until|on|due) {_DEADLINE}",
    r"^(?:book|buy|cancel|draft|finish|investigate|order|pay|pick up|prepare|renew|schedule) "
    r"(?:the|a|an|my|our|some)\b",
    rf"\b(?:will|'ll) .{{1,120}}\b(?:by|before) {_DEADLINE}",
    rf"\b(?:i|we)(?:'ll| will) .{{1,120}}\b(?:tomorrow|tonight|next (?:week|month|{_DAY})|"
    rf"this (?:week|month|afternoon|evening)|on {_DAY})",
    r"\b(?:is|are) (?:still )?due\b|\bdeadline (?:is|for)\b|^deadline:",
    rf"なければ(?:{_MUST}(?!ないこと|ない[もと国人場])|[。!]|$)|ねばなら",
    rf"な(?:いと|くちゃ|くては|きゃ)(?:{_MUST}|[。!]|$)",
    r"[るすくうつむぶぐぬ]必要が(?:ある(?!場合|とき|時|か)|あります|ありそう|出て)",
    r"忘れず|忘れない(?:よう|で)|リマインド|思い出させて",
    r"(?:[0-9日月曜時分週末朝夜昼夕年度回中前]|明日|今日|[期締]限?)までに、?(?!も)[^。、]{0,40}"
    r"(?:(?<![さてでれい])る|[すくうつむぶぐぬ]|ます|提出|完了|対応|返信|確認|修正|納品|仕上げ)[。!]?$",
    r"[てで]お(?:く|きます|こう)[。!]?$|つもり(?:です|だ(?!った)|[。!]|$)",
)

NAMED_TASK: Final = _any(
    r"^(?:todo|to-do|fixme|action items?|next steps?)\b\s*(?:[:(\[—–-]|$)",
    r"やること(?:[:は]|リスト|が(?:ある|あります|多|残)|[。!]|$)",
    r"やるべきこと|(?:宿題|タスク)[:は]|予定が(?:ある|あります|入って)",
    r"(?:締め?切り?|期限|〆切)(?:[:は]|が)(?!.{0,40}(?:でした|だった|過ぎ|延び|延長|ない|なし))",
    r"(?:[るすくうつむぶぐぬ]|[\u4e00-\u9fff\u30a1-\u30fc])予定"
    r"(?:です|だ(?!った)|で(?!し|は|も|あった)|となって|になって|[。!、]|$)",
)
"""What is called a task by name, unless it says that it is over."""
CAPITAL_TASK: Final = re.compile(r"\b(?:TODO|FIXME)\b(?! (?:apps?|lists?|comments?|files?)\b)")
"""The same in capitals, anywhere; it reads text as it was written."""

DONE_MARK: Final = _any(
    r"^\s*(?:\[[x✓✔]\]|[☑✅✔])",
    r"^\W{0,3}(?:done|finished|completed|fixed|resolved|完了|済み?|対応済み?|終了)\W{0,2}"
    r"(?:[:\])】-]|$)",
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
    r"(?<!if you )\bprefer(?:s|red|ring)?\b",
    r"\b(?:my|our|his|her|their|user's|personal|strong) preferences?\b",
    r"\bpreference (?:is|for)\b|\bfavou?rites?\b|\brecommend(?:s|ed)?\b",
    r"(?<!if you)'d (?:much )?rather\b|(?<!if you )\bwould (?:much )?rather\b",
    r"\bmore of an? [a-z-]{1,20} person\b",
    r"\b(?:i|we|he|she|they)(?:'d| would) (?:choose|go|have|pick|take|use)\b.{1,80}"
    r"\b(?:rather than|instead of|over)\b",
    r"\blikes? .{1,80}\b(?:better|more than|best)\b",
    r"\bi find .{1,60}\b(?:nicer|easier|better|clearer|more pleasant)\b",
    r"\b(?:i|we|they|users) (?:[a-z]{1,10}ly |also |still |just |do |both |all )?"
    r"(?:like|love|hate|dislike|enjoy|adore)\b(?! to (?:know|ask|see|hear)\b)",
    r"\b(?:don't|doesn't|do not|does not) (?:really |much )?(?:like|love|enjoy)\b",
    r"(?<!many )(?<!more )(?<!the )(?<!of )(?<!few )(?<!got )(?<!get )(?<!look)(?<!0 )"
    r"\b(?:likes|loves|hates|dislikes|enjoys|adores|favou?rs)\b",
    r"\bcan't stand\b|\b(?:big|huge|not a|great) fan of\b",
    r"(?<!り)好み(?!取)|好まし|大好き|好き(?!勝手|放題)|お気に入り|気に入って|愛用",
    r"苦手|嫌い(?!では|[一-龠])|嫌が",
    r"おすすめ|お勧め|オススメ|お薦め|推奨|避けたい",
    r"希望(?:です|し(?:ます|ている|ています)|する(?:[。!]|$))",
    r"[のたるいな](?:方|ほう)が(?:[^。]{0,8})?(?:いい|良い|よい|良かっ|好|やすい|やすく|ありがた|"
    r"助か|嬉し|うれし|楽|望まし|気に入|しっくり)",
    r"(?<![立流右左宗硬軟])派(?:です|だ(?!っ)|[。!]|$|なん|かな|なので)",
    r"(?<!天気)(?<!調子)(?<!都合)(?<!気分)(?<!性格)(?<!効率)(?<!景気)(?<!体調)(?<!評判)(?<!相性)"
    r"(?<!具合)(?<!感じ)(?<![頭仲運割縁])がいい(?:です|な|なあ|かな)?[。!]?$",
)
