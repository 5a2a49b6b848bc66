import { isIP, isIPv6 } from 'node:net'
import { parseUrl } from '@parley/contract'
import { z } from 'zod'
import { commaSeparated, wholeNumber } from './setting-schemas.js'

const bracketed = /^\[[\da-f:.]+\]$/i
const label = '[a-z\\d_](?:[a-z\\d_-]*[a-z\\d_])?'
const hostName = new RegExp(`^${label}(?:\\.${label})*$`, 'i')

/** Returns the host as a URL spells it. Returns null if a URL would turn it into another address (127.1, 0x7f000001). */
function canonicalHost(text: string): string | null {
  const hostname = parseUrl(`http://${text}`)?.hostname
  if (hostname === undefined) return null
  if (bracketed.test(text)) return hostname
  return hostName.test(text) && hostname === text.toLowerCase() ? hostname : null
}

function isListenHost(text: string): boolean {
  return canonicalHost(isIPv6(text) ? `[${text}]` : text) !== null && !bracketed.test(text)
}

export const listenHost = z
  .string()
  .refine(isListenHost, 'is neither a host name nor an IP address')
  .describe('a host name or an IP address')

const hostAndPort = z
  .string()
  .transform((text, context) => {
    const [, name = '', digits] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
    const host = canonicalHost(name)
    const port = digits === undefined ? null : Number(digits)
    if (host === null || (port !== null && (port < 1 || port > 65_535))) {
      context.addIssue('is not host or host:port')
      return z.NEVER
    }
    return port === null ? host : `${host}:${port}`
  })
  .describe('host or host:port, IPv6 in brackets, no scheme or path')

/** Entries are normalized as in URLs, so that they can be compared with a URL's host. */
export const hosts = commaSeparated(hostAndPort, 'not host or host:port')

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  // A prefix of zero bits would trust every address.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const networks = commaSeparated(
  z.string().refine((text) => text === 'loopback' || isNetwork(text)),
  'neither loopback nor a network',
)

const proxyCount = wholeNumber(1, 10)

/** The number of trusted proxies, or their networks. `true` is one proxy, the nearest one. */
export const trustedProxies = z
  .string()
  .transform((text, context): number | readonly string[] => {
    if (text === 'false') return 0
    if (text === 'true') return 1
    const read = (/^\d+$/.test(text) ? proxyCount : networks).safeParse(text)
    if (read.success) return read.data
    for (const { message } of read.error.issues) context.addIssue(message)
    return z.NEVER
  })
  .describe(
    'false, a whole number of proxies from 1 to 10 (true is 1), or loopback and networks such as 10.0.0.0/8, separated by commas',
  )

/** The text of a URL. The first error ends the check, because later checks assume a valid URL. */
function urlText(scheme: RegExp, schemes: string) {
  return z
    .string()
    .regex(scheme, { error: `does not begin with ${schemes}`, abort: true })
    .regex(/^\S*$/, { error: 'has white space', abort: true })
    .refine((text) => parseUrl(text) !== null, {
      error: 'is not a URL (special characters of a password must be percent-encoded)',
      abort: true,
    })
}

const plainHttpUrl = urlText(/^https?:\/\//i, 'http:// or https://')
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === '' && password === '', {
    error: 'has a user name or password',
    abort: true,
  })
  .refine(({ href }) => !href.includes('?'), { error: 'has a query', abort: true })
  .refine(({ href }) => !href.includes('#'), { error: 'has a fragment', abort: true })
  .refine(({ port }) => port !== '0', { error: 'has port 0', abort: true })

export const httpUrl = plainHttpUrl
  .transform(({ href }) => href.replace(/\/+$/, ''))
  .describe('an http:// or https:// URL without user, query or fragment')

/** An HTTP URL. Adds the path `/v1`, which nearly every such API has, if the URL has no path. */
export const apiUrl = plainHttpUrl
  .transform(({ href, pathname }) => (pathname === '/' ? `${href}v1` : href.replace(/\/+$/, '')))
  .describe('an http:// or https:// URL without user, query or fragment; without a path, /v1 is added')

const ollamaPort = 11_434

/** Parses OLLAMA_HOST as Ollama does: a host, a port or a URL, each part optional. `0.0.0.0` means this machine. */
export const ollamaHost = z
  .string()
  .transform((text, context) => {
    const [, scheme = '', host = '', digits] = /^(https?:\/\/)?(.*?)(?::(\d{1,5}))?\/?$/i.exec(text) ?? []
    const port = digits ?? (scheme === '' ? ollamaPort : null)
    const name = ['', '0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : canonicalHost(host)
    const url = parseUrl(`${scheme || 'http://'}${name}${port === null ? '' : `:${port}`}/v1`)
    if (name === null || url === null) {
      context.addIssue('is not a host, host:port or URL')
      return z.NEVER
    }
    return url.href
  })
  .describe('host, host:port or a URL, as Ollama accepts it')

/** Keeps the spelling, because issuers are compared as strings and some end with a slash. */
export const issuerUrl = plainHttpUrl
  .transform(({ href }) => href)
  .describe('an http:// or https:// URL without user, query or fragment, spelled as the issuer spells it')

export const httpOrigin = plainHttpUrl
  .refine(({ pathname }) => pathname === '/', 'has a path')
  .transform(({ origin }) => origin)
  .describe('an http:// or https:// URL without user, path, query or fragment')

export const postgresUrl = urlText(/^postgres(ql)?:\/\//, 'postgres:// or postgresql://')
  .refine((text) => {
    // A URL for a Unix socket has a `host` parameter and no host before the path.
    const { host, searchParams } = new URL(text)
    return host !== '' || searchParams.has('host')
  }, 'has no host')
  .describe('a postgres:// or postgresql:// URL with a host')

export const redisUrl = urlText(/^rediss?:\/\//, 'redis:// or rediss://')
  .refine((text) => new URL(text).host !== '', 'has no host')
  .describe('a redis:// or rediss:// URL with a host')
