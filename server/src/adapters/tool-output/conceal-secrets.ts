/** Takes secrets out of a text. */
export interface Concealer {
  (text: string): string
  /** No spelling of a secret is longer: what was cut off a text may have split one of this length. */
  readonly longestLength: number
}

/** What is shorter protects nothing, and would be found in every other answer ("1", "true", "json"). */
const minSecretLength = 6

/** Conceals values in every spelling in which a server is likely to give them back. */
export function concealerOf(values: Iterable<string>): Concealer {
  const secrets = [...values].flatMap(partsOf).filter((part) => part.length >= minSecretLength)
  // The longest first: a secret that holds another one must not be left with its rest showing.
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((one, other) => other.length - one.length)
  const conceal = (text: string) =>
    spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[secret]'), text)
  return Object.assign(conceal, { longestLength: spellings[0]?.length ?? 0 })
}

/** A header value, and what it is made of: `Bearer <token>`, `Basic <user:password in Base64>`. */
function partsOf(value: string): string[] {
  const trimmed = value.trim()
  const [, scheme, credentials] = /^(\S+)\s+(\S+)$/.exec(trimmed) ?? []
  if (scheme === undefined || credentials === undefined) return [trimmed]
  if (scheme.toLowerCase() !== 'basic') return [trimmed, credentials]
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
  return [trimmed, credentials, userAndPassword, userAndPassword.split(':').slice(1).join(':')]
}

function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())]
}
