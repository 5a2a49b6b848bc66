import { z } from 'zod'

const resources = ['agent', 'connection', 'conversation', 'task', 'file'] as const

type ResourceScope = `${(typeof resources)[number]}:${'read' | 'write'}`

export type Scope =
  | ResourceScope
  | 'audit:read'
  | 'question:ask'
  | 'realtime:create'
  | 'approval:decide'
  | 'org:manage'

/** Every scope a key can carry. */
export const scopes: readonly [Scope, ...Scope[]] = [
  'org:manage',
  'question:ask',
  'realtime:create',
  'approval:decide',
  ...resources.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'audit:read',
]

export const Scope = z
  .enum(scopes)
  .meta({ id: 'Scope', description: 'What a key may do. Write includes read.' })

/** Whether a key holding `held` may do what `needed` names: write includes read. */
export function coversScope(held: readonly Scope[], needed: Scope): boolean {
  if (held.includes(needed)) return true
  return needed.endsWith(':read') && held.includes(needed.replace(/:read$/, ':write') as Scope)
}
