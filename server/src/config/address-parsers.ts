import { isIPv6 } from 'node:net'
import { parseUrl } from '@parley/contract'
import { accepted, commaSeparated, type Parsed, type Parser, refused } from './parser.js'

const bracketed = /^\[[\da-f:.]+\]$/i
const label = '[a-z\\d_](?:[a-z\\d_-]*[a-z\\d_])?'
const hostName = new RegExp(`^${label}(?:\\.${label})*$`, 'i')

/** The host as a URL spells it, or null. Spellings that a URL would turn into another address (127.1, 0x7f000001) are no hosts. */
function canonicalHost(text: string): string | null {
  const hostname = parseUrl(`http://${text}`)?.hostname
  if (hostname === undefined) return null
  if (bracketed.test(text)) return hostname
  return hostName.test(text) && hostname === text.toLowerCase() ? hostname : null
}

export const listenHost: Parser<string> = {
  accepts: 'a host name or an IP address',
  parse: (text) =>
    canonicalHost(isIPv6(text) ? `[${text}]` : text) === null || bracketed.test(text)
      ? refused('is neither a host name nor an IP address')
      : accepted(text),
}

const hostAndPort: Parser<string> = {
  accepts: 'host or host:port, IPv6 in brackets, no scheme or path',
  parse: (text) => {
    const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
    const host = canonicalHost(name)
    if (host === null) return refused('is not a host')
    if (port === undefined) return accepted(host)
    const number = Number(port)
    return number >= 1 && number <= 65535 ? accepted(`${host}:${number}`) : refused('is not a port')
  },
}

/** Entries are spelled as URLs spell them, so that they can be compared with a URL's host. */
export const hosts = commaSeparated(hostAndPort, 'not host or host:port')

function parseUrlOf(text: string, scheme: RegExp, schemes: string): Parsed<URL> {
  if (!scheme.test(text)) return refused(`does not begin with ${schemes}`)
  if (/\s/.test(text)) return refused('has white space')
  const url = parseUrl(text)
  return url === null
    ? refused('is not a URL (special characters of a password must be percent-encoded)')
    : accepted(url)
}

function parseHttpUrl(text: string): Parsed<URL> {
  const parsed = parseUrlOf(text, /^https?:\/\//i, 'http:// or https://')
  if (!parsed.ok) return parsed
  const url = parsed.value
  if (url.username !== '' || url.password !== '') return refused('has a user name or password')
  if (text.includes('?')) return refused('has a query')
  if (text.includes('#')) return refused('has a fragment')
  if (url.port === '0') return refused('has port 0')
  return parsed
}

export const httpUrl: Parser<string> = {
  accepts: 'an http:// or https:// URL without user, query or fragment',
  parse: (text) => {
    const parsed = parseHttpUrl(text)
    return parsed.ok ? accepted(parsed.value.href.replace(/\/+$/, '')) : parsed
  },
}

export const httpOrigin: Parser<string> = {
  accepts: 'an http:// or https:// URL without user, path, query or fragment',
  parse: (text) => {
    const parsed = parseHttpUrl(text)
    if (!parsed.ok) return parsed
    return parsed.value.pathname === '/' ? accepted(parsed.value.origin) : refused('has a path')
  },
}

export const postgresUrl: Parser<string> = {
  accepts: 'a postgres:// or postgresql:// URL with a host',
  parse: (text) => {
    const parsed = parseUrlOf(text, /^postgres(ql)?:\/\//, 'postgres:// or postgresql://')
    if (!parsed.ok) return parsed
    // A Unix socket is named by the host parameter, with no host before the path.
    const { host, searchParams } = parsed.value
    return host === '' && !searchParams.has('host') ? refused('has no host') : accepted(text)
  },
}

export const redisUrl: Parser<string> = {
  accepts: 'a redis:// or rediss:// URL with a host',
  parse: (text) => {
    const parsed = parseUrlOf(text, /^rediss?:\/\//, 'redis:// or rediss://')
    if (!parsed.ok) return parsed
    return parsed.value.host === '' ? refused('has no host') : accepted(text)
  },
}
