/** Something that a server may give back of a secret, and from which length on it is one. */
export interface SecretPart {
  readonly text: string
  readonly minLength: number
}

/** Even as a word of its own, what is shorter would be found in every other answer. */
const minLengths = {
  /** What stands where a token or password does. */
  credentials: 3,
  /** A header's value: it may be `1`, `on` or `USD` as well. */
  value: 4,
  /** What a value holds besides, such as a user's name or an attribute. */
  detail: 6,
} as const

/** Values that are no secrets although they are long enough for one. */
const plainWords = new Set([
  'auto',
  'close',
  'false',
  'gzip',
  'html',
  'json',
  'none',
  'null',
  'text',
  'true',
  'utf-8',
])

/** So many attributes of one value are concealed, the longest first; a value may be made of a thousand. */
const maxAttributes = 16

const schemes = new Set(['api-key', 'apikey', 'basic', 'bearer', 'key', 'token'])

/**
 * A header's value and what it is made of: `Bearer <token>`, `Basic <user:password in Base64>`, `name=value` in a list,
 * as cookies are. Servers read values apart, and give back what they have read.
 */
export function secretPartsOf(value: string): SecretPart[] {
  const whole = value.trim()
  const [, scheme = '', rest = ''] = /^(\S+)\s+(\S+)$/.exec(whole) ?? []
  return [
    ...valuePart(whole),
    ...(schemes.has(scheme.toLowerCase()) ? credentialParts(scheme, rest) : valuePart(rest)),
    ...attributeParts(whole),
  ]
}

function valuePart(text: string): SecretPart[] {
  return plainWords.has(text.toLowerCase()) ? [] : [{ text, minLength: minLengths.value }]
}

function credentialParts(scheme: string, credentials: string): SecretPart[] {
  const minLength = minLengths.credentials
  const given = { text: credentials, minLength }
  if (scheme.toLowerCase() !== 'basic') return [given]
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
  const [user = '', ...afterUser] = userAndPassword.split(':')
  const password = afterUser.join(':')
  return [
    given,
    { text: userAndPassword, minLength },
    { text: password, minLength },
    // Without a password the user is the key.
    { text: user, minLength: password === '' ? minLength : minLengths.detail },
  ]
}

function attributeParts(value: string): SecretPart[] {
  return [...value.matchAll(/(?:^|[\s;,])[\w.-]+=("[^"]*"|[^\s;,]*)/g)]
    .map(([, text = '']) => text.replaceAll('"', ''))
    .sort((one, other) => other.length - one.length)
    .slice(0, maxAttributes)
    .map((text) => ({ text, minLength: minLengths.detail }))
}
