/** Splits at separators that are outside quotes and angle brackets. Empty parts are left out. */
export function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  let isBracketed = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isQuoted) {
      if (character === '\\') index += 1
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === '<') isBracketed = true
    else if (character === '>') isBracketed = false
    else if (character === separator && !isBracketed) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function splitList(text: string): string[] {
  return splitOutside(text, ',')
}

export type Parameters = ReadonlyMap<string, string>

/** Reads `name=value` parts. Names are in lower case, values without quotes. The first of equal names wins. */
export function parseParameters(parts: readonly string[]): Parameters {
  const found = new Map<string, string>()
  for (const part of parts) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase()
    const value = at < 0 ? '' : unquote(part.slice(at + 1).trim())
    if (name !== '' && !found.has(name)) found.set(name, value)
  }
  return found
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text
}

/** The value of From, To, Contact, Route and Refer-To. */
export interface NameAddress {
  readonly displayName: string
  readonly uri: string
  readonly parameters: Parameters
}

/** Returns null if the value has no URI or an unclosed bracket or quote. */
export function parseNameAddress(value: string): NameAddress | null {
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"/.exec(value)
  if (quoted === null && /^\s*"/.test(value)) return null
  const start = value.indexOf('<', quoted?.[0].length ?? 0)
  if (start >= 0) {
    const end = value.indexOf('>', start)
    if (end < 0) return null
    const uri = value.slice(start + 1, end).trim()
    const displayName = quoted ? unquote(`"${quoted[1]}"`) : value.slice(0, start).trim()
    const parameters = parseParameters(splitOutside(value.slice(end + 1), ';'))
    return isUri(uri) ? { displayName, uri, parameters } : null
  }
  // Without brackets, parameters belong to the header.
  const [uri = '', ...rest] = splitOutside(value, ';')
  return quoted === null && isUri(uri) ? { displayName: '', uri, parameters: parseParameters(rest) } : null
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(text)
}

/** Returns the URI of a header value, or an empty string. */
export function uriIn(value: string): string {
  return parseNameAddress(value)?.uri ?? ''
}

/** Returns the tag of a From or To value, or an empty string. */
export function tagIn(value: string): string {
  return parseNameAddress(value)?.parameters.get('tag') ?? ''
}

export interface Via {
  readonly transport: string
  readonly host: string
  readonly port: number | null
  readonly parameters: Parameters
}

export function parseVia(value: string): Via | null {
  const [sentProtocol = '', ...rest] = splitOutside(value, ';')
  const match =
    /^SIP\s*\/\s*2\.0\s*\/\s*([a-z0-9-]+)\s+(\[[0-9a-f:.]+\]|[a-z0-9._-]+)\s*(?::\s*(\d{1,5}))?$/i.exec(
      sentProtocol,
    )
  if (match === null) return null
  const [, transport = '', host = '', port] = match
  if (port !== undefined && !isPort(Number(port))) return null
  return {
    transport: transport.toUpperCase(),
    host,
    port: port === undefined ? null : Number(port),
    parameters: parseParameters(rest),
  }
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65536
}
