import type { z } from 'zod'
import type { FieldError } from './problem.js'

/** Formats the path of a field, for example `tools[0].request.url`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}

/**
 * Returns the validation errors of a schema with the paths of the fields. `names` are the known top-level fields, which are
 * suggested if an unknown field differs only in case.
 */
export function fieldErrorsOf(error: z.ZodError, names: readonly string[] = []): FieldError[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: formatPath([...issue.path, key]),
        message: `is not a known field${suggestion(issue.path, key, names)}`,
      }))
    if (issue.code === 'invalid_key')
      return issue.issues.map((inner) => ({ path: formatPath(issue.path), message: inner.message }))
    return [{ path: formatPath(issue.path), message: messageFor(issue) }]
  })
}

function suggestion(path: readonly PropertyKey[], key: string, names: readonly string[]): string {
  const similar = path.length > 0 ? undefined : names.find((name) => name.toLowerCase() === key.toLowerCase())
  return similar === undefined ? '' : `; did you mean ${similar}?`
}

/** Returns an error message that follows the name of the field: `name is required`, `Limit must be at most 200`. */
function messageFor(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${articleFor(issue.expected)} ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return 'discriminator' in issue && issue.discriminator
        ? `must have a valid ${String(issue.discriminator)}`
        : 'is not valid'
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`
    case 'too_small':
      return `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`
    case 'invalid_format':
      return formats[issue.format] ?? issue.message
    default:
      return issue.message
  }
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  datetime: 'must be a date and time such as 2030-01-31T09:00:00Z',
}

const measure = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be')

const unit = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '')

const articleFor = (word: string) => (/^[aeio]/.test(word) ? 'an' : 'a')
