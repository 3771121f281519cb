"""Tell from the parts of a name whether it is that of a secret: dbPass, X_TOKEN, license-key."""

import re
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from pce_memory.text.token_forms import token_formats


class Claim(IntEnum):
    """How much a name says about the value behind it."""

    NOTHING = 0
    MAYBE = 1
    """Such as key, auth, license: the value has to be drawn at random."""
    TOKEN = 2
    SECRET = 3
    """Such as jwt_secret: drawn at random, or words that somebody put together."""
    PASSWORD = 4


# Upper-case words, Capitalised words, lower-case words; digits are nothing.
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|[^\x00-\x7f]+")
_PASSWORD: Final = frozenset(
    re.findall(
        r"\S+",
        "password passwd passwort passphrase passcode pwd pw pass passw pswd psw kennwort senha "
        "contrasena contraseña clave motdepasse mdp wachtwoord пароль userpass dbpass mypass "
        "rootpass dbpassword userpassword mypassword sshpass pgpassword mysqlpwd psk bindpw "
        "rootpw dbpw userpw adminpw adminpass smtppass storepass keypass passcodes parola lozinka "
        "heslo haslo losenord adgangskode salasana sifre parool senhas passphrases passwords "
        "hasło lösenord şifre 비번 暗証番号 パスコード パスフレーズ "
        "密码 密碼 口令 비밀번호 암호 パスワード",
    )
)
_TOKEN: Final = frozenset(
    re.findall(
        r"\S+",
        "secret secrets token tokens apikey apitoken authkey authtoken accesstoken accesskey "
        "secretkey credential credentials cred creds jwt bearer pat apisecret clientsecret "
        "appsecret secretstring",
    )
)
_MAYBE: Final = frozenset(
    re.findall(
        r"\S+",
        "key keys auth authorization authentication api access license licence privkey "
        "signing encryption login webhook hmac dsn sas otp totp signature",
    )
)
_SECRET: Final = frozenset(["secret", "secrets", "clientsecret", "appsecret", "apisecret"])
# A key is that of a secret behind one of these.
_BEFORE_KEY: Final = frozenset(
    re.findall(
        r"\S+",
        "api access secret private priv auth app application client account service license "
        "licence encryption encrypt signing sign master shared subscription storage server db "
        "database admin deploy security activation product webhook jwt hmac aes write read "
        "ingest preshared wifi wlan wpa network",
    )
)
# Words glued together without a sign, as `theapikey` and `mysecretkey`.
_GLUED: Final = re.compile(
    r"(?P<password>.*(?:password|passwd|passphrase|contraseña|contrasena)\w{0,2}"
    r"|(?:db|my|root|admin|user)pass)"
    r"|(?P<token>.*(?:api|auth|service|account|db|database|private|priv|client|secret|access)key"
    r"|.*(?:secret|apitoken|accesstoken|authtoken))",
)
# What a name ends in that is about a secret, and is none.
_ABOUT: Final = frozenset(
    re.findall(
        r"\S+",
        "hash hashed hasher hashes id ids name names type types url urls uri uris path paths "
        "maps file files filename dir directory len length size sizes count counts limit limits "
        "max min total format formats regex pattern prefix suffix field fields class classes "
        "cls index idx version expiry expires expiration expire ttl lifetime age algorithm "
        "algorithms alg algo method methods mode status state error errors scheme endpoint "
        "host hostname server port user username users label title description desc hint help "
        "policy policies rule rules column columns table attr attribute usage ops alias "
        "aliases event events press pressed down up board word words frame frames store ring "
        "vault pair pairs fingerprint thumbprint digest sha sha1 sha256 md5 checksum kid "
        "provider service issuer audience scope scopes role roles group owner source target "
        "date time timestamp created updated at on by from to in is has encoding charset "
        "chars bytes bits arn ref refs reference selector manager handler factory builder "
        "parser reader writer helper util utils test tests spec template model view page form "
        "button input placeholder map list set dict array exists enabled disabled required "
        "optional flag option options config settings params args env var variable env_var "
        "func function callback mgmt location region zone bucket domain strength support "
        "level code codes lock number schema values value_type grant address addresses "
        "zip txt pem gz tgz tar pub crt cer png jpg jpeg svg gif ico md html css js ts py rs exe "
        "json yaml yml toml xml conf ini log csv sh",
    )
)
_PUBLIC: Final = frozenset(
    re.findall(
        r"\S+",
        "public pub primary foreign sort sorted partition hash cache bucket schema hot "
        "natural lookup dict map sequence object s3 translation i18n row group index unique "
        "composite candidate surrogate range keyboard next continuation page pagination "
        "cursor csrf xsrf eos bos pad mask stop special num max min idempotency dedup routing "
        "document doc event query search order legend issuer random",
    )
)
_NAMED_VALUE: Final = frozenset(
    re.findall(
        r"\S+",
        "value string str val plain plaintext text raw b64 base64",
    )
)
# Vendors whose tokens have no form of their own.
_VENDORS: Final = (
    "trello sendbird zendesk twitch twitter travis snyk squarespace kraken kucoin coinbase "
    "bittrex finnhub dropbox cohere codecov confluent drone etsy flickr freshbooks gitter "
    "algolia adafruit datadog fastly jfrog looker mattermost netlify nytimes rapidapi "
    "sumologic zoom asana bitbucket cloudflare discord segment mixpanel amplitude sonar "
    "jenkins softlayer cloudant "
)
_COMMON: Final = frozenset(
    (
        "cloud",
        "docker",
        "maps",
        "more",
        "defined",
        "networking",
        "relic",
        "deploy",
        "code",
        "notion",
    )
)
_LONGEST: Final = 96


@lru_cache(maxsize=4096)
def claim_of(name: str) -> Claim:
    """Tell what a name says about its value.

    >>> [claim_of(name).name for name in ("dbPass", "GITHUB_TOKEN", "licenseKey", "tokenizer")]
    ['PASSWORD', 'TOKEN', 'TOKEN', 'NOTHING']
    >>> [claim_of(name).name for name in ("max_tokens", "credentialsId", "publicKey", "key")]
    ['NOTHING', 'NOTHING', 'NOTHING', 'MAYBE']
    """
    parts = [part.lower() for part in _PARTS.findall(name[-_LONGEST:])]
    while len(parts) > 1 and (parts[-1] in _NAMED_VALUE or len(parts[-1]) == 1):
        parts.pop()
    if not parts or (len(parts) > 1 and parts[-1] in _ABOUT):
        return Claim.NOTHING
    if parts[-1] in {"key", "keys", "token", "tokens"} and not _PUBLIC.isdisjoint(parts[-3:-1]):
        return Claim.NOTHING
    claim = max(_claim_of_part(parts, place) for place in range(len(parts)))
    if claim is Claim.TOKEN and len(parts) > 1 and not _SECRET.isdisjoint(parts):
        return Claim.SECRET
    return Claim.MAYBE if claim is Claim.NOTHING and vendor_words().issuperset(parts) else claim


@cache
def vendor_words() -> frozenset[str]:
    """Return the words that vendors of tokens are called by: a value behind one may be its token.

    >>> vendor_words() >= {"github", "stripe", "trello"}
    True
    """
    names = " ".join([*(row.vendor for row in token_formats()), _VENDORS]).lower()
    return frozenset(re.findall(r"[a-z]{4,}", names)) - _COMMON


def _claim_of_part(parts: list[str], place: int) -> Claim:
    part = parts[place]
    if part in _PASSWORD:
        return Claim.PASSWORD
    if part.startswith("cred") and place and parts[place - 1] == "bind":
        return Claim.PASSWORD
    if part in _TOKEN:
        return Claim.TOKEN
    if part in {"key", "keys"} and place and parts[place - 1] in _BEFORE_KEY:
        return Claim.TOKEN
    if part in _MAYBE:
        return Claim.MAYBE
    glued = _GLUED.fullmatch(part) if len(part) > len("pass") else None
    return _claim_of_glued(part, glued) if glued else Claim.NOTHING


def _claim_of_glued(part: str, glued: re.Match[str]) -> Claim:
    if glued["password"]:
        return Claim.PASSWORD
    return Claim.SECRET if part.endswith("secret") else Claim.TOKEN
