import { z } from 'zod'
import { controlCharactersError, findControlCharacters } from './field.js'

type Shape = Readonly<Record<string, z.ZodType>>

type WithoutDefaults<S extends Shape> = {
  [Field in keyof S]: z.ZodOptional<
    S[Field] extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : S[Field]
  >
}

/**
 * Returns the schema of a body that creates or replaces a resource. Unknown fields are rejected, so that typos are reported.
 * Read-only fields are accepted and ignored, so that clients can send back a resource as they received it.
 */
export function writable<S extends Shape>(shape: S, readOnlyFields: readonly string[]) {
  return z
    .strictObject({ ...shape, ...ignored(readOnlyFields) })
    .superRefine(requireNames)
    .transform((value) => withoutFields(value, readOnlyFields) as z.output<z.ZodObject<S>>)
}

/** Returns the schema of a merge patch for the same resource. Every field is optional, and no field has a default. */
export function patchable<S extends Shape>(shape: S, readOnlyFields: readonly string[]) {
  const optional = Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, withoutDefault(field).optional()]),
  ) as WithoutDefaults<S>
  return z
    .strictObject({ ...optional, ...ignored(readOnlyFields) })
    .superRefine(requireNames)
    .transform((value) => withoutFields(value, readOnlyFields) as z.output<z.ZodObject<WithoutDefaults<S>>>)
}

function requireNames(value: object, context: z.RefinementCtx): void {
  // A field that already has an error does not get another one.
  const known = new Set(context.issues.map((issue) => JSON.stringify(issue.path)))
  for (const path of findControlCharacters(value))
    if (!known.has(JSON.stringify(path)))
      context.addIssue({ code: 'custom', path, message: controlCharactersError })
}

function withoutDefault(field: z.ZodType): z.ZodType {
  if (!(field instanceof z.ZodDefault)) return field
  const inner = field.unwrap() as z.ZodType
  return field.description === undefined ? inner : inner.describe(field.description)
}

function ignored(names: readonly string[]): Record<string, z.ZodType> {
  const field = () =>
    z.unknown().optional().meta({ readOnly: true, description: 'Read-only. Ignored if sent.' })
  return Object.fromEntries(names.map((name) => [name, field()]))
}

function withoutFields(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
