import { parseUrl, placeholdersOf, variablesOf } from '@parley/contract'
import { argumentOf, fillIn, textOf, type Values } from './placeholders.js'

interface Refusal {
  readonly ok: false
  /** A message that helps the model correct the call. */
  readonly problem: string
}

export type FilledUrl = { readonly ok: true; readonly url: string } | Refusal

const maxEncodingLayers = 5

/** A query parameter whose value may contain placeholders. */
export type QueryTemplate = readonly [name: string, value: string]

/**
 * Fills a url's path and query. The model cannot choose the host: placeholders only occur after it, values
 * are percent-encoded, and the resulting origin is compared with that of the template.
 */
export function fillUrl(template: string, query: readonly QueryTemplate[], values: Values): FilledUrl {
  const [address = '', ownQuery] = splitOnce(template, '?')
  const segments: string[] = []
  for (const segment of address.split('/')) {
    const filled = fillSegment(segment, values)
    if (!filled.ok) return filled
    segments.push(filled.text)
  }
  const pairs = [
    ...(ownQuery === undefined || ownQuery === '' ? [] : ownQuery.split('&')).map((pair) =>
      fillOwnPair(pair, values),
    ),
    ...query.map(([name, value]) => fillPair(encode(name), value, values)),
  ].filter((pair) => pair !== null)
  const url = segments.join('/') + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
  const origin = originOf(url)
  if (origin === null || origin !== originOf(fillIn(template, placeholderText, placeholderText)))
    return refuse('The arguments must not change the address of the tool.')
  return { ok: true, url }
}

const placeholderText = () => 'x'

type FilledSegment = { readonly ok: true; readonly text: string } | Refusal

function fillSegment(segment: string, { arguments: given, variables }: Values): FilledSegment {
  const names = placeholdersOf(segment)
  for (const name of names) {
    const value = argumentOf(given, name)
    if (value === undefined)
      return refuse(`The argument ${name} is required, because it is part of the address.`)
    if (typeof value === 'object')
      return refuse(
        `The argument ${name} is part of the address and must be a string, a number or a boolean.`,
      )
  }
  const filled = fillIn(
    segment,
    (name) => encode(textOf(argumentOf(given, name))),
    (variable) => encode(variables(variable)),
  )
  const variableNames = variablesOf(segment).map(({ name }) => name)
  if (names.length + variableNames.length === 0) return { ok: true, text: filled }
  const shown = names.length > 0 ? `argument ${names.join(', ')}` : `variable ${variableNames.join(', ')}`
  if (filled === '') return refuse(`The ${shown} is part of the address and must not be empty.`)
  if (isDotSegment(filled)) return refuse(`The ${shown} is part of the address and must not be "." or "..".`)
  return { ok: true, text: filled }
}

/** Returns whether this is a dot segment, or becomes one if a server decodes it several times. */
function isDotSegment(segment: string): boolean {
  let text = segment
  for (let layer = 0; decode(text) !== text; layer++) {
    // Such a value is not legitimate, and decoding all layers of a long value would take very long.
    if (layer === maxEncodingLayers) return true
    text = decode(text)
  }
  return text.split(/[/\\]/).some((part) => /^\.{1,2}(?:;.*)?$/s.test(part))
}

function decode(text: string): string {
  // Decodes byte by byte, because an invalid sequence elsewhere must not hide a dot. Only ASCII can form a
  // dot segment.
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Names and values in the url's own query are kept as the author wrote them. */
function fillOwnPair(pair: string, { arguments: given, variables }: Values): string | null {
  if (!allGiven(pair, given)) return null
  return fillIn(
    pair,
    (name) => encode(textOf(argumentOf(given, name))),
    (variable) => encode(variables(variable)),
  )
}

function fillPair(name: string, value: string, { arguments: given, variables }: Values): string | null {
  if (!allGiven(value, given)) return null
  return `${name}=${encode(fillIn(value, (argument) => textOf(argumentOf(given, argument)), variables))}`
}

function allGiven(template: string, given: Values['arguments']): boolean {
  return placeholdersOf(template).every((name) => argumentOf(given, name) !== undefined)
}

/** Returns null for other schemes than http and https, because these all have the same origin, "null". */
function originOf(url: string): string | null {
  const parsed = parseUrl(url)
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed.origin : null
}

/** A model can write half of a surrogate pair, which cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function splitOnce(text: string, separator: string): [string, string?] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)]
}

function refuse(problem: string): Refusal {
  return { ok: false, problem }
}
