import { isPort, type Parameters, parseParameters } from './header-value.js'

export interface SipUri {
  readonly scheme: 'sip' | 'sips' | 'tel'
  /** The telephone number of a `tel` URI. */
  readonly user: string
  /** Empty in a `tel` URI. */
  readonly host: string
  readonly port: number | null
  readonly parameters: Parameters
}

/** Returns null if the text is not a sip, sips or tel URI. */
export function parseSipUri(text: string): SipUri | null {
  const [, scheme = '', rest = ''] = /^(sips?|tel):([^\s<>"]+)$/i.exec(text) ?? []
  if (scheme === '') return null
  if (scheme.toLowerCase() === 'tel') {
    const [user = '', ...parts] = rest.split(';')
    return { scheme: 'tel', user, host: '', port: null, parameters: parseParameters(parts) }
  }
  // The user part may contain `;` and `?`, so the last `@` comes first.
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? '' : decode(rest.slice(0, at).split(':', 1)[0] ?? '')
  const [address = '', ...parts] = (rest.slice(at + 1).split('?', 1)[0] ?? '').split(';')
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(address)
  if (match === null) return null
  const [, host = '', port] = match
  if (port !== undefined && !isPort(Number(port))) return null
  return {
    scheme: scheme.toLowerCase() === 'sips' ? 'sips' : 'sip',
    user,
    host: host.toLowerCase(),
    port: port === undefined ? null : Number(port),
    parameters: parseParameters(parts),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Escapes the characters that the user part of a URI cannot contain. */
export function escapeUser(user: string): string {
  return encodeURIComponent(user.toWellFormed()).replaceAll('%2B', '+')
}
