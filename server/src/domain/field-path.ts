import type { FieldError } from '@parley/contract'
import type { z } from 'zod'

/** A place in a document as people write it: `tools[0].request.url`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}

/** The mistakes that a schema found, each with its own place; an unknown field is named as the place itself. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: formatPath([...issue.path, key]),
        message: 'is not a known field',
      }))
    return [{ path: formatPath(issue.path), message: issue.message }]
  })
}
