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
  return (value) => z.parse(schema, value)
}

function pickObject(shape: Readonly<Record<string, z.core.$ZodType>>): Pick {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, pick: pickOf(schema) }))
  return (value) => {
    if (typeof value !== 'object' || value === null) throw notOfContract(value)
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) {
      const field = pick(Reflect.get(value, name))
      if (field !== undefined) picked[name] = field
    }
    return picked
  }
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

function notOfContract(value: unknown): Error {
  return new Error(`An answer has ${value === null ? 'null' : typeof value} in the place of fields.`)
}
