import { isDeepStrictEqual } from 'node:util'
import * as contract from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { z } from 'zod'

/** The parts of a version's contract that responses are checked against. */
export interface Contract extends Pick<typeof contract, 'allOperations' | 'personOperations'> {
  readonly buildOpenApi: typeof buildOpenApi
}

/** Throws if a success response differs from the contract in any field. */
export type RequireContract = (method: string, url: string, status: number, body: unknown) => void

/** The service picks fields without checking them, so every response in the tests is checked here. */
export function makeContractCheck({
  allOperations,
  personOperations,
  buildOpenApi,
}: Contract): RequireContract {
  const routes = [...allOperations, ...Object.values(personOperations)].map((operation) => ({
    operation,
    path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const schemas = new Ajv2020({ strict: false })
  addFormats.default(schemas)
  schemas.addSchema(JSON.parse(JSON.stringify(buildOpenApi('0'))), 'contract')
  const validators = new Map<string, ValidateFunction>()

  /** Throws if a strict JSON Schema validator, as in generated clients, rejects the response. */
  function requireSchema(path: string, verb: string, status: number, body: unknown): void {
    const place = ['paths', path, verb, 'responses', String(status), 'content', 'application/json', 'schema']
    const reference = place.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
    const validate = validators.get(reference) ?? schemas.compile({ $ref: `contract#/${reference}` })
    validators.set(reference, validate)
    if (validate(body)) return
    throw new Error(
      `${verb} ${path} ${status} violates the schema of the contract: ${schemas.errorsText(validate.errors)}`,
    )
  }

  return (method, url, status, body) => {
    if (status >= 300 || body === undefined) return
    const [path = ''] = url.split(/[?#]/, 1)
    const found = routes.find(({ operation, path: form }) => operation.method === method && form.test(path))
    const schema = found && responseSchemaOf(found.operation)
    if (!found || !schema) return
    const parsed = schema.parse(body)
    if (!isDeepStrictEqual(parsed, body))
      throw new Error(
        `${method} ${url} returned a response that the contract does not list: ${JSON.stringify(body)}`,
      )
    requireSchema(found.operation.path, method.toLowerCase(), status, body)
  }
}

/** Returns the schema of a response. Earlier versions of the contract name this field `answer`. */
function responseSchemaOf(operation: contract.Operation | contract.PersonOperation): z.ZodType | undefined {
  return operation.response ?? (operation as { readonly answer?: z.ZodType }).answer
}

/** Checks responses against today's contract. */
export const requireContract: RequireContract = makeContractCheck({ ...contract, buildOpenApi })
