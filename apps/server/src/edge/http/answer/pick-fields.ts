import { z } from 'zod'

type Pick = (value: unknown) => unknown

const picks = new WeakMap<z.core.$ZodType, Pick>()

/** Kinds of values that are answered as they are: what wrote them has checked them. */
const plainKinds: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'enum',
  'literal',
  'unknown',
  'any',
])

const same: Pick = (value) => value

/**
 * Picks from a value what a schema of the contract names, and nothing else, without checking again what the service
 * itself has stored: that took a tenth of a list's time (`npm run bench rest`). What is more than fields, lists and plain
 * values, such as one of several forms, the schema parses as ever.
 */
export function pickFields(schema: z.core.$ZodType, value: unknown): unknown {
  return pickOf(schema)(value)
}

function pickOf(schema: z.core.$ZodType): Pick {
  const known = picks.get(schema)
  if (known !== undefined) return known
  const made = makePick(schema)
  picks.set(schema, made)
  return made
}

function makePick(schema: z.core.$ZodType): Pick {
  if (plainKinds.has(schema._zod.def.type)) return same
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) return pickObject(schema.shape)
  if (schema instanceof z.ZodArray) return pickList(pickOf(schema.element))
  if (schema instanceof z.ZodNullable) return unless(null, pickOf(schema.unwrap()))
  if (schema instanceof z.ZodOptional) return unless(undefined, pickOf(schema.unwrap()))
  if (schema instanceof z.ZodDefault) {
    const inner = pickOf(schema.unwrap())
    return (value) => (value === undefined ? z.parse(schema, value) : inner(value))
  }
  const ofForms = schema instanceof z.ZodDiscriminatedUnion ? pickOneOf(schema) : null
  return ofForms ?? ((value) => z.parse(schema, value))
}

/** Of several forms that a field tells apart, the one that it names; null where they are told apart otherwise. */
function pickOneOf({ def: { discriminator }, options }: z.ZodDiscriminatedUnion): Pick | null {
  const forms = new Map<unknown, Pick>()
  for (const option of options) {
    const name = option instanceof z.ZodObject ? option.shape[discriminator] : null
    if (!(name instanceof z.ZodLiteral)) return null
    for (const value of name.values) forms.set(value, pickOf(option))
  }
  return (value) => {
    const name: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, discriminator) : null
    const pick = forms.get(name)
    if (pick === undefined) throw notOfContract(value)
    return pick(value)
  }
}

function pickObject(shape: Readonly<Record<string, z.core.$ZodType>>): Pick {
  const pickAll = compilePick(Object.entries(shape).map(([name, schema]) => ({ name, pick: pickOf(schema) })))
  return (value) => {
    if (!isRecord(value)) throw notOfContract(value)
    return pickAll(value)
  }
}

/**
 * Written out, field by field, as one would by hand: a loop over names that V8 does not know took as long for a list of
 * 20 agents as a tenth of its request (`npm run bench rest`). The names are the contract's own.
 */
function compilePick(fields: readonly { readonly name: string; readonly pick: Pick }[]): Pick {
  const written = fields.map(({ name, pick }, index) => {
    const key = JSON.stringify(name)
    return pick === same ? `${key}: value[${key}]` : `${key}: picks[${index}](value[${key}])`
  })
  const make = new Function('picks', `return (value) => ({ ${written.join(', ')} })`)
  return make(fields.map(({ pick }) => pick))
}

function pickList(pick: Pick): Pick {
  return (value) => {
    if (!Array.isArray(value)) throw notOfContract(value)
    return pick === same ? value : value.map(pick)
  }
}

function unless(none: null | undefined, pick: Pick): Pick {
  return pick === same ? same : (value) => (value === none ? value : pick(value))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function notOfContract(value: unknown): Error {
  return new Error(`An answer has ${value === null ? 'null' : typeof value} in the place of fields.`)
}
