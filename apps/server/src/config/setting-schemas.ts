import { z } from 'zod'
import { quote } from './setting.js'

/*
 * Schemas for the values of settings. The description of a schema names the accepted values, for error
 * messages and documents. An error message continues a sentence that begins with the setting's name, for
 * example: "is not a whole number".
 */

const minSecretCharacters = 32

export const visibleText = z
  .string()
  .regex(/^[!-~]+$/, 'has white space or characters outside ASCII')
  .describe('visible ASCII characters')

const maxLabelCharacters = 60

export const label = z
  .string()
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, {
    error: 'begins or ends with white space, or has control characters',
    abort: true,
  })
  .refine((text) => [...text].length <= maxLabelCharacters, 'is too long')
  .describe(`at most ${maxLabelCharacters} characters on one line, no white space at either end`)

export const oidcScopes = z
  .string()
  .regex(/^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/, { error: 'is not a list of scopes', abort: true })
  .refine((text) => text.split(' ').includes('openid'), 'lacks openid')
  .describe('scopes separated by single spaces, including openid')

export const directory = z
  .string()
  .regex(/^\S(.*\S)?$/s, 'begins or ends with white space')
  .describe('a directory path')

export const apiKey = z
  .string()
  .regex(/^prl_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/, 'is not in the form of an API key')
  .describe('prl_, 8 letters or digits, _, and 43 letters, digits, _ or -')

/**
 * Rejects a trailing line break, which secrets from files often have. Otherwise, an instance whose secret
 * lacks it could not decrypt.
 */
export const secret = z
  .string()
  .regex(/^\S(.*\S)?$/s, { error: 'begins or ends with white space', abort: true })
  .refine((text) => text.length >= minSecretCharacters, 'is too short')
  .describe(`at least ${minSecretCharacters} characters, no white space at either end`)

/** Converted to lower case, as in the database. */
export const uuid = z.uuid('is not a UUID').toLowerCase().describe('a UUID')

export const trueOrFalse = z
  .stringbool({
    truthy: ['true'],
    falsy: ['false'],
    case: 'sensitive',
    error: 'is neither true nor false',
  })
  .describe('true or false')

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= min, `is below ${min}`)
    .refine((value) => value <= max, `is above ${max}`)
    .describe(`a whole number from ${min} to ${max}`)
}

const lowestPort = 1024
const highestPort = 65_535

/** A range of UDP ports that needs no privileges, such as `16384-32766`. */
export const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, { error: 'is not a range of ports', abort: true })
  .transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    return { first, last }
  })
  .refine(({ first }) => first >= lowestPort, `begins below ${lowestPort}`)
  .refine(({ last }) => last <= highestPort, `ends above ${highestPort}`)
  .refine(({ first, last }) => last - first >= 1, 'has less than two ports')
  .describe(`two ports from ${lowestPort} to ${highestPort} with a hyphen between them`)

export function oneOf<const Choice extends string>(...choices: readonly Choice[]) {
  return z
    .enum(choices, 'is not one of the known values')
    .describe(choices.join(', ').replace(/, ([^,]+)$/, ' or $1'))
}

export function listOf<const Choice extends string>(...choices: readonly Choice[]) {
  return commaSeparated(oneOf(...choices), 'not known')
    .superRefine((entries, context) => {
      const repeated = entries.find((entry, at) => entries.indexOf(entry) !== at)
      if (repeated !== undefined) context.addIssue(`has ${quote(repeated)} more than once`)
    })
    .describe(`one or more of ${choices.join(', ')}, separated by commas, each once`)
}

/** One or more entries. White space around an entry is ignored. The message names each invalid entry. */
export function commaSeparated<Entry>(entry: z.ZodType<Entry, string>, problem: string) {
  return z
    .string()
    .transform((text, context): readonly Entry[] => {
      const parts = text.split(',').map((part) => part.trim())
      const results = parts.map((part) => ({ part, result: entry.safeParse(part) }))
      const bad = results.filter(({ result }) => !result.success).map(({ part }) => part)
      if (bad.includes('')) context.addIssue('has an empty entry')
      else if (bad.length > 0) context.addIssue(`has ${bad.map(quote).join(', ')}: ${problem}`)
      return results.flatMap(({ result }) => (result.success ? [result.data] : []))
    })
    .describe(`${entry.description}, separated by commas`)
}

/** Pairs in OpenTelemetry's format: `name=value,name=value`, percent-encoded. */
const otelPairs = (nameOf: (name: string) => string) =>
  z
    .string()
    .transform((text, context) => {
      const pairs: Record<string, string> = {}
      for (const entry of text.split(',')) {
        const [, name, value] = /^ *([\w.-]+) *=([!-~]*) *$/.exec(entry) ?? []
        const decoded = value === undefined ? null : decodedOf(value)
        if (name === undefined || decoded === null) {
          context.addIssue('has an entry that is not name=value')
          return z.NEVER
        }
        pairs[nameOf(name)] = decoded
      }
      return pairs
    })
    .describe('name=value, separated by commas, values percent-encoded')

export const otlpHeaders = otelPairs((name) => name.toLowerCase())
export const resourceAttributes = otelPairs((name) => name)
export const serviceName = z.string().max(200, 'has more than 200 characters').describe('a name')

function decodedOf(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
