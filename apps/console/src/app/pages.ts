import type { Scope } from '@parley/sdk'
import {
  type Icon,
  IconAddressBook,
  IconApps,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconClipboardList,
  IconCoin,
  IconFiles,
  IconMessages,
  IconMicrophone,
  IconPhone,
  IconPhoneCall,
  IconPlugConnected,
  IconRobot,
  IconServerBolt,
  IconSettings,
  IconTargetArrow,
  IconUserCheck,
  IconUsers,
  IconWaveSine,
  IconWebhook,
} from '@tabler/icons-react'

/** A page in the navigation. */
export interface NavigationEntry {
  readonly path: string
  readonly title: string
  readonly icon: Icon
  /** The scope that is required to see the page. */
  readonly scope: Scope
}

export interface NavigationGroup {
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Build',
    entries: [
      { path: '/playground', title: 'Playground', icon: IconMicrophone, scope: 'realtime:create' },
      { path: '/agents', title: 'Agents', icon: IconRobot, scope: 'agent:read' },
      { path: '/connections', title: 'Connections', icon: IconPlugConnected, scope: 'connection:read' },
      { path: '/mcp-servers', title: 'MCP servers', icon: IconServerBolt, scope: 'connection:read' },
      { path: '/phone-numbers', title: 'Phone numbers', icon: IconPhone, scope: 'phone:read' },
    ],
  },
  {
    title: 'Monitor',
    entries: [
      { path: '/approvals', title: 'Approvals', icon: IconUserCheck, scope: 'conversation:read' },
      { path: '/conversations', title: 'Conversations', icon: IconMessages, scope: 'conversation:read' },
      { path: '/sessions', title: 'Sessions', icon: IconWaveSine, scope: 'conversation:read' },
      { path: '/calls', title: 'Calls', icon: IconPhoneCall, scope: 'phone:read' },
      { path: '/end-users', title: 'End users', icon: IconUsers, scope: 'conversation:read' },
      { path: '/tasks', title: 'Tasks', icon: IconChecklist, scope: 'task:read' },
      { path: '/files', title: 'Files', icon: IconFiles, scope: 'file:read' },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { path: '/organization/keys', title: 'API keys', icon: IconBuilding, scope: 'org:manage' },
      { path: '/organization/members', title: 'Members', icon: IconAddressBook, scope: 'org:manage' },
      { path: '/organization/mcp-clients', title: 'MCP clients', icon: IconApps, scope: 'org:manage' },
      { path: '/organization/webhooks', title: 'Webhooks', icon: IconWebhook, scope: 'webhook:read' },
      { path: '/organization/usage', title: 'Usage', icon: IconChartBar, scope: 'usage:read' },
      { path: '/organization/budgets', title: 'Budgets', icon: IconTargetArrow, scope: 'usage:read' },
      { path: '/organization/prices', title: 'Prices', icon: IconCoin, scope: 'usage:read' },
      {
        path: '/organization/settings',
        title: 'Settings',
        icon: IconSettings,
        scope: 'org:manage',
      },
      { path: '/audit-log', title: 'Audit log', icon: IconClipboardList, scope: 'audit:read' },
    ],
  },
]

/** Returns the first page that the user may see, or undefined if there is none. */
export function firstPath(may: (scope: Scope) => boolean): string | undefined {
  return navigation.flatMap(({ entries }) => entries).find(({ scope }) => may(scope))?.path
}
