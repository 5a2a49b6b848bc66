/** The part of JSON Schema that our contract uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Resolves a `$ref` in its document. */
export type Resolve = <Part extends object>(part: Part | { readonly $ref: string }) => Part

/** Two versions of one schema, each in its own document. */
export interface Versions {
  readonly before: Schema
  readonly after: Schema
}

/** In a request, accepted values must stay accepted. In a response, existing fields must stay. */
export type Direction = 'request' | 'response'

/** Compares schemas of two documents. Returns a sentence for every breaking change. */
export function makeSchemaComparer(resolveBefore: Resolve, resolveAfter: Resolve, direction: Direction) {
  const isRequest = direction === 'request'

  function compare(place: string, versions: Versions): string[] {
    const before = variantsOf(versions.before, resolveBefore)
    const after = variantsOf(versions.after, resolveAfter)
    if (before.length === 1 && after.length === 1 && before[0] && after[0])
      return compareOne(place, { before: before[0], after: after[0] })
    return [
      ...before.flatMap((variant) => compareVariant(place, variant, after)),
      ...newTypes(place, before, after),
    ]
  }

  /** A variant may have moved, so it is compared with the most similar one. */
  function compareVariant(place: string, before: Schema, candidates: readonly Schema[]): string[] {
    const breaks = candidates.map((after) => compareOne(place, { before, after }))
    const [closest] = breaks.toSorted((one, other) => one.length - other.length)
    return closest ?? [`${place} was removed`]
  }

  /** A caller that reads a string cannot handle null or a number. */
  function newTypes(place: string, before: readonly Schema[], after: readonly Schema[]): string[] {
    const known = before.flatMap(typesOf)
    const added = after.flatMap(typesOf).filter((type) => !isRequest && !known.includes(type))
    return added.map((type) => `${place} can now be ${type}`)
  }

  function compareOne(place: string, versions: Versions): string[] {
    const otherTypes = typeBreaks(place, versions)
    if (otherTypes.length > 0) return otherTypes
    return [
      ...(isRequest ? [...valueBreaks(place, versions), ...boundBreaks(place, versions)] : []),
      ...propertyBreaks(place, versions),
      ...requiredBreaks(place, versions),
      ...innerBreaks(place, versions),
    ]
  }

  function typeBreaks(place: string, { before, after }: Versions): string[] {
    const [was, is] = [typesOf(before), typesOf(after)]
    const isSame = was.join() === is.join()
    const isWider =
      isRequest && (is.length === 0 || (was.length > 0 && was.every((type) => is.includes(type))))
    return isSame || isWider
      ? []
      : [`${place} was ${was.join(' or ') || 'anything'} and is now ${is.join(' or ') || 'anything'}`]
  }

  function propertyBreaks(place: string, { before, after }: Versions): string[] {
    return Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
      const inner = `${place}.${name}`
      const still = after.properties?.[name]
      return still ? compare(inner, { before: property, after: still }) : [`${inner} was removed`]
    })
  }

  function requiredBreaks(place: string, { before, after }: Versions): string[] {
    const [was, is] = [before.required ?? [], after.required ?? []]
    return isRequest
      ? is.filter((name) => !was.includes(name)).map((name) => `${place}.${name} is now required`)
      : was
          .filter((name) => !is.includes(name) && after.properties?.[name])
          .map((name) => `${place}.${name} is now optional`)
  }

  /** Compares the schemas of array items, of additional fields and of their names. */
  function innerBreaks(place: string, { before, after }: Versions): string[] {
    const isClosed =
      isRequest && before.additionalProperties !== false && after.additionalProperties === false
    const isObject = typesOf(before).includes('object') && typesOf(after).includes('object')
    return [
      ...(isObject && isClosed ? [`${place} no longer accepts additional fields`] : []),
      ...pairOf(`${place}[]`, before.items, after.items),
      ...pairOf(`${place}.*`, schemaOf(before.additionalProperties), schemaOf(after.additionalProperties)),
      ...pairOf(`${place}.*`, before.propertyNames, after.propertyNames),
    ]
  }

  const pairOf = (place: string, before: Schema | undefined, after: Schema | undefined) =>
    before && after ? compare(place, { before, after }) : []

  return compare
}

/** Finds accepted values that are now rejected. */
function valueBreaks(place: string, { before, after }: Versions): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  if (is === null) return []
  if (was === null) return [`${place} now accepts only ${is.join(', ')}`]
  return was
    .filter((value) => !is.includes(value))
    .map((value) => `${place} no longer accepts ${String(value)}`)
}

/** Finds limits that became tighter or were added. */
function boundBreaks(place: string, { before, after }: Versions): string[] {
  const lower = ['minLength', 'minItems', 'minimum'] as const
  const upper = ['maxLength', 'maxItems', 'maximum'] as const
  const texts = ['format', 'pattern'] as const
  const tighter = [
    ...lower.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
    ...upper.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
    ...texts.filter((name) => after[name] !== undefined && after[name] !== before[name]),
  ]
  return tighter.map((name) => `${place} has a different ${name}: ${after[name]}`)
}

function variantsOf(schema: Schema, resolve: Resolve): Schema[] {
  const whole = merged(schema, resolve)
  const variants = whole.anyOf ?? whole.oneOf
  return variants ? variants.flatMap((variant) => variantsOf(variant, resolve)) : [whole]
}

/** Returns the schema merged with the parts of its `allOf`. */
function merged(schema: Schema, resolve: Resolve): Schema {
  const { allOf, ...own } = resolve(schema)
  if (!allOf) return own
  const parts = [own, ...allOf.map((part) => merged(part, resolve))]
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  })
}

const typesOf = ({ type = [] }: Schema): string[] => [type].flat().toSorted()

const valuesOf = (schema: Schema): unknown[] | null =>
  schema.const === undefined ? (schema.enum ? [...schema.enum] : null) : [schema.const]

const schemaOf = (value: boolean | Schema | undefined) => (typeof value === 'object' ? value : undefined)
