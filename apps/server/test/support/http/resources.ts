import { allOperations, type Operation } from '@parley/contract'
import { exampleOf } from '@parley/contract/openapi'
import type { ApiClient } from '../api-client.js'

export interface StoredResource {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly [field: string]: unknown
}

/** A resource with create, read, replace, patch and delete operations. */
export interface ResourceKind {
  readonly name: string
  readonly collection: string
  readonly example: object
  readonly patchExample: object
  /** The field that identifies an item in a list. */
  readonly title: string
}

const at = (method: string, path: string) =>
  allOperations.find((operation) => operation.method === method && operation.path === path)

const bodyOf = (operation: Operation | undefined) =>
  Object(operation?.body ? exampleOf(operation.body) : undefined)

/** Every such resource of the contract, found by its PUT and GET operations. */
export const resourceKinds: readonly ResourceKind[] = allOperations
  // Prices are one list that is replaced as a whole. Tests belong to an agent.
  .filter(
    ({ method, path, tag }) => method === 'PUT' && at('GET', path) && !['Price', 'AgentTest'].includes(tag),
  )
  .map(({ path, tag }) => {
    const collection = path.replace(/\/\{\w+\}$/, '')
    const example = bodyOf(at('POST', collection))
    return {
      name: tag,
      collection,
      example,
      patchExample: bodyOf(at('PATCH', path)),
      title: 'title' in example ? 'title' : 'name',
    }
  })

/** Creates a resource. Returns it without its once-only secret, and its path. */
export async function createResource(client: ApiClient, collection: string, body: object) {
  const answer = await client.call<StoredResource>('POST', collection, { body })
  if (answer.status !== 201) throw new Error(`POST ${collection} answered ${answer.status}: ${answer.text}`)
  const { secret: _, ...made } = answer.body
  return { made, path: `${collection}/${made.id}`, etag: answer.headers.get('etag') }
}
