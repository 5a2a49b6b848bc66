import type { Role } from '@parley/sdk'

const roleDescriptions: Readonly<Record<Role, string>> = {
  owner: 'Full access, including owners',
  admin: 'Full access, except to owners',
  builder: 'Manage agents, connections, files and tasks, and talk to agents',
  approver: 'Read-only, and decide on approvals',
  viewer: 'Read-only',
}

export const roleChoices = (isOwner: boolean) =>
  Object.entries(roleDescriptions)
    .filter(([role]) => isOwner || role !== 'owner')
    .map(([value, description]) => ({ value, label: value[0]?.toUpperCase() + value.slice(1), description }))
