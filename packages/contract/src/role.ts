import { type ScopeName, scopes } from './scope-list.js'

/** The roles of members, most privileged first. */
export const roles = ['owner', 'admin', 'builder', 'approver', 'viewer'] as const

export type RoleName = (typeof roles)[number]

const reads: readonly ScopeName[] = [
  'agent:read',
  'connection:read',
  'conversation:read',
  'task:read',
  'file:read',
  'usage:read',
  'phone:read',
]

/** The scopes of each role. In addition, only owners can add, change and remove owners. */
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
