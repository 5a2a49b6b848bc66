import { createHash, randomBytes } from 'node:crypto'
import { parseParameters, splitList } from './header-value.js'
import { type Header, headersOf, type SipResponse } from './message.js'

export interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  readonly algorithm: 'MD5' | 'SHA-256'
  /** Whether the challenge names its algorithm. The answer repeats it. */
  readonly isAlgorithmNamed: boolean
  /** Whether the server takes `qop=auth`. Without, the answer follows RFC 2069. */
  readonly hasQop: boolean
  readonly isStale: boolean
}

/** Returns null if the challenge is not Digest, or asks for what this client cannot do. */
export function parseChallenge(value: string): Challenge | null {
  const [, rest = ''] = /^Digest\s+(.+)$/i.exec(value.trim()) ?? []
  const parameters = parseParameters(splitList(rest))
  const realm = parameters.get('realm')
  const nonce = parameters.get('nonce')
  if (realm === undefined || nonce === undefined) return null
  const named = parameters.get('algorithm')
  const algorithm = (named ?? 'MD5').toUpperCase()
  if (algorithm !== 'MD5' && algorithm !== 'SHA-256') return null
  const qop = parameters.get('qop')
  const hasQop = qop?.split(',').some((word) => word.trim().toLowerCase() === 'auth') ?? false
  if (qop !== undefined && !hasQop) return null
  return {
    realm,
    nonce,
    opaque: parameters.get('opaque') ?? null,
    algorithm,
    isAlgorithmNamed: named !== undefined,
    hasQop,
    isStale: parameters.get('stale')?.toLowerCase() === 'true',
  }
}

export interface Account {
  readonly username: string
  readonly password: string
}

export interface AnsweredRequest {
  readonly method: string
  readonly uri: string
  readonly nonceCount: number
  readonly cnonce: string
}

/** Returns the value of an Authorization header: RFC 2617 and RFC 7616. */
export function answerChallenge(challenge: Challenge, account: Account, request: AnsweredRequest): string {
  const hash = (text: string) =>
    createHash(challenge.algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const { realm, nonce, opaque, hasQop } = challenge
  const { method, uri, cnonce } = request
  const count = request.nonceCount.toString(16).padStart(8, '0')
  const secret = hash(`${account.username}:${realm}:${account.password}`)
  const subject = hash(`${method}:${uri}`)
  const response = hash(
    (hasQop ? [secret, nonce, count, cnonce, 'auth', subject] : [secret, nonce, subject]).join(':'),
  )
  return `Digest ${[
    `username=${quote(account.username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${response}"`,
    ...(challenge.isAlgorithmNamed ? [`algorithm=${challenge.algorithm}`] : []),
    ...(opaque === null ? [] : [`opaque=${quote(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${count}`, `cnonce="${cnonce}"`] : []),
  ].join(', ')}`
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

const kinds = [
  { challenge: 'www-authenticate', answer: 'authorization' },
  { challenge: 'proxy-authenticate', answer: 'proxy-authorization' },
] as const

/** The account of a line, with the challenges that its server has sent. */
export class Credentials {
  readonly #account: Account
  readonly #known = new Map<string, { readonly challenge: Challenge; count: number }>()

  constructor(account: Account) {
    this.#account = account
  }

  /** Returns the headers that answer the last known challenges. */
  headersFor(method: string, uri: string): Header[] {
    return [...this.#known].map(([name, known]) => {
      known.count += 1
      const request = { method, uri, nonceCount: known.count, cnonce: randomBytes(8).toString('hex') }
      return [name, answerChallenge(known.challenge, this.#account, request)]
    })
  }

  /**
   * Keeps the challenges of a 401 or 407, and says whether the last nonce was only too old. Returns null if this client
   * can answer none. In a dialog, only realms count that the server has used before: the other side of a call could
   * otherwise collect answers.
   */
  learn(response: SipResponse, isInDialog: boolean): 'fresh' | 'stale' | null {
    let outcome: 'fresh' | 'stale' | null = null
    const realms = new Set([...this.#known.values()].map(({ challenge }) => challenge.realm))
    for (const kind of kinds) {
      const challenge = strongest(headersOf(response, kind.challenge))
      if (challenge === null || (isInDialog && !realms.has(challenge.realm))) continue
      this.#known.set(kind.answer, { challenge, count: 0 })
      outcome = challenge.isStale ? 'stale' : (outcome ?? 'fresh')
    }
    return outcome
  }
}

function strongest(values: readonly string[]): Challenge | null {
  const challenges = values.map(parseChallenge).filter((challenge) => challenge !== null)
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0] ?? null
}
