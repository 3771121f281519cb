"""What stands between the name of a secret and its value, in any syntax that assigns one."""

import re
from typing import Final

# What stands between a name and its value. The first group of signs ends the name.
LINK: Final = re.compile(
    r"""
    (?: [ ]?\([^()\n"'=]{1,24}\)
      | (?:[ ](?:for|of|on|in|to|the|prod|dev|test)\b[^\n:="']{0,32}?)? )
    (?P<closed> (?:\\{0,3}["'`”’)\]*}]|%22|&quot;){0,4} )
    (?:
      # An element of its own: `"password": {"type": "string", "value": …`.
      [ \t]*[:=]\s{0,16}\{?\s{0,16}
        (?:["']?\w{1,16}["']?\s?[:=]\s?["'\w]{1,24},?\s{0,16}){0,2}["']?(?:value|default
        |current|plain)["']?\s?[:=] |
      # A declared type: `token: str = `, `token string = `.
      (?: \s?:\s?[A-Za-z&][\w.&<>\[\]|? ]{0,40}? | [ ](?:string|str|String|text|varchar) )?
      [ \t]* (?: [|&?+.:~!]{0,3}=(?:>|={1,2}|~)? (?!\s*[\[(]?\s*\n\s*[\w.-]+\s*[=:]) )
    | [ \t]* (?P<colon> :{1,3}(?!/)(?:[ \t]{0,4}[|>][+-]?[ \t]*\r?\n)? | -> | => | → | \|\|?: )
    | [ \t]* (?: (?:\s|,|;){1,3}\s{0,16} ["']?(?:value|default|Value|content)["']?\s{0,2}[=:] )
    | \s{0,2} (?P<comma>,) (?=\s{0,4}(?:\\?["'`]|new\s|[a-zA-Z.]{1,20}\(\\?["']))
    | (?P<cell> [ \t]*\|[ \t]* | \t )
    | (?P<tag>(?:\s[\w:-]{1,24}=["'][^"'\n<>]{0,40}["']){0,2}\s?>)        # <token type="x">
    | \s{0,2}</\w{1,16}>\s{0,16}<\w{1,16}>                                 # <key>X</key><string>
    | \s{0,2}\{\s{1,8}(?:\w{1,16}\s{0,8}=\s{0,2}[^\n{}]{0,60}\n\s{0,8}){0,3}default\s{0,8}=
    | [ \t]{1,3}(?:is|was|are|to|as|=|equals|will\ be)(?:[ \t]{1,3}(?:now|still|set\ to))? [ \t:]
    | (?P<call> \((?=["'`]) )
    | (?P<gap> [ \t]{1,4} )
    )
    (?P<space> \s{0,24} )
    """,
    re.VERBOSE,
)
OPENED: Final = re.compile(
    r"(?:(?:new\s)?[A-Za-z_.]{0,24}\(\s?(?=\\{0,3}[\"'`]))?(?:[\[({]\s{0,40}|\s)?"
    r"(?:(?:Bearer|Basic|Token|bearer|token|basic)\s)?(?:[~@$brfuRL]{1,2}(?=[\"'`]))?"
    r"(?P<quote>\\{0,3}(?:\"{3}|'{3}|[\"'`“‘]|%22|&quot;))?"
    r"(?:(?:Bearer|Basic|Token|bearer|token|basic)\s)?"
)
