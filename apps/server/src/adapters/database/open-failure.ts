import { causesOf, isFull, isOutage, isReadOnly } from './outage.js'

const unresolvedCodes = /^(ENOTFOUND|EAI_AGAIN)$/
const silentCodes = /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
const silentWords = /^(timeout expired|timeout exceeded when trying to connect|Query read timeout)/
const startingCode = '57P03'
const refusedUserCodes = /^(28000|28P01)$/
const noDatabaseCode = '3D000'

/**
 * Explains why the server could not be opened: which setting is concerned, and what to check. Returns other
 * errors unchanged.
 */
export function explainOpenFailure(error: unknown, url: string): unknown {
  const reason = describe(error, url)
  return reason === null ? error : new Error(reason, { cause: error })
}

function describe(error: unknown, url: string): string | null {
  const address = addressOf(url)
  const said = causesOf(error).at(-1)?.message ?? ''
  const isOneOf = (codes: RegExp) => causesOf(error).some(({ code }) => codes.test(code))
  if (isOneOf(refusedUserCodes))
    return `PostgreSQL at ${address} rejects the user or the password of DATABASE_URL: ${said}.`
  if (causesOf(error).some(({ code }) => code === noDatabaseCode))
    return `PostgreSQL at ${address} does not have the database of DATABASE_URL: ${said}.`
  if (!isOutage(error)) return null
  if (isOneOf(unresolvedCodes))
    return `the host name in ${address} cannot be resolved. Check the name in DATABASE_URL, and the DNS.`
  if (causesOf(error).some(({ code, message }) => silentCodes.test(code) || silentWords.test(message)))
    return `there is no response from ${address}; is a firewall blocking it? The address comes from DATABASE_URL.`
  if (causesOf(error).some(({ code }) => code === startingCode) || isFull(error) || isReadOnly(error))
    return `PostgreSQL at ${address} is running, but cannot be used yet: ${said}.`
  return `nothing answers at ${address}; is it running? The address comes from DATABASE_URL.`
}

/** Returns the host and port, or the folder of the server's socket. */
function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(searchParams.get('host') ?? (hostname || 'localhost'))
  return host.startsWith('/') ? host : `${host}:${port || searchParams.get('port') || '5432'}`
}
