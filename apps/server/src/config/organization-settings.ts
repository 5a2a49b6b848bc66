import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

const count = (min = 1) => wholeNumber(min, 1_000_000_000)

/** What one organization may have, so that it leaves room for the others. */
export const organizationSettings = {
  PARLEY_ORG_MAX_REQUESTS_PER_MINUTE: {
    default: null,
    schema: count(),
    about: 'Requests of all API keys of an organization; unset, ten times PARLEY_RATE_LIMIT_PER_MINUTE.',
  },
  PARLEY_ORG_MAX_SESSIONS: {
    default: '1000',
    schema: count(),
    about: 'Realtime sessions of an organization that run at once, on all instances together.',
  },
  PARLEY_ORG_MAX_RUNNING_TURNS: {
    default: '100',
    schema: count(),
    about: 'Questions of an organization that one process answers at once; the others wait.',
  },
  PARLEY_ORG_MAX_QUEUED_TURNS: {
    default: '1000',
    schema: count(),
    about: 'Questions of an organization that wait to be answered, on all instances together.',
  },
  PARLEY_ORG_MAX_STREAMS: {
    default: '1000',
    schema: count(),
    about: 'Live streams of an organization that are open at once, on each process.',
  },
  PARLEY_ORG_MAX_STREAMS_PER_CALLER: {
    default: '100',
    schema: count(),
    about: 'Of these, live streams of one API key or person.',
  },
  PARLEY_ORG_MAX_AGENTS: {
    default: '1000',
    // The first start makes two.
    schema: count(2),
    about: 'Agents of an organization.',
  },
  PARLEY_ORG_MAX_CONNECTIONS: {
    default: '200',
    schema: count(),
    about: 'Connections of an organization.',
  },
  PARLEY_ORG_MAX_API_KEYS: {
    default: '1000',
    schema: count(),
    about: 'API keys of an organization.',
  },
  PARLEY_ORG_MAX_MEMBERS: {
    default: '10000',
    schema: count(),
    about: 'Members of an organization.',
  },
  PARLEY_ORG_MAX_INVITATIONS: {
    default: '1000',
    schema: count(),
    about: 'Invitations of an organization that were neither accepted nor have expired.',
  },
  PARLEY_ORG_MAX_BUDGETS: {
    default: '200',
    schema: count(),
    about: 'Budgets of an organization.',
  },
  PARLEY_ORG_MAX_WEBHOOKS: {
    default: '20',
    schema: count(),
    about: 'Webhooks of an organization.',
  },
  PARLEY_ORG_MAX_TASKS: {
    default: '1000000',
    schema: count(),
    about: 'Tasks of an organization.',
  },
  PARLEY_ORG_MAX_CONVERSATIONS: {
    default: '1000000',
    schema: count(),
    about: 'Conversations of an organization.',
  },
  PARLEY_ORG_MAX_MESSAGES: {
    default: '20000000',
    schema: count(),
    about: 'Messages in all conversations of an organization.',
  },
  PARLEY_ORG_MAX_FILES: {
    default: '10000',
    schema: count(),
    about: 'Temporary files of an organization.',
  },
  PARLEY_ORG_MAX_FILE_BYTES: {
    default: '10737418240',
    schema: wholeNumber(1024, 1_000_000_000_000_000),
    about: 'What all temporary files of an organization may hold together.',
  },
} as const satisfies SettingTable
