import type { Role } from '@parley/sdk'

/** Descriptions of the roles. */
const roleWords: Readonly<Record<Role, string>> = {
  owner: 'Everything, owners included',
  admin: 'Everything but owners',
  builder: 'Agents, connections, files, tasks, talking to agents',
  approver: 'Reading, and deciding on approvals',
  viewer: 'Reading',
}

export const roleChoices = (isOwner: boolean) =>
  Object.entries(roleWords)
    .filter(([role]) => isOwner || role !== 'owner')
    .map(([value, words]) => ({ value, label: value[0]?.toUpperCase() + value.slice(1), words }))
