import { isDeepStrictEqual } from 'node:util'
import { allOperations, personOperations } from '@parley/contract'

const routes = [...allOperations, ...Object.values(personOperations)].map((operation) => ({
  operation,
  path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

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
}
