interface Parts {
  readonly [name: string]: unknown
}

/** The changelog, as the last chapter of the page. */
export interface Chapter {
  readonly name: string
  readonly description: string
}

/** The name of the security scheme for signed-in people. */
export const signedIn = 'Session'

/**
 * The browser sends the cookie, which no script can read or set. The page therefore only asks for the
 * organization.
 */
const signedInScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Org-Id',
  description: 'The organization. The browser sends the session of the console.',
}

/**
 * Returns the contract as the page of the reference shows it: with the changelog as its last chapter, and with the
 * session of a person as an alternative to a key.
 */
export function referenceDocument(contract: Parts, chapter: Chapter | null): Parts {
  const document = withTypes(contract)
  const tags = Array.isArray(document.tags) ? document.tags : []
  const components = isParts(document.components) ? document.components : {}
  const securitySchemes = isParts(components.securitySchemes) ? components.securitySchemes : {}
  return {
    ...document,
    security: [{ ApiKey: [], OrganizationId: [] }, { [signedIn]: [] }],
    components: {
      ...components,
      securitySchemes: { ...securitySchemes, [signedIn]: signedInScheme },
    },
    tags: chapter === null ? tags : [...tags, chapter],
  }
}

const everyType = ['object', 'array', 'string', 'number', 'boolean', 'null']
const kinds = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const']

/**
 * Gives every schema a type, because the page's script reports schemas without one as invalid. It also
 * rejects nullable schemas that are unions. JSON Schema allows both.
 */
function withTypes(parts: Parts): Parts {
  const { anyOf, allOf, properties, additionalProperties, ...rest } = Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, typed(value)]),
  )
  return {
    ...(anyOf !== undefined && nullable(anyOf)),
    ...rest,
    ...(allOf !== undefined && { allOf: asList(allOf).map((part) => ({ ...typeOf(rest), ...part })) }),
    ...(properties !== undefined && {
      properties: isParts(properties) ? openProperties(properties) : properties,
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isOpen(additionalProperties) ? true : additionalProperties,
    }),
  }
}

function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed)
  return isParts(value) ? withTypes(value) : value
}

function openProperties(properties: Parts): Parts {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isParts(schema) && isOpen(schema) ? { type: everyType, ...schema } : schema,
    ]),
  )
}

/**
 * Writes a union with null as a list of types, because the reference to a schema cannot be nullable there.
 */
function nullable(anyOf: unknown): Parts {
  const [first, second, ...others] = asList(anyOf)
  if (first === undefined || second?.type !== 'null' || others.length > 0) return { anyOf }
  return typeof first.type === 'string' ? { ...first, type: [first.type, 'null'] } : first
}

const typeOf = ({ type }: Parts) => (type === undefined ? {} : { type })
const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isOpen = (schema: unknown) => isParts(schema) && !kinds.some((kind) => kind in schema)
const asList = (value: unknown): readonly Parts[] => (Array.isArray(value) ? value.filter(isParts) : [])
