/*
 * Free of zod, like role.ts, so that a page can know what a role may do without loading the schemas.
 */

const resources = ['agent', 'connection', 'conversation', 'task', 'file', 'webhook', 'usage'] as const

type ResourceScope = `${(typeof resources)[number]}:${'read' | 'write'}`

export type ScopeName =
  | ResourceScope
  | 'audit:read'
  | 'question:ask'
  | 'realtime:create'
  | 'approval:decide'
  | 'org:manage'
  | DelegatedScope

/** What no role covers and no key has unless an owner or the operator has given it on purpose. */
type DelegatedScope = 'approval:delegate'

export const delegatedScopes: readonly [DelegatedScope] = ['approval:delegate']

/** Every scope that roles cover and that a key has where nothing else is said. */
export const scopes: readonly [ScopeName, ...ScopeName[]] = [
  'org:manage',
  'question:ask',
  'realtime:create',
  'approval:decide',
  ...resources.flatMap((resource): ScopeName[] => [`${resource}:read`, `${resource}:write`]),
  'audit:read',
]

/** Whether a caller holding `held` may do what `needed` names: write includes read. */
export function coversScope(held: readonly ScopeName[], needed: ScopeName): boolean {
  if (held.includes(needed)) return true
  return needed.endsWith(':read') && held.includes(needed.replace(/:read$/, ':write') as ScopeName)
}
