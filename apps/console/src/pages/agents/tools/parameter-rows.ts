import type { HttpDraft } from './tool-draft'

type Parameters = HttpDraft['parameters']

/** A parameter as the form shows it. Unknown parts of its schema are preserved. */
export interface ParameterRow {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly isRequired: boolean
}

export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object']

export function rowsOf(parameters: Parameters): readonly ParameterRow[] {
  const required: unknown[] = Array.isArray(parameters.required) ? parameters.required : []
  return Object.entries(parameters.properties ?? {}).map(([name, schema]) => ({
    name,
    schema: isSchema(schema) ? schema : {},
    isRequired: required.includes(name),
  }))
}

/** Converts rows to a schema. Everything except properties and required is preserved. */
export function parametersOf(rows: readonly ParameterRow[], before: Parameters): Parameters {
  const named = rows.filter(({ name }) => name !== '')
  const { required: _, ...rest } = before
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  }
}

/** Adds a required text. */
export function withParameter(parameters: Parameters, name: string): Parameters {
  const added = { name, schema: { type: 'string' }, isRequired: true }
  return parametersOf([...rowsOf(parameters), added], parameters)
}

/** The keywords besides type and description, which the form preserves. */
export function restOf({ schema }: ParameterRow): readonly string[] {
  return Object.keys(schema).filter((key) => key !== 'type' && key !== 'description')
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Duplicate names would collapse into one property. */
export function sharedName(rows: readonly ParameterRow[]): string | undefined {
  return rows.find(({ name }, index) => rows.findIndex((other) => other.name === name) < index && name !== '')
    ?.name
}
