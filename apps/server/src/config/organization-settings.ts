import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

const count = (min = 1) => wholeNumber(min, 1_000_000_000)

/** The limits of one organization, so that it leaves capacity for others. */
export const organizationSettings = {
  PARLEY_ORG_MAX_REQUESTS_PER_MINUTE: {
    default: null,
    schema: count(),
    about:
      'The maximum number of requests per minute with all API keys. Defaults to ten times PARLEY_RATE_LIMIT_PER_MINUTE.',
  },
  PARLEY_ORG_MAX_SESSIONS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of concurrent realtime sessions of an organization, across all instances.',
  },
  PARLEY_ORG_MAX_RUNNING_TURNS: {
    default: '100',
    schema: count(),
    about:
      'The maximum number of questions of an organization that one process answers concurrently. Others are queued.',
  },
  PARLEY_ORG_MAX_QUEUED_TURNS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of queued questions of an organization, across all instances.',
  },
  PARLEY_ORG_MAX_STREAMS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of open live streams of an organization, for each process.',
  },
  PARLEY_ORG_MAX_STREAMS_PER_CALLER: {
    default: '100',
    schema: count(),
    about: 'The maximum number of these live streams for one API key or person.',
  },
  PARLEY_ORG_MAX_AGENTS: {
    default: '1000',
    // The minimum is two, because the first start creates two agents.
    schema: count(2),
    about: 'The maximum number of agents.',
  },
  PARLEY_ORG_MAX_CONNECTIONS: {
    default: '200',
    schema: count(),
    about: 'The maximum number of connections.',
  },
  PARLEY_ORG_MAX_API_KEYS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of API keys.',
  },
  PARLEY_ORG_MAX_MEMBERS: {
    default: '10000',
    schema: count(),
    about: 'The maximum number of members.',
  },
  PARLEY_ORG_MAX_INVITATIONS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of pending invitations.',
  },
  PARLEY_ORG_MAX_BUDGETS: {
    default: '200',
    schema: count(),
    about: 'The maximum number of budgets.',
  },
  PARLEY_ORG_MAX_PHONE_CONNECTIONS: {
    default: '200',
    schema: count(),
    about: 'The maximum number of phone connections.',
  },
  PARLEY_ORG_MAX_PHONE_NUMBERS: {
    default: '1000',
    schema: count(),
    about: 'The maximum number of phone numbers.',
  },
  PARLEY_ORG_MAX_CALLS_PER_HOUR: {
    default: '1000',
    schema: count(),
    about:
      'The maximum number of outgoing calls of an organization within an hour, over all phone connections.',
  },
  PARLEY_ORG_MAX_WEBHOOKS: {
    default: '20',
    schema: count(),
    about: 'The maximum number of webhooks.',
  },
  PARLEY_ORG_MAX_TASKS: {
    default: '1000000',
    schema: count(),
    about: 'The maximum number of tasks.',
  },
  PARLEY_ORG_MAX_CONVERSATIONS: {
    default: '1000000',
    schema: count(),
    about: 'The maximum number of conversations.',
  },
  PARLEY_ORG_MAX_MESSAGES: {
    default: '20000000',
    schema: count(),
    about: 'The maximum number of messages in all conversations.',
  },
  PARLEY_ORG_MAX_FILES: {
    default: '10000',
    schema: count(),
    about: 'The maximum number of temporary files.',
  },
  PARLEY_ORG_MAX_FILE_BYTES: {
    default: '10737418240',
    schema: wholeNumber(1024, 1_000_000_000_000_000),
    about: 'The maximum total size of the temporary files of an organization.',
  },
} as const satisfies SettingTable
