/** Shorter texts would occur as words in many answers. */
const minLengths = {
  /** The minimum length of a token or password. */
  credentials: 3,
  /** The minimum length of a whole header value, which may also be `1`, `on` or `USD`. */
  value: 4,
  /** The minimum length of other parts of a value, such as a user name or an attribute. */
  detail: 6,
} as const

/** Values that are long enough but are not secrets. */
const plainWords = new Set('auto close false gzip html json none null text true utf-8'.split(' '))

/** The maximum number of parts per value. The longest are used, because a value may have a thousand parts. */
const maxAttributes = 16

const schemes = new Set(['api-key', 'apikey', 'basic', 'bearer', 'key', 'token'])

/**
 * Returns the secrets in a header value: the value, the credentials of `Bearer <token>` and `Basic <user:password>`, and the
 * attributes of a list such as cookies. Servers parse values and echo the parts.
 */
export function secretPartsOf(value: string): string[] {
  const trimmed = value.trim()
  const [, scheme = '', rest = ''] = /^(\S+)\s+(\S+)$/.exec(trimmed) ?? []
  const isCredential = schemes.has(scheme.toLowerCase())
  return [
    ...valuePart(trimmed),
    ...(isCredential ? credentialParts(scheme, rest) : valuePart(rest)),
    ...attributeParts(trimmed),
  ]
}

const valuePart = (text: string) =>
  plainWords.has(text.toLowerCase()) ? [] : longEnough([text], minLengths.value)

function credentialParts(scheme: string, credentials: string): string[] {
  if (scheme.toLowerCase() !== 'basic') return longEnough([credentials], minLengths.credentials)
  const both = Buffer.from(credentials, 'base64').toString('utf8')
  const [user = '', ...afterUser] = both.split(':')
  const password = afterUser.join(':')
  return [
    ...longEnough([credentials, both, password], minLengths.credentials),
    // Without a password, the user name is the key.
    ...longEnough([user], password === '' ? minLengths.credentials : minLengths.detail),
  ]
}

function attributeParts(value: string): string[] {
  const attributes = [...value.matchAll(/(?:^|[\s;,])[\w.-]+=("[^"]*"|[^\s;,]*)/g)]
    .map(([, text = '']) => text.replaceAll('"', ''))
    .sort((one, other) => other.length - one.length)
  return longEnough(attributes.slice(0, maxAttributes), minLengths.detail)
}

const longEnough = (texts: readonly string[], minLength: number) =>
  texts.filter(({ length }) => length >= minLength)
