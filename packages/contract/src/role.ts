import { type ScopeName, scopes } from './scope-list.js'

/** What a member of an organization can be, the one who may do most first. */
export const roles = ['owner', 'admin', 'builder', 'approver', 'viewer'] as const

export type RoleName = (typeof roles)[number]

const reads: readonly ScopeName[] = [
  'agent:read',
  'connection:read',
  'conversation:read',
  'task:read',
  'file:read',
  'usage:read',
]

/** What each role may do: the same scopes that keys have. Owners alone may besides make, change and remove owners. */
export const roleScopes: Readonly<Record<RoleName, readonly ScopeName[]>> = {
  owner: scopes,
  admin: scopes,
  builder: [
    'question:ask',
    'realtime:create',
    'agent:write',
    'connection:write',
    'conversation:write',
    'task:write',
    'file:write',
    ...reads,
  ],
  approver: ['approval:decide', ...reads],
  viewer: reads,
}
