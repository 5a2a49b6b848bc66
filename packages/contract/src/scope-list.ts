/*
 * Does not import zod, like role.ts, so that a web page can use the scopes of a role without loading the schemas.
 */

const resources = [
  'agent',
  'connection',
  'conversation',
  'task',
  'file',
  'webhook',
  'usage',
  'phone',
] as const

type ResourceScope = `${(typeof resources)[number]}:${'read' | 'write'}`

export type ScopeName =
  | ResourceScope
  | 'audit:read'
  | 'question:ask'
  | 'realtime:create'
  | 'call:make'
  | 'approval:decide'
  | 'org:manage'
  | DelegatedScope

/** A scope that no role includes. A key has it only if an owner or the operator grants it explicitly. */
type DelegatedScope = 'approval:delegate'

export const delegatedScopes: readonly [DelegatedScope] = ['approval:delegate']

/** The scopes that roles can have. They are also the default scopes of a key. */
export const scopes: readonly [ScopeName, ...ScopeName[]] = [
  'org:manage',
  'question:ask',
  'realtime:create',
  'call:make',
  'approval:decide',
  ...resources.flatMap((resource): ScopeName[] => [`${resource}:read`, `${resource}:write`]),
  'audit:read',
]

/** Returns whether the scopes `held` include the scope `needed`. A write scope includes the read scope. */
export function coversScope(held: readonly ScopeName[], needed: ScopeName): boolean {
  if (held.includes(needed)) return true
  return needed.endsWith(':read') && held.includes(needed.replace(/:read$/, ':write') as ScopeName)
}
