import { isDeepStrictEqual } from 'node:util'
import { allOperations, personOperations } from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const routes = [...allOperations, ...Object.values(personOperations)].map((operation) => ({
  operation,
  path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

const schemas = new Ajv2020({ strict: false })
addFormats.default(schemas)
schemas.addSchema(JSON.parse(JSON.stringify(buildOpenApi('0'))), 'contract')
const validators = new Map<string, ValidateFunction>()

/** Throws if a strict JSON Schema validator, as generated clients have one, refuses the answer. */
function requireSchema(path: string, verb: string, status: number, body: unknown): void {
  const place = ['paths', path, verb, 'responses', String(status), 'content', 'application/json', 'schema']
  const reference = place.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
  const validate = validators.get(reference) ?? schemas.compile({ $ref: `contract#/${reference}` })
  validators.set(reference, validate)
  if (validate(body)) return
  throw new Error(
    `${verb} ${path} ${status} breaks the schema of the contract: ${schemas.errorsText(validate.errors)}`,
  )
}

/**
 * Throws where a success is not what the contract says, down to its last field. The service picks fields without checking
 * them, so that whatever the tests ask for is checked here.
 */
export function requireContract(method: string, url: string, status: number, body: unknown): void {
  if (status >= 300 || body === undefined) return
  const [path = ''] = url.split(/[?#]/, 1)
  const found = routes.find(({ operation, path: form }) => operation.method === method && form.test(path))
  if (!found?.operation.answer) return
  const parsed = found.operation.answer.parse(body)
  if (!isDeepStrictEqual(parsed, body))
    throw new Error(`${method} ${url} answers what the contract does not name: ${JSON.stringify(body)}`)
  requireSchema(found.operation.path, method.toLowerCase(), status, body)
}
