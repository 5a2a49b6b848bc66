import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { AcceptPage } from '../access/accept-page'
import { SignedIn } from '../access/signed-in'
import { AuthorizePage } from '../pages/mcp/authorize-page'
import { parseRedirectSearch } from '../pages/mcp/redirect-params'
import { StartPage } from '../pages/start/start-page'
import { loadPart } from '../parts/load-part'
import { BrokenPage } from './broken-page'
import { MissingPage } from './missing-page'
import { Shell } from './shell'

const root = createRootRoute({ component: Outlet })

/** By default the router reloads the page if a chunk fails to load. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadPart(load), name)

/** The token is in the fragment, so it reaches no server and no log. */
const tokenSearch = (search: Record<string, unknown>): { token?: string } =>
  typeof search.token === 'string' ? { token: search.token } : {}

const acceptRoute = (path: '/owner' | '/invitation') =>
  createRoute({ getParentRoute: () => root, path, component: AcceptPage, validateSearch: tokenSearch })

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <SignedIn>
      <Shell />
    </SignedIn>
  ),
})

/** The consent page of an MCP client. It has no navigation. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  validateSearch: parseRedirectSearch,
  component: () => (
    <SignedIn>
      <AuthorizePage />
    </SignedIn>
  ),
})

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: StartPage,
})

/** The issuer redirects here after a failed sign-in. Signed-in users are redirected on. */
const signIn = createRoute({
  getParentRoute: () => inside,
  path: '/sign-in',
  component: StartPage,
})

const organization = createRoute({
  getParentRoute: () => inside,
  path: '/organization',
  beforeLoad: ({ location }) => {
    if (location.pathname === '/organization') throw redirect({ to: '/organization/keys' })
  },
})

const tree = root.addChildren([
  acceptRoute('/owner'),
  acceptRoute('/invitation'),
  authorize,
  inside.addChildren([
    start,
    signIn,
    createRoute({
      getParentRoute: () => inside,
      path: '/playground',
      validateSearch: (search: Record<string, unknown>): { agent?: string; conversation?: string } => ({
        ...(typeof search.agent === 'string' && { agent: search.agent }),
        ...(typeof search.conversation === 'string' && { conversation: search.conversation }),
      }),
      component: lazyPage(() => import('../pages/playground/playground-page'), 'PlaygroundPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/agents',
      component: lazyPage(() => import('../pages/agents/agents-page'), 'AgentsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/agents/$agentId',
      validateSearch: (search: Record<string, unknown>): { tab?: string } =>
        typeof search.tab === 'string' ? { tab: search.tab } : {},
      component: lazyPage(() => import('../pages/agents/agent-page'), 'AgentPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/connections',
      component: lazyPage(() => import('../pages/connections/connections-page'), 'ConnectionsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/mcp-servers',
      component: lazyPage(() => import('../pages/mcp/mcp-servers-page'), 'McpServersPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/phone-numbers',
      validateSearch: (search: Record<string, unknown>): { tab?: string } =>
        typeof search.tab === 'string' ? { tab: search.tab } : {},
      component: lazyPage(() => import('../pages/phone/phone-numbers-page'), 'PhoneNumbersPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/mcp-consent',
      validateSearch: parseRedirectSearch,
      component: lazyPage(() => import('../pages/mcp/mcp-consent-page'), 'McpConsentPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/conversations',
      component: lazyPage(() => import('../pages/conversations/conversations-page'), 'ConversationsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/conversations/$conversationId',
      component: lazyPage(() => import('../pages/conversations/conversation-page'), 'ConversationPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/sessions',
      component: lazyPage(() => import('../pages/sessions/sessions-page'), 'SessionsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/sessions/$sessionId',
      component: lazyPage(() => import('../pages/sessions/session-page'), 'SessionPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/calls',
      component: lazyPage(() => import('../pages/calls/calls-page'), 'CallsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/calls/$phoneCallId',
      component: lazyPage(() => import('../pages/calls/call-page'), 'CallPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/end-users',
      component: lazyPage(() => import('../pages/end-users/end-users-page'), 'EndUsersPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/end-users/$endUserId',
      component: lazyPage(() => import('../pages/end-users/end-user-page'), 'EndUserPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/approvals',
      component: lazyPage(() => import('../pages/approvals/approvals-page'), 'ApprovalsPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/tasks',
      component: lazyPage(() => import('../pages/tasks/tasks-page'), 'TasksPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/files',
      component: lazyPage(() => import('../pages/files/files-page'), 'FilesPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/audit-log',
      component: lazyPage(() => import('../pages/audit-log/audit-log-page'), 'AuditLogPage'),
    }),
    organization.addChildren([
      createRoute({
        getParentRoute: () => organization,
        path: '/keys',
        component: lazyPage(() => import('../pages/organization/keys-page'), 'KeysPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/settings',
        component: lazyPage(() => import('../pages/organization/settings-page'), 'SettingsPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/members',
        component: lazyPage(() => import('../pages/organization/members-page'), 'MembersPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/mcp-clients',
        component: lazyPage(() => import('../pages/mcp/mcp-clients-page'), 'McpClientsPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/webhooks',
        component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page'), 'WebhooksPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/webhooks/$webhookId',
        component: lazyRouteComponent(() => import('../pages/webhooks/webhook-page'), 'WebhookPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/usage',
        component: lazyRouteComponent(() => import('../pages/usage/usage-page'), 'UsagePage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/budgets',
        component: lazyRouteComponent(() => import('../pages/budgets/budgets-page'), 'BudgetsPage'),
      }),
      createRoute({
        getParentRoute: () => organization,
        path: '/prices',
        component: lazyRouteComponent(() => import('../pages/prices/prices-page'), 'PricesPage'),
      }),
    ]),
    createRoute({
      getParentRoute: () => inside,
      path: '/account',
      component: lazyPage(() => import('../pages/account/account-page'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => inside,
      path: '/whats-new',
      component: lazyPage(() => import('../pages/whats-new/whats-new-page'), 'WhatsNewPage'),
    }),
    createRoute({ getParentRoute: () => inside, path: '$', component: MissingPage }),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: BrokenPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
